"""The paragraphs of the S2ORC family, and the tokens that stand in them for something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .assembly import Part, PartKind
from .fields import id_of, rows_of, text_of

SplitHeading = Callable[[str], tuple[str, tuple[str, ...]]]

_TOKEN = re.compile(r"\b(?:BIBREF|FIGREF|TABREF|SECREF|FOOTREF|INLINEFORM|DISPLAYFORM)\d+\b")
_EQUATION = "EQUATION"


def flat_heading(heading: str) -> tuple[str, tuple[str, ...]]:
    """Take a heading as it is: PDF parses have no hierarchy in it."""
    return heading, ()


def paragraphs(value: object, kind: PartKind, split_heading: SplitHeading) -> Iterator[Part]:
    """Give the paragraphs of `abstract`, `body_text` or `back_matter` with their headings."""
    for row in rows_of(value):
        heading = text_of(row.get("section"))
        title, parents = split_heading(heading)
        number = id_of(row.get("sec_num")) or None
        yield Part(title, resolved_text(row), parents, number, kind)


def resolved_text(paragraph: Mapping[str, Any]) -> str:
    """Give the paragraph's text with its tokens replaced by what they stand for.

    LaTeX and JATS parses hold `BIBREF3`, `FIGREF1`, `INLINEFORM0` in the text and
    what was there in the spans; PDF parses the bare word `EQUATION`, with the
    formula in the span's `raw_str`. A token without a usable span stays.
    """
    text = text_of(paragraph.get("text"))
    spans = paragraph.get("eq_spans")
    if text == _EQUATION:
        for span in rows_of(spans):
            raw = text_of(span.get("raw_str")).strip()
            if raw:
                return f"{raw} {text_of(span.get('eq_num'))}".strip()
        return ""
    if not _TOKEN.search(text):
        return text
    stands_for = dict(_replacements(paragraph))
    return _TOKEN.sub(lambda token: stands_for.get(token[0], token[0]), text)


def _replacements(paragraph: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("cite_spans", "ref_spans", "eq_spans"):
        for span in rows_of(paragraph.get(name)):
            ref_id = text_of(span.get("ref_id"))
            keys = ("latex", "mention", "text") if name == "eq_spans" else ("mention", "text")
            surface = next((text for key in keys if (text := text_of(span.get(key)))), "")
            if ref_id and surface and surface != ref_id:
                is_bare_number = name == "cite_spans" and surface.isdecimal()
                yield ref_id, f"[{surface}]" if is_bare_number else surface
