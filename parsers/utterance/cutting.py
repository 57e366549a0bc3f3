"""Where the speaker's turn ends and the model went on with somebody else's."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.dialogue.inline import find_inline
from parsers.dialogue.labels import LabelReader
from parsers.dialogue.lines import Candidate
from parsers.dialogue.model import Speaker
from parsers.dialogue.roles import asks
from parsers.text.tokens import tokens

from .sides import is_ambiguous, is_clear, is_lone_letter, is_topical, leaning, side

_MIN_SPOKEN = 4
"""Tokens after a label in an answer that are a turn; fewer are a line of a list ("Human: 85 %")."""

_SENTENCE_ENDS = "?？؟.。!！"
_LIST_KINDS = frozenset({"topic", "name", "note", "narration"})


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
    best: tuple[int, str] | None = None
    for at, found in enumerate(labels):
        if not body[: found.line].strip():
            continue
        kind = _turn(body, speaker, labels, at, opened)
        if kind is not None:
            best = found.line, kind
            break
    end = len(body) if best is None else best[0]
    return _inline(body[:end], speaker, reader) or best


def _turn(
    body: str,
    speaker: Speaker,
    labels: Sequence[Candidate],
    at: int,
    opened: Candidate | None,
) -> str | None:
    found = labels[at]
    label = found.label
    following = labels[at + 1].line if at + 1 < len(labels) else len(body)
    rest = body[found.start : following].strip()
    last = at + 1 == len(labels)
    if label.kind in {"summary", "dialogue"}:
        return _new_dialogue(speaker, labels, at, rest)
    bulleted = any(sign in "-•+0123456789" for sign in found.decor)
    if (bulleted and not (opened is not None and opened.decor)) or not is_clear(found):
        return None
    whose = side(label, speaker)
    if whose is None:
        return _weak_turn(body, speaker, found, opened, rest)
    if speaker == "person":
        if label.base == "a" and not body[: found.line].rstrip().endswith(("?", "？")):
            return None
        return "other_turn" if whose == "other" else "further_turn"
    if whose == "own":
        repeated = opened is not None and opened.label.base == label.base
        return "further_turn" if repeated and not is_topical(label) else None
    if _in_a_list(body, labels, at):
        return None
    if is_topical(label) and not asks(rest):
        return None
    spoken = (not rest and last) or asks(rest) or len(tokens(rest)) >= _MIN_SPOKEN
    return "other_turn" if spoken else None


def _new_dialogue(
    speaker: Speaker, labels: Sequence[Candidate], at: int, rest: str
) -> str | None:
    """A heading "Summary:" or "Dialogue:" with turns after it, or after a question."""
    if labels[at].form not in {"colon", "own"}:
        return None
    if speaker == "person":
        return "new_dialogue"
    if any(side(later.label, speaker) == "other" for later in labels[at + 1 :]):
        return "new_dialogue"
    return "new_dialogue" if labels[at].label.kind == "dialogue" and not rest else None


def _weak_turn(
    body: str, speaker: Speaker, found: Candidate, opened: Candidate | None, rest: str
) -> str | None:
    label = found.label
    if found.form != "colon":
        return None
    if opened is not None and _is_partner(opened, found):
        return "other_turn"
    if leaning(label, speaker) is None:
        return None
    if speaker == "person":
        asked = body[: found.line].rstrip("\"'”’*_ \n\t")[-1:] in {"?", "？", "؟"}
        return "other_turn" if asked else None
    return "other_turn" if asks(rest) and not is_ambiguous(label) else None


def _is_partner(opened: Candidate, found: Candidate) -> bool:
    """Whether two labels are of one sort and of two speakers: A and B, Speaker 1 and 2."""
    first, second = opened.label, found.label
    if (first.base, first.ident) == (second.base, second.ident):
        return False
    if len(first.base) == 1 and len(second.base) == 1:
        return first.base == "a" or is_lone_letter(first) or first.kind == second.kind
    return first.kind in {"speaker", "asker", "teller"} and second.kind in {
        "speaker",
        "asker",
        "teller",
    }


def _in_a_list(body: str, labels: Sequence[Candidate], at: int) -> bool:
    """Whether the line above or below begins with a label that is no speaker's."""
    line = labels[at].line
    above = labels[at - 1] if at else None
    if above is not None and above.label.kind in _LIST_KINDS and above.form == "colon":
        return body.find("\n", above.line) + 1 == line
    below = labels[at + 1] if at + 1 < len(labels) else None
    if below is not None and below.label.kind in _LIST_KINDS and below.form == "colon":
        return body.find("\n", line) + 1 == below.line
    return False


def _inline(body: str, speaker: Speaker, reader: LabelReader) -> tuple[int, str] | None:
    """A label after the end of a sentence, on the same line: "… queues. Person: How large?"."""
    if ":" not in body and "：" not in body:
        return None
    for found in find_inline(body, reader, 0, len(body)):
        label = found.label
        before = body[: found.line].rstrip(" \t\u3000*_|/-\"”'’)）")
        if not before or before[-1] not in _SENTENCE_ENDS or is_topical(label):
            continue
        if label.base == "a" or (label.kind == "answer" and speaker == "bot"):
            continue
        whose = side(label, speaker)
        rest = body[found.start : found.end].strip()
        if whose is None or (whose == "own" and speaker == "bot"):
            continue
        if not found.label.base[0].isascii() or body[found.line].isupper():
            spoken = not rest or asks(rest) or len(tokens(rest)) >= _MIN_SPOKEN
            if speaker == "person" or spoken:
                start = len(body[: found.line].rstrip(" \t\u3000*_|/-"))
                return start, "other_turn" if whose == "other" else "further_turn"
    return None
