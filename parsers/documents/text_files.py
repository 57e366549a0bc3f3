"""A Markdown or plain text file as one document, and where its title is found."""

from __future__ import annotations

import re

from parsers.papers import markdown
from parsers.sentences import one_line

from .model import DocumentSkip, TitledDocument

_KEEPS_LINES = re.compile(r"^ {0,3}(?:[-*+>|]|\d{1,3}[.)]|`{3}|~{3})|^\t|^ {4}| {2}$", re.MULTILINE)
_LONGEST_TITLE = 120
_ENDS = tuple(".!?。！？;；,，:：")


def document_of_text(text: str, file_name: str) -> TitledDocument | DocumentSkip:
    """The document of a file's text; `file_name` is its title where the text shows none.

    Markdown: the YAML head's title, else the first heading. Plain text: a short
    first line that no sentence mark ends.
    """
    title, body = _of_markdown(text) if markdown.matches(text) else _of_lines(text)
    body = body.strip()
    if not any(map(str.isalnum, body)):
        return DocumentSkip("empty_document", f"no text below the title “{title[:80]}”")
    return TitledDocument(title or file_name, body)


def _of_markdown(text: str) -> tuple[str, str]:
    title, blocks = markdown.outline(text)
    if not title:
        named = next((number for number, block in enumerate(blocks) if block[0]), None)
        if named is not None:
            level, heading, body = blocks[named]
            title = heading
            blocks[named] = (level, "", body)
    parts: list[str] = []
    for _, heading, body in blocks:
        parts.append(markdown.plain_heading(heading))
        parts += map(_reflowed, markdown.paragraphs(body))
    return markdown.plain_heading(title), "\n".join(part for part in parts if part)


def _reflowed(paragraph: str) -> str:
    """A paragraph on one line; lists, tables, quotations and code keep their lines."""
    return paragraph if _KEEPS_LINES.search(paragraph) else one_line(paragraph)


def _of_lines(text: str) -> tuple[str, str]:
    first, _, rest = text.lstrip("\ufeff \t\n").partition("\n")
    title = " ".join(first.split())
    if rest.strip() and len(title) <= _LONGEST_TITLE and not title.endswith(_ENDS):
        return title, rest
    return "", text
