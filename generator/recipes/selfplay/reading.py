"""Reading a self-play dialogue from its stored answers: its course, then filters and record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.filters import (
    DIALOGUE_FILTERS,
    DialogueSample,
    FilterSettings,
    Reason,
    Verdict,
    fingerprint,
    run_filters,
)
from generator.filters.model import FilterResult
from generator.filters.selfplay import (
    QuestionIndex,
    SelfPlayFilterSettings,
    repeated_in_corpus,
    selfplay_filters,
)
from generator.recipes.model import Candidate, CorpusJudge, Interpretation, Item
from generator.recipes.reading import used_segment
from generator.recipes.selfplay.conversation import Conversation, TurnRules
from generator.recipes.selfplay.course import FollowedCandidate
from generator.recipes.selfplay.summary import SUMMARIZER, SummaryRules, read_summaries
from generator.segment_items import segment_from_content
from generator.shapes import paperpersichat_record
from parsers.dialogue import Dialogue
from parsers.segments import Segment


@dataclass(frozen=True, slots=True)
class SelfPlayReader:
    """Parser and filters of the self-play recipe."""

    lang: str
    filters: FilterSettings
    selfplay: SelfPlayFilterSettings
    turn_rules: TurnRules
    summary_rules: SummaryRules
    keep_cut_short: bool
    min_rounds: int

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        segment = segment_from_content(item.content)
        refused = tuple(Reason(r["stage"], r["code"], r["detail"]) for r in candidate.refused)
        if isinstance(candidate, FollowedCandidate):
            summary: str | Reason = candidate.summary
            talk = candidate.talk
        else:
            summary = self._summary(candidate, segment.text)
            talk = self._talk(candidate)
        if isinstance(summary, Reason):
            return Interpretation(Verdict(False, refused or (summary,), {}))
        if refused or talk.state != "finished":
            if self.keep_cut_short and talk.finished_rounds >= self.min_rounds:
                talk = talk.cut_short(refused[0].code if refused else _code(talk))
            else:
                partial = _parsed(summary, talk)
                return Interpretation(
                    Verdict(False, refused or (_turn_reason(talk),), _measures(talk)), partial
                )
        return self._judged(used_segment(segment, candidate), summary, talk)

    def corpus_judge(self) -> CorpusJudge | None:
        """Near-duplicate questions over the corpus; the first dialogue keeps its questions."""
        index = QuestionIndex(self.selfplay.min_corpus_units)
        names: list[str] = []

        def judge(name: str, parsed: Mapping[str, Any]) -> FilterResult:
            questions = [t["text"] for t in parsed["turns"] if t["speaker"] == "person"]
            matches = index.add(questions)
            names.append(name)
            earlier = [names[match.dialogue] for match in matches]
            return repeated_in_corpus(questions, matches, self.selfplay, earlier)

        return judge

    def _judged(self, segment: Segment, summary: str, talk: Conversation) -> Interpretation:
        dialogue = Dialogue(summary, talk.turns)
        sample = DialogueSample(text=segment.text, dialogue=dialogue, lang=self.lang)
        filters = (*DIALOGUE_FILTERS, *selfplay_filters(self.selfplay))
        judged = run_filters(sample, self.filters, filters)
        measures = {**judged.measures, **_measures(talk)}
        return Interpretation(
            Verdict(judged.accepted, judged.reasons, measures),
            parsed=_parsed(summary, talk),
            record=paperpersichat_record(segment, "\n".join(talk.texts), dialogue),
            fingerprint=fingerprint(dialogue),
        )

    def _summary(self, candidate: Candidate, text: str) -> str | Reason:
        ready = candidate.notes.get("summary")
        if isinstance(ready, str):
            return ready
        answers = [a for a in candidate.answers if a.role == SUMMARIZER]
        parts = candidate.notes.get("summary_parts", 1)
        found = read_summaries(answers, text, parts, self.summary_rules)
        return found.text if found.fault is None else found.fault

    def _talk(self, candidate: Candidate) -> Conversation:
        talk = Conversation(self.turn_rules)
        for answer in candidate.answers:
            if answer.role == SUMMARIZER:
                continue
            if talk.state != "open" or answer.role != talk.speaker:
                break
            talk = talk.take(answer.text, answer.completion.finish_reason)
        return talk


def _turn_reason(talk: Conversation) -> Reason:
    turn = len(talk.turns) + 1
    if talk.fault is None:
        return Reason("turn", "cut_short", f"the dialogue ends before turn {turn}")
    return Reason(
        "turn",
        talk.fault.code,
        f"turn {turn} ({talk.speaker}), asked {talk.attempt} times: {talk.fault.detail}",
    )


def _code(talk: Conversation) -> str:
    return talk.fault.code if talk.fault is not None else "cut_short"


def _measures(talk: Conversation) -> dict[str, Any]:
    return {
        "rounds": talk.finished_rounds,
        "retried_turns": talk.retried,
        "ended_by": talk.ended_by or talk.state,
    }


def _parsed(summary: str, talk: Conversation) -> dict[str, Any]:
    return {
        "summary": summary,
        "turns": [{"speaker": t.speaker, "text": t.text} for t in talk.turns],
    }
