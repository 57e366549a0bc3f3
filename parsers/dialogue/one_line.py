"""Reads the commonest shape of a dialogue: every turn is one line, a label, a colon and the words.

It gives what `read_plain` gives for such a text, and gives up on any other. Most outputs have
this shape, and nothing in them needs the search for speakers, closing notes or headings.
"""

from __future__ import annotations

from .edges import PLAIN_ENDS, has_marks, tidy
from .labels import LONGEST_LABEL, ROLE_WORDS, SIDES, Label, LabelReader
from .lines import COUNTER, Candidate, read_at
from .plain import MOST_LABELS, with_second_label
from .speakers import settle_letters
from .utterance import Reading, Utterance

_COUNTER_SIGNS = ").iv"
_SECOND_LABEL = 40
"""A second label is looked for within this many characters of an utterance."""


def read_one_line_turns(text: str, reader: LabelReader) -> Reading | None:
    """The utterances of `text` when it has nothing but such lines, both roles named by words.

    None when a line has no label or one that is a name, a number or a heading, and when a
    summary comes after the first turn: then `read_plain` must look.
    """
    if "```" in text or "~~~" in text or text.lstrip()[:1] in {'"', "“", ""}:
        return None
    found = _find_lines(text, reader)
    if found is None:
        return None
    labels = [one.label for one in found]
    if any([len(label.base) == 1 for label in labels]):
        labels = settle_letters(labels)
    if not _are_one_dialogue(labels):
        return None
    marked = has_marks(text.replace("\n", " "))
    made: list[Utterance] = []
    ends = [one.line for one in found[1:]]
    ends.append(len(text))
    for (line, start, line_end, _, decor, _), label, end in zip(found, labels, ends, strict=True):
        said = text[start:line_end].rstrip()
        if not marked and said and said[0].isalnum() and said[-1] in PLAIN_ENDS:
            made.append(Utterance(label, said, (start, start + len(said)), (line, end)))
        else:
            made.append(Utterance(label, *tidy(text, start, end, decor), (line, max(end, start))))
    return Reading(tuple(made))


def _find_lines(text: str, reader: LabelReader) -> list[Candidate] | None:
    """The label of every line that is not blank; None when one has none of use."""
    found: list[Candidate] = []
    known: dict[str, Label | None] = {}
    ascii_only = text.isascii()
    wide = not ascii_only and "：" in text
    odd = not ascii_only and ("︰" in text or "﹕" in text)
    position = 0
    for line in text.split("\n"):
        end = position + len(line)
        if line and not line.isspace():
            head = line.partition(":")[0]
            if wide:
                head = head.partition("：")[0]
            if head in known:
                label = known[head]
            else:
                label = known[head] = _simple_label(head, reader)
            at = len(head) + 1
            candidate = None
            if label is not None and not odd and len(line) > at + 4:
                sign = line[at]
                if sign == " ":
                    at += 1
                elif sign == "*" and line.startswith("** ", at):
                    at += 3
                first = line[at]
                if (
                    first.isalpha()
                    and line.find(":", at, at + _SECOND_LABEL) < 0
                    and not (wide and line.find("：", at, at + _SECOND_LABEL) >= 0)
                    and not (line[at + 1] in _COUNTER_SIGNS and COUNTER.match(line, at))
                ):
                    decor = "**" if line[0] == "*" else ""
                    candidate = Candidate(position, position + at, end, label, decor, "colon")
            if candidate is None:
                candidate = _read_doubtful(text, position, end, reader)
            if candidate is None or len(found) >= MOST_LABELS - 1:
                return None
            found.append(candidate)
        position = end + 1
    return found


def _simple_label(head: str, reader: LabelReader) -> Label | None:
    """The label, when no more can stand before the colon than a word, bold or not."""
    word = head.removeprefix("**")
    if (
        not word[:1].isalpha()
        or word[-1].isdigit()
        or len(word) > LONGEST_LABEL
        or not _NO_PARTS.isdisjoint(word)
    ):
        return None
    label = reader.read(word)
    return label if label is not None and _is_plain(label) else None


_NO_PARTS = frozenset("([（【.)")
"""Signs of a cue, a time or a counter beside the word."""


def _read_doubtful(text: str, line: int, end: int, reader: LabelReader) -> Candidate | None:
    candidate = read_at(text, line, end, reader)
    if candidate is None or candidate.form != "colon":
        return None
    candidate = with_second_label(text, candidate, reader)
    return candidate if _is_plain(candidate.label) else None


def _is_plain(label: Label) -> bool:
    if label.kind == "summary":
        return True
    return label.kind in ROLE_WORDS and not label.ident and not label.summary


def _are_one_dialogue(labels: list[Label]) -> bool:
    """Whether summaries come before all turns, and the turns are of both roles."""
    sides: set[str] = set()
    for label in labels:
        side = SIDES.get(label.kind)
        if side is not None:
            sides.add(side)
        elif sides or label.kind != "summary":
            return False
    return len(sides) == 2
