"""Why a record gave no paper: every code a reader may give, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

READ_CODES: Mapping[str, str] = MappingProxyType(
    {
        "empty_input": "The input holds nothing but white space.",
        "unknown_format": "The content is in none of the formats that can be read.",
        "unsupported_format": "The format is recognised, and has to be converted first.",
        "bad_json": "The record is not valid JSON.",
        "torn_line": "The last record breaks off in the middle.",
        "torn_gzip": "The gzip stream is cut off or damaged; what came before was read.",
        "bad_encoding": "The bytes are not valid UTF-8 (or UTF-16 after a byte order mark).",
        "bad_xml": "The document is not well-formed XML, or passes the parser's safety limits.",
        "bad_record": "The format is recognised, but a needed value has the wrong type.",
        "too_deep": "The JSON is nested deeper than any paper is.",
        "too_large": "The record is larger than the limit of one record.",
        "no_body_text": "The paper has no body text: an abstract at most.",
    }
)
"""Code → meaning. `docs/formats-in.md` says for each what to do."""
