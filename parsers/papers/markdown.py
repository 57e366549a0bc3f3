"""Markdown: `#` and underlined headings, a YAML head, citations left as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .assembly import Part, assemble
from .model import Paper, Unread
from .section_types import classify_heading

FORMAT = "markdown"

_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t](.*)$")
_SETEXT = re.compile(r"^ {0,3}(=+|-{3,})[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
# The lengths are bounded so that no text, however odd, makes the search slow.
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,100}\])")
_LINK = re.compile(
    r"\[([^\[\]\n]{1,300})\]\((?:[^()\s]|\([^()\s]{0,200}\)){1,2000}(?:\s\"[^\"\n]{0,300}\")?\)"
)
_SHORT_WORDS, _SHORT_CHARS = 4, 40
_YAML_TITLE = re.compile(r"^title\s*:\s*(.*)$", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def matches(text: str) -> bool:
    """Tell whether the text has a YAML head with a title, or a heading outside of fenced code."""
    title, lines = _without_yaml_head(text.split("\n"))
    return bool(title) or any(level for level, _, _ in _blocks(lines))


def read(text: str) -> Iterator[Paper | Unread]:
    """Give the paper. Its title is the YAML head's, or a first `#` heading that stands alone."""
    title, blocks = outline(text)
    if not title and _is_title(blocks):
        title = blocks[0][1]
        blocks[0] = (0, "", "" if _is_abstract_next(blocks) else blocks[0][2])
    parts: list[Part] = []
    above: list[tuple[int, str]] = []
    for level, heading, body in blocks:
        while above and above[-1][0] >= level:
            above.pop()
        parents = tuple(parent for _, parent in above)
        text_below = plain_body(body)
        if len(blocks) == 1:
            # Without headings each paragraph is a section of its own, as in plain text.
            parts.extend(Part("", paragraph) for paragraph in text_below.split("\n"))
        else:
            parts.append(Part(plain_heading(heading), text_below, parents))
        if level:
            above.append((level, heading))
    yield assemble(FORMAT, "", plain_heading(title), parts)


def outline(text: str) -> tuple[str, list[tuple[int, str, str]]]:
    """The YAML head's title ("" for none), and (level, heading, body) of each block in order.

    The text before the first heading has level 0; bodies are as they were written.
    """
    title, lines = _without_yaml_head(text.split("\n"))
    blocks = list(_blocks(_without_comments("\n".join(lines)).split("\n")))
    if len(blocks) > 1 and not blocks[0][2].strip():
        del blocks[0]
    return title, blocks


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Give (level, heading, body) blocks; the text before the first heading has level 0."""
    level, heading, body = 0, "", list[str]()
    fence = ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        found = None if fence else _ATX.match(line)
        if found and (title := _without_closing_marks(found[2])):
            yield level, heading, "\n".join(body)
            level, heading, body = len(found[1]), title, []
        elif not fence and _underlines(lines, at):
            heading_above = body.pop()
            yield level, heading, "\n".join(body)
            level, heading, body = (1 if "=" in line else 2), heading_above.strip(), []
        else:
            body.append(line)
    yield level, heading, "\n".join(body)


def _without_closing_marks(title: str) -> str:
    """Turn "Heading ##" into "Heading", and leave "C#" as it is."""
    title = title.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def _without_comments(text: str) -> str:
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join((*kept, text[at:]))


def _underlines(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line underlines a heading: a one-line paragraph stands above it."""
    if at == 0 or not _SETEXT.match(lines[at]):
        return False
    above = lines[at - 1]
    alone = at == 1 or not lines[at - 2].strip()
    return alone and bool(above.strip()) and above.strip()[0] not in "#|-*>`~"


def _without_yaml_head(lines: list[str]) -> tuple[str, list[str]]:
    if lines[0].strip() != "---":
        return "", lines
    for end, line in enumerate(lines[1:], start=1):
        if line.strip() in {"---", "..."}:
            titles = (_YAML_TITLE.match(head) for head in lines[1:end])
            title = next((found[1].strip() for found in titles if found), "")
            if len(title) > 1 and title[0] == title[-1] and title[0] in "'\"":
                title = title[1:-1].replace("''", "'") if title[0] == "'" else title[1:-1]
            return title, lines[end + 1 :]
    return "", lines


def _is_title(blocks: Sequence[tuple[int, str, str]]) -> bool:
    """Tell whether the first heading is the paper's title, and not that of a section."""
    level, heading, _ = blocks[0]
    kind = classify_heading(heading)
    if level != 1 or kind in {"abstract", "introduction", "acknowledgement"}:
        return False
    if len(blocks) > 1 and classify_heading(blocks[1][1]) in {"abstract", "introduction"}:
        return True
    # A title may well speak of a method or of results; a section's heading is short.
    is_short = len(heading.split()) <= _SHORT_WORDS and len(heading) <= _SHORT_CHARS
    return all(other > 1 for other, _, _ in blocks[1:]) and (kind is None or not is_short)


def _is_abstract_next(blocks: Sequence[tuple[int, str, str]]) -> bool:
    """Tell whether an abstract follows the title: what stands between them is names."""
    return len(blocks) > 1 and classify_heading(blocks[1][1]) == "abstract"


def plain_heading(heading: str) -> str:
    """The heading without links and emphasis."""
    return _LINK.sub(r"\1", heading).strip("*_ ")


def plain_body(body: str) -> str:
    """The body without images, links as their words, no blank lines."""
    return _BLANK_LINES.sub("\n", _plain_text(body)).strip()


def paragraphs(body: str) -> list[str]:
    """The paragraphs of a body as they were written, without images, links as their words."""
    parts = _BLANK_LINES.split(_plain_text(body).strip("\n"))
    return [part for part in parts if part.strip()]


def _plain_text(body: str) -> str:
    return _LINK.sub(r"\1", _IMAGE.sub("", body))
