"""Parts of the prompt that came back in the output: the example, the instruction."""

from __future__ import annotations

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, only
from generator.filters.sample import DialogueSample, place_name
from generator.filters.settings import FilterSettings
from parsers.text.content import TextView
from parsers.text.reference import ReferenceText


def example_leak(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Content of the few-shot example in a dialogue about another text.

    A sign is a coined name or a pair of neighbouring content words that the
    example has and the segment has not (of a pair, neither word). Words that fit
    any paper ("main limitation") give one sign by chance, seldom two.
    """
    example = sample.example
    if example is None:
        return NOTHING_FOUND
    suspects = example.content & sample.unsupported
    signs: set[str] = set()
    place: int | None = None
    missing = sample.missing_answers
    for index, seen in sample.texts:
        foreign = suspects & seen.content
        if not foreign or index in missing:
            continue
        found = example.signs_in(seen.text, seen.tokens, foreign)
        if found and not signs:
            place = index
        signs |= found
    measures = {"example_leaks": len(signs)}
    if len(signs) <= settings.max_example_leaks:
        return FilterResult((), measures)
    shown = ", ".join(f"“{sign}”" for sign in sorted(signs)[:5])
    detail = f"{len(signs)} traces of the example that the text does not have: {shown}"
    return FilterResult((Reason("filter", "example_leak", detail, sample.place(place)),), measures)


def prompt_echo(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """A turn or summary that says the instruction again."""
    instruction = sample.instruction
    if instruction is None or len(instruction.tokens) < settings.min_prompt_echo_tokens:
        return NOTHING_FOUND
    missing = sample.missing_answers
    for index, seen in sample.texts:
        if index in missing or not _may_share(seen, instruction, settings.min_prompt_echo_tokens):
            continue
        shared = _shared_run(seen, instruction, settings.min_prompt_echo_tokens)
        if shared is not None:
            detail = f"{place_name(index)} repeats the instruction: “{shared}”"
            return only(Reason("filter", "prompt_echo", detail, sample.place(index)))
    return NOTHING_FOUND


def _may_share(seen: TextView, instruction: ReferenceText, length: int) -> bool:
    # Ten words in a row hold at least seven different ones; counting sets is cheap.
    different = seen.words if seen.text.isascii() else seen.tokens
    return len(instruction.words.intersection(different)) >= length * 7 // 10


def _shared_run(seen: TextView, instruction: ReferenceText, length: int) -> str | None:
    runs = {instruction.tokens[i : i + length] for i in range(len(instruction.tokens) - length + 1)}
    for i in range(len(seen.tokens) - length + 1):
        run = tuple(seen.tokens[i : i + length])
        if run in runs:
            return " ".join(run)
    return None
