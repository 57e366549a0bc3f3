"""Where the text of an utterance really ends, and what stands before the first label."""

from __future__ import annotations

from .edges import tidy
from .frame import is_closing, is_heading, is_preamble, is_stage_line
from .model import Span
from .prompt_echo import is_prompt_echo
from .utterance import Utterance

_LONGEST_LEAD = 20_000
"""Loose text longer than this many characters is no summary."""


def find_lead(text: str, start: int, end: int) -> Utterance | None:
    """What comes before the first label, without announcements, headings and rules."""
    if end - start > _LONGEST_LEAD or not text[start:end].strip():
        return None
    kept: list[Span] = []
    position = start
    for block in text[start:end].split("\n\n"):
        begin, stop = position, position + len(block)
        position = stop + 2
        for line in block.split("\n"):
            if line.strip() and not is_heading(line) and not is_stage_line(line):
                break
            begin += len(line) + 1
        rest = text[begin:stop]
        if rest.strip() and not is_preamble(rest) and not is_prompt_echo(rest):
            kept.append((begin, stop))
    if not kept:
        return None
    said, span = tidy(text, kept[0][0], kept[-1][1])
    return Utterance(None, said, span, (kept[0][0], kept[-1][1])) if said else None


def end_before_heading(text: str, start: int, end: int, *, summary: bool) -> int:
    """Leave out headings at the end, and after a summary the announcement of the dialogue."""
    first_end = text.find("\n", start, end)
    if first_end < 0 or not text[first_end:end].strip():
        return end
    stop = end
    while True:
        line_end = stop
        while line_end > first_end and text[line_end - 1].isspace():
            line_end -= 1
        line = text.rfind("\n", first_end, line_end) + 1
        if line <= first_end:
            return stop
        content = text[line:line_end].lstrip()
        announces = (
            summary and content[-1:] in ":：" and len(content) < 120 and is_preamble(content)
        )
        if not (announces or content.startswith("#")):
            return stop
        stop = line


def end_before_closing(text: str, start: int, end: int) -> int:
    """Leave out what follows the last turn and speaks about the dialogue.

    The first line with text is always the turn's own.
    """
    while start < end and text[start].isspace():
        start += 1
    position = text.find("\n", start, end)
    blank = False
    while 0 <= position < end:
        begin = position + 1
        position = text.find("\n", begin, end)
        line = text[begin : position if position >= 0 else end]
        if not line.strip():
            blank = True
            continue
        if is_closing(line, after_blank=blank):
            return begin
        blank = False
    return end
