"""One record as one line of JSON."""

from __future__ import annotations

import json
from typing import Any


def dump_record(record: Any) -> str:
    """A record as compact-enough JSON in one line, without the line end.

    Characters are written as themselves, NaN is never written, and what UTF-8
    cannot hold is replaced: surrogate pairs are joined, lone surrogates become
    U+FFFD. Spacing is that of `jsonlines`. U+2028 and U+2029 stay as they are:
    they are valid in JSON, and only "\\n" ends a line.

    Raises `ValueError` for NaN or infinity, `TypeError` for what JSON has no form of.
    """
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
