"""Reads the commonest shape of a dialogue: every turn is one line, a label and the words.

It gives what `read_plain` gives for such a text, and gives up on any other. Most outputs have
this shape, and nothing in them needs the search for closing notes, headings and third speakers.
"""

from __future__ import annotations

from collections.abc import Sequence

from .edges import PLAIN_ENDS, has_inner_marks, tidy
from .examples import find_example
from .labels import LONGEST_LABEL, SPEAKING, Label, LabelReader
from .lines import COUNTER, Candidate, read_at
from .plain import MOST_LABELS, with_second_label
from .speakers import are_roles, find_cast, settle_letters
from .utterance import Reading, Utterance

_Line = tuple[int, int, int, Label, str]
"""The first fields of a `Candidate`, in its order."""

_COUNTER_SIGNS = ").iv"
_PARTED = frozenset("([（【.)")
"""Signs of a cue, a time or a counter beside the word of a label."""

_SECOND_LABEL = 40
"""A second label is looked for within this many characters of an utterance."""


def read_one_line_turns(text: str, reader: LabelReader) -> Reading | None:
    """The utterances of `text` when every line that is not blank begins with a label.

    None when a label is neither a speaker of the dialogue nor a summary before the first turn,
    when a line has none, when an answer may quote labels, or when quotation marks or fences may
    surround it all: then `read_plain` must look. Linear in the length of the text.
    """
    if (
        ("`" in text and "```" in text)
        or ("~" in text and "~~~" in text)
        or (text.lstrip()[:1] in {'"', "“", ""})
    ):
        return None
    lines = _labelled_lines(text, reader)
    if lines is None:
        return None
    labels = [line[3] for line in lines]
    different = dict.fromkeys(labels)
    if 1 in [len(label.base) for label in different]:
        labels = settle_letters(labels)
        different = dict.fromkeys(labels)
    turns = [label for label in labels if label.kind != "summary"]
    if labels[-len(turns) :] != turns:
        return None
    if not are_roles(different):
        cast = find_cast(
            turns, structured=False, summarised=True in [label.summary for label in different]
        )
        if len(cast.chosen) < 2 or not cast.chosen.issuperset(cast.keys):
            return None
    said = _said(text, lines, labels)
    # without a third word for the speakers there is no example
    words = {label.base for label in different if label.kind != "summary"}
    if len(words) > 2 and find_example(said) is not None:
        return None
    return Reading(tuple(said))


def _said(text: str, lines: Sequence[_Line], labels: Sequence[Label]) -> list[Utterance]:
    marked = has_inner_marks(text)
    made: list[Utterance] = []
    ends = [line[0] for line in lines[1:]]
    ends.append(len(text))
    for (begin, start, line_end, _, decor), label, end in zip(lines, labels, ends, strict=True):
        said = "" if marked else text[start:line_end].rstrip()
        if said and said[-1] in PLAIN_ENDS and said[0].isalnum():
            made.append(Utterance(label, said, (start, start + len(said)), (begin, end)))
        else:
            said, span = tidy(text, start, end, decor)
            made.append(Utterance(label, said, span, (begin, max(end, start))))
    return made


def _labelled_lines(text: str, reader: LabelReader) -> list[_Line] | None:
    """The label of every line that is not blank; None when one has none that can be a turn."""
    found: list[_Line] = []
    words: dict[str, Label | None] = {}
    wide = not text.isascii() and "：" in text
    odd = not text.isascii() and ("︰" in text or "﹕" in text)
    position = 0
    for line in text.split("\n"):
        end = position + len(line)
        if line and not line.isspace():
            colon = line.find(":")
            if wide and (wide_colon := line.find("：", 0, colon if colon >= 0 else None)) >= 0:
                colon = wide_colon
            head = line[:colon] if colon > 0 else ""
            if head in words:
                label = words[head]
            else:
                label = words[head] = None if odd else _simple_label(head, reader)
            at = 0 if label is None else _beginning(line, colon + 1, wide)
            if at and label is not None:
                decor = "**" if line[0] == "*" else ""
                found.append((position, position + at, end, label, decor))
            elif (candidate := _doubtful(text, position, end, reader)) is not None:
                found.append(candidate[:5])
            else:
                return None
            if len(found) >= MOST_LABELS:
                return None
        position = end + 1
    return found


def _simple_label(head: str, reader: LabelReader) -> Label | None:
    """The label, when nothing stands before the colon but words, bold or not."""
    word = head.removeprefix("**")
    if not word[:1].isalpha() or len(word) > LONGEST_LABEL or not _PARTED.isdisjoint(word):
        return None
    label = reader.read(word)
    return label if label is not None and _is_said(label) else None


def _beginning(line: str, at: int, wide: bool) -> int:
    """Where the words begin after the colon before `at`; 0 when more than a space is between.

    It is 0 too when the words may begin with another label.
    """
    if len(line) < at + 5:
        return 0
    if line[at] == " ":
        at += 1
    elif line.startswith("** ", at):
        at += 3
    if not line[at].isalpha() or line.find(":", at, at + _SECOND_LABEL) >= 0:
        return 0
    if wide and line.find("：", at, at + _SECOND_LABEL) >= 0:
        return 0
    if line[at + 1] in _COUNTER_SIGNS and COUNTER.match(line, at):
        return 0
    return at


def _doubtful(text: str, line: int, end: int, reader: LabelReader) -> Candidate | None:
    candidate = read_at(text, line, end, reader)
    if candidate is None or candidate.form != "colon" or not _is_said(candidate.label):
        return None
    candidate = with_second_label(text, candidate, reader)
    return candidate if _is_said(candidate.label) else None


def _is_said(label: Label) -> bool:
    return label.kind in SPEAKING or label.kind == "summary"
