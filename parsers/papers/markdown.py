"""Markdown: `#` and underlined headings, a YAML head, citations left as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .assembly import Part, assemble
from .model import Paper, Unread
from .section_types import classify_heading

FORMAT = "markdown"

_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r"^ {0,3}(=+|-{3,})[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_LINK = re.compile(r"\[([^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))+(?:\s+\"[^\"\n]*\")?\)")
_YAML_TITLE = re.compile(r"^title\s*:\s*(.*)$", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def matches(text: str) -> bool:
    """Tell whether the text has a Markdown heading, outside of fenced code."""
    return any(level for level, _, _ in _blocks(text.split("\n")))


def read(text: str) -> Iterator[Paper | Unread]:
    """Give the paper. Its title is the YAML head's, or that of a single first `#` heading."""
    lines = text.split("\n")
    title, lines = _without_yaml_head(lines)
    lines = _COMMENT.sub("", "\n".join(lines)).split("\n")
    blocks = list(_blocks(lines))
    if blocks and not blocks[0][0] and not blocks[0][2].strip():
        del blocks[0]
    if not title and blocks and _is_title(blocks):
        title = blocks[0][1]
        blocks[0] = (0, "", blocks[0][2])
    parts: list[Part] = []
    above: list[tuple[int, str]] = []
    for level, heading, body in blocks:
        while above and above[-1][0] >= level:
            above.pop()
        parents = tuple(parent for _, parent in above)
        parts.append(Part(_plain(heading), _plain_body(body), parents))
        if level:
            above.append((level, heading))
    yield assemble(FORMAT, "", _plain(title), parts)


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
        if found and found[2]:
            yield level, heading, "\n".join(body)
            level, heading, body = len(found[1]), found[2], []
        elif not fence and _underlines(lines, at):
            heading_above = body.pop()
            yield level, heading, "\n".join(body)
            level, heading, body = (1 if "=" in line else 2), heading_above.strip(), []
        else:
            body.append(line)
    yield level, heading, "\n".join(body)


def _underlines(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line underlines a heading: a one-line paragraph stands above it."""
    if at == 0 or not _SETEXT.match(lines[at]):
        return False
    above = lines[at - 1]
    alone = at == 1 or not lines[at - 2].strip()
    return (
        alone and bool(above.strip()) and not _ATX.match(above) and above.strip()[0] not in "|-*>"
    )


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
    level, heading, _ = blocks[0]
    return (
        level == 1
        and classify_heading(heading) is None
        and all(other > 1 for other, _, _ in blocks[1:])
    )


def _plain(heading: str) -> str:
    return _LINK.sub(r"\1", heading).strip("*_ ")


def _plain_body(body: str) -> str:
    body = _LINK.sub(r"\1", _IMAGE.sub("", body))
    return _BLANK_LINES.sub("\n", body).strip()
