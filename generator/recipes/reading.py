"""Reading a one-call dialogue: parser, then filters, then the PaperPersiChat record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.filters import (
    DIALOGUE_FILTERS,
    DialogueSample,
    FilterSettings,
    Reason,
    Verdict,
    call_reasons,
    fingerprint,
    run_filters,
)
from generator.recipes.model import Answer, Candidate, CorpusJudge, Interpretation, Item
from generator.segment_items import segment_from_content
from generator.shapes import paperpersichat_record
from parsers.dialogue import (
    DEFAULT_VOCABULARY,
    Dialogue,
    Rejection,
    Vocabulary,
    parse_dialogue,
    parse_dialogue_original,
)
from parsers.segments import Segment
from parsers.text.reference import ReferenceText

PARSERS = ("dialogsmith", "original")


@dataclass(frozen=True, slots=True)
class DialogueReader:
    """Reads candidates whose single answer holds the whole dialogue."""

    lang: str
    parser: str
    filters: FilterSettings
    example: ReferenceText | None = None
    instruction: ReferenceText | None = None
    vocabulary: Vocabulary = DEFAULT_VOCABULARY

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        if candidate.refused or not candidate.answers:
            reasons = tuple(
                Reason(r["stage"], r["code"], r["detail"]) for r in candidate.refused
            ) or (Reason("call", "empty_answer", "no answer was made"),)
            return Interpretation(Verdict(False, reasons, {}))
        answer = candidate.answers[-1]
        raw = answer.text
        before = self._call_reasons(answer)
        parsed = self._parse(raw, answer.completion.finish_reason)
        if isinstance(parsed, Rejection):
            reason = Reason("parse", parsed.code, parsed.detail, parsed.span)
            partial = None if parsed.partial is None else dialogue_json(parsed.partial)
            return Interpretation(Verdict(False, (*before, reason), {}), parsed=partial)
        segment = segment_from_content(item.content)
        used = used_segment(segment, candidate)
        sample = DialogueSample(
            text=used.text,
            dialogue=parsed,
            lang=self.lang,
            raw=raw,
            example=self.example,
            instruction=self.instruction,
        )
        judged = run_filters(sample, self.filters, DIALOGUE_FILTERS)
        verdict = Verdict(judged.accepted and not before, before + judged.reasons, judged.measures)
        return Interpretation(
            verdict,
            parsed=dialogue_json(parsed),
            record=paperpersichat_record(used, raw, parsed),
            fingerprint=fingerprint(parsed),
        )

    def corpus_judge(self) -> CorpusJudge | None:
        return None

    def _call_reasons(self, answer: Answer) -> tuple[Reason, ...]:
        return tuple(
            replace(r, detail=why_cut(answer) or r.detail) if r.code == "truncated" else r
            for r in call_reasons(answer.completion)
            if r.code not in self.filters.off
        )

    def _parse(self, raw: str, finish_reason: str | None) -> Dialogue | Rejection:
        if self.parser == "original":
            original = parse_dialogue_original(raw)
            return original.rejection or original.dialogue
        return parse_dialogue(
            raw,
            vocabulary=self.vocabulary,
            finish_reason=finish_reason,
            min_pairs=self.filters.min_pairs,
        )


def why_cut(answer: Answer) -> str:
    """What ended a cut-off answer, and what to do: its own cap, or the model's context."""
    used, cap = answer.completion.usage.completion_tokens, answer.cap
    if cap is None:
        return ""
    if used is not None and used < cap:
        return (
            f"the answer ends after {used} tokens, before its cap of {cap}: the context was full; "
            "use shorter segments or a model with a longer context"
        )
    return f"the answer reached its cap of {cap} tokens; --retry-truncated with a larger one helps"


def used_segment(segment: Segment, candidate: Candidate) -> Segment:
    """The segment as the model saw it: without the end that was cut off to fit its context."""
    cut = candidate.notes.get("trimmed_chars", 0)
    return replace(segment, text=segment.text[: len(segment.text) - cut]) if cut else segment


def dialogue_json(dialogue: Dialogue) -> dict[str, object]:
    """A dialogue as JSON: summary, and turns of speaker and text."""
    return {
        "summary": dialogue.summary,
        "turns": [{"speaker": t.speaker, "text": t.text} for t in dialogue.turns],
    }
