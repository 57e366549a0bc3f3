"""Cuts a text into utterances at the labels that count, and notices what does not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .edges import tidy
from .examples import find_example
from .fences import Fenced
from .frame import is_stage_line
from .labels import SPEAKING, LabelReader
from .lines import Candidate, read_at
from .model import Span
from .speakers import Cast
from .surroundings import end_before_closing, end_before_heading, find_lead
from .utterance import Reading, Utterance

_MARK_ENDS = re.compile(r"[.!?。！？…\"”」)）]\W*$")
_LABEL_LEFTOVER = " \t*_#>`~-–—•[【(<"


class Assembly:
    """Cuts the text into utterances at the labels that count."""

    def __init__(
        self,
        text: str,
        candidates: Sequence[Candidate],
        cast: Cast,
        usable: frozenset[int],
        fenced: Fenced,
        reader: LabelReader,
    ) -> None:
        self.text = text
        self.reader = reader
        self.fenced = fenced
        self.keys: dict[int, str] = (
            dict(zip(sorted(usable), cast.keys, strict=True)) if usable else {}
        )
        self.cast = cast
        self.candidates = candidates
        self.spoken = [at for at in sorted(usable) if self.keys[at] in cast.chosen]

    def reading(self) -> Reading:
        speaking = set(self.spoken)
        first_turn = self.spoken[0] if self.spoken else len(self.candidates)
        last_turn = self.spoken[-1] if self.spoken else -1
        marks: list[tuple[Candidate, bool]] = []
        summaries = 0
        if self.candidates and self.candidates[0].line > self.fenced.start:
            first_line = self.candidates[0].line
            summaries = int(find_lead(self.text, self.fenced.start, first_line) is not None)
        fault: tuple[str, str, Span] | None = None
        for at, candidate in enumerate(self.candidates):
            kind = candidate.label.kind
            place = (candidate.line, candidate.end)
            if at in speaking:
                marks.append((candidate, True))
            elif kind == "summary":
                if at < first_turn:
                    summaries += 1
                    marks.append((candidate, True))
                elif summaries or self.candidates[first_turn].label.summary:
                    if at < last_turn or self._begins_paragraph(candidate):
                        fault = fault or ("multiple_dialogues", "a second summary begins", place)
                elif self._begins_paragraph(candidate) or at > last_turn:
                    fault = fault or ("wrong_order", "the summary comes after the turns", place)
            elif kind == "dialogue" and candidate.start >= candidate.end:
                if at > first_turn:
                    fault = fault or ("multiple_dialogues", "a second dialogue begins", place)
                elif at < first_turn:
                    marks.append((candidate, False))
            elif kind == "prompt" and candidate.form in {"colon", "own", "bracket"}:
                if at > first_turn:
                    fault = fault or (
                        "prompt_echo",
                        "a field of the prompt follows the turns",
                        place,
                    )
                else:
                    marks.append((candidate, False))
            elif kind in {"narration", "header", "field"} and (
                at < first_turn
                or self._leads_to_a_label(at)
                or (kind == "narration" and at > last_turn and self._begins_paragraph(candidate))
            ):
                marks.append((candidate, False))
        utterances = self._utterances(marks)
        if fault is None:
            fault = self._intruder(speaking, first_turn) or _example(utterances)
        code, detail, place_or_none = fault if fault else (None, "", None)
        return Reading(
            utterances, code, detail, place_or_none, doubtful_end=self._ends_in_a_label(marks)
        )

    def _begins_paragraph(self, candidate: Candidate) -> bool:
        before = self.text[max(0, candidate.line - 40) : candidate.line]
        return "\n\n" in before[-8:].replace(" ", "").replace("\t", "") or not before.strip()

    def _leads_to_a_label(self, at: int) -> bool:
        """Whether nothing is said between this line and the next label."""
        if at + 1 >= len(self.candidates) or at > self.spoken[-1]:
            return False
        between = self.text[self.candidates[at].end : self.candidates[at + 1].line]
        return not between.strip() or all(
            is_stage_line(line) or not line.strip() for line in between.split("\n")
        )

    def _utterances(self, marks: Sequence[tuple[Candidate, bool]]) -> tuple[Utterance, ...]:
        text, end_of_all = self.text, self.fenced.end
        made: list[Utterance] = []
        lead_end = marks[0][0].line if marks else end_of_all
        lead = find_lead(text, self.fenced.start, lead_end) if lead_end else None
        if lead is not None and not self._is_labelled(lead):
            made.append(lead)
        for number, (candidate, says) in enumerate(marks):
            last = number + 1 == len(marks)
            end = end_of_all if last else marks[number + 1][0].line
            if not says:
                # what follows a scene line belongs to it, unless the dialogue is yet to begin
                if (
                    not last
                    and end > candidate.end
                    and (rest := find_lead(text, candidate.end, end))
                ):
                    made.append(rest)
                continue
            stop = (
                end_before_closing(text, candidate.start, end)
                if last
                else end_before_heading(text, candidate.start, end, summary=candidate.label.summary)
            )
            said, span = tidy(text, candidate.start, stop, candidate.decor)
            made.append(
                Utterance(candidate.label, said, span, (candidate.line, max(stop, candidate.start)))
            )
        return tuple(made)

    def _is_labelled(self, lead: Utterance) -> bool:
        """Whether loose text begins with a label of unknown meaning: then nobody knows what it "
        "is."""
        return lead.at is not None and any(
            lead.at[0] <= candidate.line <= lead.at[0] + 4 and candidate.form == "colon"
            for candidate in self.candidates[:8]
        )

    def _ends_in_a_label(self, marks: Sequence[tuple[Candidate, bool]]) -> bool:
        """Whether the last line is the beginning of a label ("Yo"), cut before its colon."""
        if not self.spoken:
            return False
        end = self.fenced.end
        tail = self.text[:end].rstrip() if end < len(self.text) else self.text.rstrip()
        line = tail.rfind("\n") + 1
        last = self.candidates[self.spoken[-1]]
        if line <= last.line:
            return False
        piece = tail[line:].strip(_LABEL_LEFTOVER).casefold()
        if not piece:
            return bool(tail[line:].strip("-–—•# \t")) and not is_stage_line(tail[line:])
        return len(piece) <= 24 and any(
            base.replace("\n", " ").startswith(piece) or base.replace("\n", "").startswith(piece)
            for base in self.cast.chosen
        )

    def _intruder(self, speaking: set[int], first_turn: int) -> tuple[str, str, Span] | None:
        """A third speaker: a label set like the speakers' that no vocabulary calls a heading."""
        others = [
            at
            for at in range(first_turn + 1, len(self.candidates))
            if at not in speaking and self.candidates[at].label.kind in SPEAKING
        ]
        if len(speaking) < 2 or not others:
            return None
        names = any(self.candidates[at].label.kind == "name" for at in speaking)
        styles = {_style(self.candidates[at].decor) for at in speaking}
        forms = {self.candidates[at].form for at in speaking}
        previous = -2
        for at in others:
            candidate = self.candidates[at]
            run = (
                at - 1 == previous
                or self._heads_a_list(at, speaking)
                or (
                    at + 1 < len(self.candidates)
                    and at + 1 not in speaking
                    and self.candidates[at + 1].label.kind in {"name", "topic"}
                    and self.candidates[at + 1].label.base != candidate.label.base
                )
            )
            previous = at
            if (
                candidate.form not in forms
                or _style(candidate.decor) not in styles
                or candidate.label.faint
            ):
                continue
            said = self.text[candidate.start : candidate.end].strip()
            if not said or (run and candidate.label.kind == "name"):
                continue
            if (
                names
                or candidate.label.kind != "name"
                or (len(said) > 3 and _MARK_ENDS.search(said[-12:]))
            ):
                place = (candidate.line, candidate.end)
                return (
                    "unknown_speaker",
                    f"a third speaker appears: {candidate.label.base!r}",
                    place,
                )
        return None

    def _heads_a_list(self, at: int, speaking: set[int]) -> bool:
        """Whether the turn above begins with such a heading too ("You: Time: …", "Memory: …")."""
        before = self.candidates[at - 1]
        if at - 1 not in speaking or before.end + 1 != self.candidates[at].line:
            return False
        inner = read_at(self.text, before.start, before.end, self.reader)
        return inner is not None and inner.form == "colon"


def _example(utterances: Sequence[Utterance]) -> tuple[str, str, Span] | None:
    quoted = find_example(utterances)
    if quoted is None or quoted.at is None or quoted.label is None:
        return None
    detail = f"after a colon, {quoted.label.base!r} may begin an example or a turn"
    return "unknown_speaker", detail, quoted.at


def _style(decor: str) -> frozenset[str]:
    marks = frozenset(
        sign for sign in decor if not sign.isdigit() and not sign.isspace() and sign not in ":[]()."
    )
    return marks | {"1"} if any(map(str.isdigit, decor)) else marks
