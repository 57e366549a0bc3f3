"""The summary of a segment: whole where the model's context allows, else in parts and joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.errors import ContextOverflow
from generator.recipes.model import Answer, Ask
from generator.values import Constraint, Message
from parsers.sentences import sentence_spans
from parsers.text.content import view
from parsers.utterance import UtteranceFault, parse_utterance
from prompts import Template

SUMMARIZER = "summarizer"
_MOST_PARTS = 64


@dataclass(frozen=True, slots=True)
class SummaryRules:
    """A summary that is empty, cut off or longer than `max_tokens` is asked for again."""

    retries: int = 2
    max_tokens: int = 400


@dataclass(frozen=True, slots=True)
class SummaryFault:
    """Why no summary could be had."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary, or why there is none, with the answers it rests on and how many parts."""

    text: str
    answers: tuple[Answer, ...] = ()
    parts: int = 1
    fault: SummaryFault | None = None


Form = Callable[[str], Constraint | None]
"""What a part's summary must be kept to, for models that need it."""


async def summarise(
    text: str, template: Template, ask: Ask, rules: SummaryRules, form: Form
) -> Summary:
    """Ask for the summary; where the text exceeds the context, for those of more and more parts.

    Raises `ContextOverflow` when even a small part is too long for the model.
    """
    parts = 1
    while True:
        try:
            return await _of_parts(split_text(text, parts), template, ask, rules, form)
        except ContextOverflow:
            if parts >= _MOST_PARTS or len(split_text(text, parts)) < parts:
                raise
            parts *= 2


async def _of_parts(
    parts: Sequence[str], template: Template, ask: Ask, rules: SummaryRules, form: Form
) -> Summary:
    answers: list[Answer] = []
    for part in parts:
        message = Message("user", template.render(text=part).rstrip("\n"))
        for sample in range(rules.retries + 1):
            answers.append(
                await ask(SUMMARIZER, messages=(message,), constraint=form(part), sample=sample)
            )
            read = read_summaries(answers, len(parts), rules)
            if read.fault is None or read.fault.code != "summary_again":
                break
        if read.fault is not None and read.fault.code != "summary_missing":
            return read
    return read


def read_summaries(answers: Sequence[Answer], parts: int, rules: SummaryRules) -> Summary:
    """What the answers so far give, part by part: pure, the same at resume and at refilter.

    The fault `summary_missing` says that a further part is wanted, `summary_again`
    that the last one is to be asked for again; any other is final.
    """
    texts: list[str] = []
    faulty = 0
    for answer in answers:
        text, fault = read_summary(answer.text, answer.completion.finish_reason, rules)
        if fault is None:
            texts.append(text)
            faulty = 0
            continue
        faulty += 1
        if faulty > rules.retries:
            return Summary("", tuple(answers), parts, fault)
    if faulty:
        return Summary("", tuple(answers), parts, SummaryFault("summary_again", ""))
    if len(texts) < parts:
        return Summary("", tuple(answers), parts, SummaryFault("summary_missing", ""))
    return Summary("\n".join(texts), tuple(answers), parts)


def read_summary(
    raw: str, finish_reason: str | None, rules: SummaryRules
) -> tuple[str, SummaryFault | None]:
    """One summary, cleaned of think-blocks, labels and quotes; or why it cannot be used."""
    parsed = parse_utterance(raw, "bot", finish_reason=finish_reason)
    if isinstance(parsed, UtteranceFault):
        code = "missing_summary" if parsed.code in ("empty", "only_thinking") else parsed.code
        return "", SummaryFault(code, f"the summary: {parsed.detail}")
    size = len(view(parsed.text).tokens)
    if size > rules.max_tokens:
        detail = f"the summary has {size} tokens, at most {rules.max_tokens} are allowed"
        return "", SummaryFault("overlong_summary", detail)
    return parsed.text, None


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
