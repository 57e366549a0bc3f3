"""Reads a dialogue written as lines of text, each turn after its label."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .edges import tidy
from .fences import Fenced, look_at_fences
from .frame import is_closing, is_heading, is_preamble, is_prompt_echo, is_stage_line
from .inline import find_inline
from .labels import ROLE_WORDS, SIDES, SPEAKING, LabelReader, merge_labels
from .lines import Candidate, Form, find_candidates, read_at
from .model import Span
from .speakers import Cast, find_cast, settle_letters
from .utterance import Reading, Utterance

_FORMS: tuple[Form, ...] = ("colon", "bracket", "own", "dash", "dotted")
_MARK_ENDS = re.compile(r"[.!?。！？…\"”」)）]\W*$")
_LABEL_LEFTOVER = " \t*_#>`~-–—•[【(<"


def read_plain(text: str, reader: LabelReader) -> Reading | None:
    """The utterances of `text`, or None when it names no speakers and no summary."""
    fenced = _within_quotes(text, look_at_fences(text))
    candidates = find_candidates(text, reader, ())
    if fenced.pairs:
        fenced = fenced.around([c.line for c in candidates if c.label.kind != "topic"])
        candidates = [
            c
            for c in candidates
            if fenced.start <= c.line < fenced.end and not fenced.hides(c.line)
        ]
    candidates = [_with_second_label(text, c, reader) for c in candidates]
    _settle(candidates)
    cast, usable = _cast_of(candidates)
    if len(cast.chosen) < 2 and (inline := find_inline(text, reader, fenced.start, fenced.end)):
        inline = [_with_second_label(text, c, reader) for c in inline]
        _settle(inline)
        inline_cast, inline_usable = _cast_of(inline)
        if len(inline_cast.chosen) == 2:
            candidates, cast, usable = inline, inline_cast, inline_usable
    if not cast.chosen and not any(c.label.summary for c in candidates):
        return None
    return _Assembly(text, candidates, cast, usable, fenced, reader).reading()


def peel_label(one: Utterance, reader: LabelReader) -> Utterance:
    """Take a label off the text of an utterance that has one already: "Summary: …" by "You"."""
    text = one.text
    if one.label is None or (":" not in text[:40] and "：" not in text[:40] and text[:1] not in "([【（"):
        return one
    second = None if text[:4].casefold() == "the " else read_at(text, 0, len(text), reader)
    if second is None or second.form not in {"colon", "bracket"} or second.start >= len(text):
        return one
    merged = merge_labels(one.label, second.label)
    if merged is None:
        return one
    return one._replace(label=merged, text=text[second.start :], span=None)


def read_lead(text: str, end: int, reader: LabelReader) -> tuple[Utterance, ...]:
    """What comes before a dialogue in tags, JSON or a table: a labelled summary, or loose text."""
    before = text[:end]
    if not before.strip():
        return ()
    reading = read_plain(before, reader)
    if reading is not None:
        said = [one for one in reading.utterances if one.label is not None]
        return (said[0],) if said and said[0].label is not None and said[0].label.summary else ()
    loose = _Assembly(before, (), Cast((), frozenset()), frozenset(), look_at_fences(before), reader)
    lead = loose.lead(0, end)
    return () if lead is None else (lead,)


def _within_quotes(text: str, fenced: Fenced) -> Fenced:
    """Leave out a pair of quotation marks around the whole output."""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    pair = text[start : start + 1] + text[end - 1 : end]
    if pair not in {'""', "“”"} or end - start < 3 or f"\n{pair[0]}" in text:
        return fenced
    return Fenced(start + 1, end - 1, fenced.pairs) if fenced.end == len(text) else fenced


def _settle(candidates: list[Candidate]) -> None:
    labels = settle_letters([c.label for c in candidates])
    for at, (candidate, label) in enumerate(zip(candidates, labels, strict=True)):
        if candidate.label is not label:
            candidates[at] = candidate._replace(label=label)


def _cast_of(candidates: Sequence[Candidate]) -> tuple[Cast, frozenset[int]]:
    """The speakers, and which candidates are written in the form the dialogue uses."""
    if (plainly := _plain_cast(candidates)) is not None:
        return plainly
    summarised = any(c.label.summary for c in candidates)
    best: tuple[Cast, frozenset[int]] = (Cast((), frozenset()), frozenset())
    speaking = [at for at, c in enumerate(candidates) if c.label.kind in SPEAKING]
    forms = {candidates[at].form for at in speaking}
    ways: list[Collection[Form]] = [(form,) for form in _FORMS if form in forms]
    if len(forms) > 1:
        ways.append(forms)
    for way in ways:
        usable = frozenset(at for at in speaking if candidates[at].form in way)
        chosen = [candidates[at].label for at in sorted(usable)]
        cast = find_cast(chosen, structured=False, summarised=summarised)
        if len(cast.chosen) >= 2:
            return cast, usable
        if len(cast.chosen) > len(best[0].chosen):
            best = cast, usable
    return best


def _plain_cast(candidates: Sequence[Candidate]) -> tuple[Cast, frozenset[int]] | None:
    """The common case: every label is a word with a role, without number, before a colon."""
    keys: list[str] = []
    usable: list[int] = []
    sides: set[str] = set()
    for at, candidate in enumerate(candidates):
        label = candidate.label
        if label.kind == "summary":
            continue
        if candidate.form != "colon" or label.ident or label.kind not in ROLE_WORDS:
            return None
        keys.append(label.base)
        usable.append(at)
        sides.add(SIDES[label.kind])
    if len(sides) < 2:
        return None
    return Cast(tuple(keys), frozenset(keys)), frozenset(usable)


def _with_second_label(text: str, candidate: Candidate, reader: LabelReader) -> Candidate:
    """Take "You: Summary: …", "Person: Question 1: …", "Turn 1: Person: …" for one label."""
    label = candidate.label
    if label.kind == "topic" or candidate.start >= candidate.end:
        return candidate
    for _ in range(2):
        start = candidate.start
        if (
            text.find(":", start, start + 40) < 0
            and text.find("：", start, start + 40) < 0
            and (text[start : start + 1] not in "([【（")
        ):
            return candidate
        if text[start : start + 4].casefold() == "the ":
            return candidate
        second = read_at(text, start, candidate.end, reader)
        if second is None or second.form not in {"colon", "bracket"}:
            return candidate
        if second.form == "bracket" and second.start >= second.end:
            return candidate
        merged = merge_labels(candidate.label, second.label)
        if merged is None:
            return candidate
        candidate = candidate._replace(label=merged, start=second.start)
    return candidate


class _Assembly:
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
                if at > first_turn and at < last_turn:
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
            elif kind in {"narration", "header"} and (
                at < first_turn or self._leads_to_a_label(at)
            ):
                marks.append((candidate, False))
        utterances = self._utterances(marks)
        if fault is None:
            fault = self._intruder(speaking, first_turn)
        code, detail, place_or_none = fault if fault else (None, "", None)
        return Reading(
            utterances, code, detail, place_or_none, doubtful_end=self._ends_in_a_label(marks)
        )

    def _begins_paragraph(self, candidate: Candidate) -> bool:
        before = self.text[max(0, candidate.line - 40) : candidate.line]
        return "\n\n" in before[-8:].replace(" ", "").replace("\t", "") or not before.strip()

    def _leads_to_a_label(self, at: int) -> bool:
        """Whether nothing but space lies between this line and the next label that counts."""
        following = next((one for one in self.spoken if one > at), None)
        if following is None:
            return False
        between = self.text[self.candidates[at].end : self.candidates[following].line]
        return not between.strip() or all(
            is_stage_line(line) or not line.strip() for line in between.split("\n")
        )

    def _utterances(self, marks: Sequence[tuple[Candidate, bool]]) -> tuple[Utterance, ...]:
        text, end_of_all = self.text, self.fenced.end
        made: list[Utterance] = []
        lead_end = marks[0][0].line if marks else end_of_all
        lead = self.lead(self.fenced.start, lead_end)
        if lead is not None:
            made.append(lead)
        for number, (candidate, says) in enumerate(marks):
            last = number + 1 == len(marks)
            end = end_of_all if last else marks[number + 1][0].line
            if not says:
                # what follows a scene line belongs to it, unless the dialogue is yet to begin
                if not last and end > candidate.end and (rest := self.lead(candidate.end, end)):
                    made.append(rest)
                continue
            stop = (
                self._before_closing(candidate, end)
                if last
                else self._before_heading(candidate, end)
            )
            said, span = tidy(text, candidate.start, stop, candidate.decor)
            made.append(
                Utterance(candidate.label, said, span, (candidate.line, max(stop, candidate.start)))
            )
        return tuple(made)

    def lead(self, start: int, end: int) -> Utterance | None:
        """What comes before the first label, without announcements, headings and rules."""
        if not self.text[start:end].strip():
            return None
        kept: list[Span] = []
        position = start
        for block in self.text[start:end].split("\n\n"):
            stop = position + len(block)
            lines = [line for line in block.split("\n") if line.strip()]
            while lines and (is_heading(lines[0]) or is_stage_line(lines[0])):
                position += block.find(lines[0]) + len(lines[0])
                lines.pop(0)
                block = self.text[position:stop]
            if lines and not is_preamble(" ".join(lines)) and not is_prompt_echo(" ".join(lines)):
                kept.append((position, stop))
            position = stop + 2
        if not kept:
            return None
        said, span = tidy(self.text, kept[0][0], kept[-1][1])
        return Utterance(None, said, span, (kept[0][0], kept[-1][1])) if said else None

    def _before_heading(self, candidate: Candidate, end: int) -> int:
        """Leave out a heading or an announcement that leads to the next label."""
        newline = self.text.find("\n", candidate.end, end)
        if newline < 0 or not self.text[newline:end].strip():
            return end
        stop = end
        while True:
            chunk_end = len(self.text[candidate.start : stop].rstrip()) + candidate.start
            line = self.text.rfind("\n", candidate.end, chunk_end) + 1
            if line <= candidate.end or line <= candidate.start:
                return stop
            content = self.text[line:chunk_end]
            announces = (
                content.rstrip()[-1:] in ":："
                and is_preamble(content)
                and (candidate.label.summary and len(content) < 120)
            )
            if not (announces or content.lstrip().startswith("#")):
                return stop
            stop = line

    def _before_closing(self, candidate: Candidate, end: int) -> int:
        """Leave out what follows the last turn and speaks about the dialogue."""
        position = self.text.find("\n", candidate.start, end)
        if candidate.start >= candidate.end:
            # the label had its line to itself, so its text begins on the next one
            while 0 <= position < end and self.text[position].isspace():
                position += 1
            position = self.text.find("\n", position, end) if position >= 0 else -1
        blank = False
        while 0 <= position < end:
            begin = position + 1
            position = self.text.find("\n", begin, end)
            line = self.text[begin : position if position >= 0 else end]
            if not line.strip():
                blank = True
                continue
            if is_closing(line, after_blank=blank):
                return begin
            blank = False
        return end

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
        if len(speaking) < 2:
            return None
        names = any(self.candidates[at].label.kind == "name" for at in speaking)
        styles = {_style(self.candidates[at].decor) for at in speaking}
        forms = {self.candidates[at].form for at in speaking}
        previous = -2
        for at, candidate in enumerate(self.candidates):
            if at <= first_turn or at in speaking or candidate.label.kind not in SPEAKING:
                continue
            run = at - 1 == previous or self._heads_a_list(at, speaking) or (
                at + 1 < len(self.candidates)
                and at + 1 not in speaking
                and self.candidates[at + 1].label.kind in {"name", "topic"}
                and self.candidates[at + 1].label.base != candidate.label.base
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


def _style(decor: str) -> frozenset[str]:
    return frozenset(
        sign for sign in decor if not sign.isdigit() and not sign.isspace() and sign not in ":[]()."
    )
