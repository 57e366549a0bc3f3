"""The summary of a segment: whole where the model's context allows, else in parts and joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from generator.errors import ContextOverflow
from generator.filters import DialogueSample, FilterSettings, Reason
from generator.filters.grounding import summary_coverage
from generator.filters.repetition import loops
from generator.filters.structure import lengths
from generator.recipes.model import Answer, Ask
from generator.values import Constraint, Message
from parsers.dialogue import DEFAULT_VOCABULARY, Dialogue, Vocabulary
from parsers.sentences import sentence_spans
from parsers.text.content import view
from parsers.utterance import UtteranceFault, parse_utterance
from prompts import Template

SUMMARIZER = "summarizer"
_MOST_PARTS = 64
_LABEL = re.compile(
    r"\s*(?:[*_#>\s]*)(?:(?:here is|here's|this is|below is)\s.{0,40}?summary.{0,40}?|"
    r"(?:brief |short )?summary(?: of the (?:text|paper|section))?|abstract|tl;dr|"
    r"(?:以下是|这是|下面是).{0,16}?(?:摘要|总结|概要|概述)|(?:文本)?(?:摘要|总结|概要|概述|要約|요약)|"
    r"résumé|zusammenfassung|resumen|резюме|краткое содержание)[*_]*\s*[:：][*_]*\s*",
    re.IGNORECASE,
)

Form = Callable[[str], Constraint | None]
"""What a part's summary must be kept to, for models that need it."""


@dataclass(frozen=True, slots=True)
class SummaryRules:
    """A summary that is empty, cut off, runaway, looping, a fragment or a copy is asked for again.

    The bounds are those of the filters, so that no turn is paid for a summary
    that would be refused in the end.
    """

    retries: int = 2
    lang: str = "en"
    filters: FilterSettings = field(default_factory=FilterSettings)
    vocabulary: Vocabulary = DEFAULT_VOCABULARY


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary, or why there is none, with the answers it rests on and how many parts."""

    text: str
    answers: tuple[Answer, ...] = ()
    parts: int = 1
    fault: Reason | None = None


@dataclass(frozen=True, slots=True)
class _Course:
    """How far the answers lead: the text whose summary is wanted next, or how it ended."""

    wanted: str | None
    attempt: int = 0
    summary: str = ""
    fault: Reason | None = None


async def summarise(
    text: str,
    template: Template,
    ask: Ask,
    rules: SummaryRules,
    form: Form,
    *,
    first_parts: int = 1,
) -> Summary:
    """Ask for the summary; where the text exceeds the context, for those of more and more parts.

    Summaries of parts are joined; a join that is too long is summarised once
    more. Raises `ContextOverflow` when even a small part is too long.
    """
    parts = max(1, first_parts)
    while True:
        try:
            return await _of_parts(text, parts, template, ask, rules, form)
        except ContextOverflow:
            if parts >= _MOST_PARTS or len(split_text(text, parts)) < parts:
                raise
            parts *= 2


async def _of_parts(
    text: str, parts: int, template: Template, ask: Ask, rules: SummaryRules, form: Form
) -> Summary:
    answers: list[Answer] = []
    course = _follow(answers, text, parts, rules)
    while course.wanted is not None:
        message = Message("user", template.render(text=course.wanted).rstrip("\n"))
        answers.append(
            await ask(
                SUMMARIZER,
                messages=(message,),
                constraint=form(course.wanted),
                sample=course.attempt,
            )
        )
        course = _follow(answers, text, parts, rules)
    return Summary(course.summary, tuple(answers), parts, course.fault)


def read_summaries(
    answers: Sequence[Answer], text: str, parts: int, rules: SummaryRules
) -> Summary:
    """What stored answers give: pure, and the same as when they were asked for."""
    course = _follow(answers, text, parts, rules)
    fault = course.fault
    if course.wanted is not None and fault is None:
        fault = Reason("parse", "missing_summary", "the summary was not finished")
    return Summary(course.summary, tuple(answers), parts, fault)


def _follow(answers: Sequence[Answer], text: str, parts: int, rules: SummaryRules) -> _Course:
    """Read the answers one after another: each part until it has a sound summary, then the join."""
    left = iter(answers)
    found: list[str] = []
    for part in split_text(text, parts):
        got = _take(left, part, rules)
        if got.wanted is not None or got.fault is not None:
            return got
        found.append(got.summary)
    joined = "\n".join(found)
    if len(found) > 1 and len(view(joined).tokens) > rules.filters.max_summary_tokens:
        return _take(left, joined, rules)
    return _Course(None, summary=joined)


def _take(left: Iterator[Answer], part: str, rules: SummaryRules) -> _Course:
    fault: Reason | None = None
    for attempt in range(rules.retries + 1):
        answer = next(left, None)
        if answer is None:
            return _Course(part, attempt)
        summary, fault = read_summary(answer.text, answer.completion.finish_reason, part, rules)
        if fault is None:
            return _Course(None, summary=summary)
    return _Course(None, fault=fault)


def read_summary(
    raw: str, finish_reason: str | None, text: str, rules: SummaryRules
) -> tuple[str, Reason | None]:
    """One summary of `text` without think-blocks, labels and quotes; or why it cannot be used."""
    parsed = parse_utterance(raw, "bot", vocabulary=rules.vocabulary, finish_reason=finish_reason)
    if isinstance(parsed, UtteranceFault):
        if parsed.code in ("empty", "only_thinking"):
            return "", Reason("parse", "missing_summary", f"the summary: {parsed.detail}")
        return "", Reason("turn", parsed.code, f"the summary: {parsed.detail}")
    summary = clean_summary(parsed.text)
    return summary, summary_fault(summary, text, rules)


def clean_summary(text: str) -> str:
    """The summary without a label or preface of its own ("Summary:", "以下是摘要：")."""
    stripped = text.strip()
    label = _LABEL.match(stripped)
    rest = stripped[label.end() :].strip() if label is not None else ""
    return rest or stripped


def summary_fault(summary: str, text: str, rules: SummaryRules) -> Reason | None:
    """The first thing the filters would hold against this summary of `text`."""
    sample = DialogueSample(text=text, dialogue=Dialogue(summary, ()), lang=rules.lang)
    for check in (lengths, summary_coverage, loops):
        for reason in check(sample, rules.filters).reasons:
            if reason.code not in rules.filters.off:
                return reason
    return None


def split_text(text: str, parts: int) -> tuple[str, ...]:
    """The text in about equal parts at ends of sentences; joined they are the text again."""
    if parts <= 1:
        return (text,)
    ends = [end for _, end in sentence_spans(text)]
    cuts: list[int] = []
    for number in range(1, parts):
        wanted = len(text) * number // parts
        later = [end for end in ends if end >= wanted and (not cuts or end > cuts[-1])]
        if later and later[0] < len(text):
            cuts.append(later[0])
    edges = [0, *dict.fromkeys(cuts), len(text)]
    return tuple(text[a:b] for a, b in pairwise(edges) if a < b)
