"""Where the speaker's turn ends and the model went on with somebody else's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.dialogue.labels import LabelReader
from parsers.dialogue.lines import Candidate
from parsers.dialogue.model import Speaker
from parsers.dialogue.roles import asks
from parsers.text.tokens import tokens

from .labelled import labels_within
from .sides import is_ambiguous, is_clear, is_lone_letter, is_topical, leaning, side

_MIN_SPOKEN = 4
"""Tokens after a label in an answer that are a turn; fewer are a line of a list ("Human: 85 %")."""

_LOOK_BACK = 24
"""Characters before a label that are read to know whether a sentence ended there."""

_SENTENCE_ENDS = ("?", "？", "؟", ".", "。", "!", "！")
_QUESTION_ENDS = ("?", "？", "؟")
_CLOSERS = " \t\n\u3000*_#|/-\"”'’)）」』»"
_NEXT_QUESTION = re.compile(
    r"^[*_#>\s]{0,4}(?:(?:my|the|your) )?(?:next|second|third|fourth|"
    r"another) question\b[^\n:：]{0,20}[:：]"
    r"|^[*_#>\s]{0,4}(?:我的)?(?:下一个|第[二三四]个|另一个)(?:问题|提问)(?:是)?[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_LIST_KINDS = frozenset({"topic", "name", "note", "narration"})
_PARTNERS = frozenset({"speaker", "asker", "teller"})


def find_next_turn(
    body: str,
    speaker: Speaker,
    labels: Sequence[Candidate],
    reader: LabelReader,
    opened: Candidate | None,
) -> tuple[int, str] | None:
    """Where in `body` another turn or dialogue begins, and a word of `REMOVED_KINDS`; or None.

    `labels` are the label-like beginnings of its lines; `opened` is the label that the utterance
    itself had. The lines of an answer may begin with labels of their own ("Reader: …",
    "- User: …"); in an answer a label is a turn only when what follows it is one.
    """
    lines = _Lines(body, speaker, labels, opened)
    cut: tuple[int, str] | None = None
    for at, found in enumerate(labels):
        kind = lines.turn(at)
        if kind is not None:
            cut = found.line, kind
            break
    announced = _NEXT_QUESTION.search(body, 1, cut[0] if cut else len(body))
    if announced is not None and body[: announced.start()].strip():
        cut = announced.start(), "other_turn" if speaker == "bot" else "further_turn"
    return _inline(body[: cut[0]] if cut else body, speaker, reader) or cut


class _Lines:
    """The labelled lines of one text, and what each of them begins."""

    def __init__(
        self, body: str, speaker: Speaker, labels: Sequence[Candidate], opened: Candidate | None
    ) -> None:
        self.body = body
        self.speaker = speaker
        self.labels = labels
        self.opened = opened
        self.words_begin = len(body) - len(body.lstrip())
        others = [at for at, one in enumerate(labels) if side(one.label, speaker) == "other"]
        self.last_other = others[-1] if others else -1

    def turn(self, at: int) -> str | None:
        """What the label at this position begins, None when it is part of the utterance."""
        found = self.labels[at]
        if found.line <= self.words_begin:
            return None
        label = found.label
        if label.kind in {"summary", "dialogue"}:
            return self._new_dialogue(at)
        bulleted = any(sign in "-•+0123456789" for sign in found.decor)
        if bulleted and not (self.opened is not None and self.opened.decor):
            return None
        if not is_clear(found):
            return None
        whose = side(label, self.speaker)
        if whose is None:
            return self._weak(at)
        if self.speaker == "person":
            if label.base == "a" and not self._asked_before(found):
                return None
            return "other_turn" if whose == "other" else "further_turn"
        if whose == "own":
            again = self.opened is not None and self.opened.label.base == label.base
            dangling = at + 1 == len(self.labels) and not self._rest(at)
            return "further_turn" if (again or dangling) and not is_topical(label) else None
        return "other_turn" if self._is_spoken(at) else None

    def _rest(self, at: int) -> str:
        end = self.labels[at + 1].line if at + 1 < len(self.labels) else len(self.body)
        return self.body[self.labels[at].start : end].strip()

    def _is_spoken(self, at: int) -> bool:
        """Whether the other's label in an answer begins a turn, not a line of a list."""
        if self._in_a_list(at):
            return False
        rest = self._rest(at)
        if asks(rest):
            return True
        if is_topical(self.labels[at].label):
            return False
        return (not rest and at + 1 == len(self.labels)) or len(tokens(rest)) >= _MIN_SPOKEN

    def _new_dialogue(self, at: int) -> str | None:
        """A heading "Summary:" or "Dialogue:" with turns after it, or after a question."""
        if self.labels[at].form not in {"colon", "own"}:
            return None
        if self.speaker == "person" or self.last_other > at:
            return "new_dialogue"
        heading = self.labels[at].label.kind == "dialogue" and not self._rest(at)
        return "new_dialogue" if heading else None

    def _weak(self, at: int) -> str | None:
        """A word that only suggests a role, or the partner of the label before the utterance."""
        found = self.labels[at]
        if found.form != "colon":
            return None
        if self.opened is not None and _are_partners(self.opened, found):
            return "other_turn"
        if leaning(found.label, self.speaker) is None:
            return None
        if self.speaker == "person":
            return "other_turn" if self._asked_before(found) else None
        return "other_turn" if asks(self._rest(at)) and not is_ambiguous(found.label) else None

    def _asked_before(self, found: Candidate) -> bool:
        before = self.body[max(0, found.line - _LOOK_BACK) : found.line]
        return before.rstrip(_CLOSERS).endswith(_QUESTION_ENDS)

    def _in_a_list(self, at: int) -> bool:
        """Whether the line above or below begins with a label that is no speaker's."""
        line = self.labels[at].line
        above = self.labels[at - 1] if at else None
        if above is not None and above.label.kind in _LIST_KINDS and above.form == "colon":
            return self.body.find("\n", above.line) + 1 == line
        below = self.labels[at + 1] if at + 1 < len(self.labels) else None
        if below is not None and below.label.kind in _LIST_KINDS and below.form == "colon":
            return self.body.find("\n", line) + 1 == below.line
        return False


def _are_partners(opened: Candidate, found: Candidate) -> bool:
    """Whether two labels are of one sort and of two speakers: A and B, Speaker 1 and 2."""
    first, second = opened.label, found.label
    if (first.base, first.ident) == (second.base, second.ident):
        return False
    if len(first.base) == 1 and len(second.base) == 1:
        return first.base == "a" or is_lone_letter(first) or first.kind == second.kind
    return first.kind in _PARTNERS and second.kind in _PARTNERS


def _inline(body: str, speaker: Speaker, reader: LabelReader) -> tuple[int, str] | None:
    """A label after the end of a sentence, on the same line: "… queues. Person: How large?"."""
    for found in labels_within(body, reader):
        label = found.label
        whose = side(label, speaker)
        if whose is None or (whose == "own" and speaker == "bot"):
            continue
        if is_topical(label) or label.base == "a":
            continue
        if label.base[0].isascii() and not body[found.line].isupper():
            continue
        window = max(0, found.line - _LOOK_BACK)
        before = body[window : found.line]
        if not before.rstrip(_CLOSERS).endswith(_SENTENCE_ENDS):
            continue
        rest = body[found.start : found.end].strip()
        if speaker == "person" or not rest or asks(rest) or len(tokens(rest)) >= _MIN_SPOKEN:
            start = window + len(before.rstrip(" \t\n\u3000*_#|/-"))
            return start, "other_turn" if whose == "other" else "further_turn"
    return None
