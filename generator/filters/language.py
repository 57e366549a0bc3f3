"""What is said, as far as patterns can tell: the language, questions, a model that declines."""

from __future__ import annotations

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, only, rounded
from generator.filters.sample import DialogueSample, place_name
from generator.filters.settings import FilterSettings
from parsers.text.questions import is_question
from parsers.text.refusals import is_declining, may_decline
from parsers.text.scripts import count_scripts

_NAMES = {"en": "English", "zh": "Chinese"}


def wrong_language(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """A dialogue, or one of its longer turns, written in another script than its language's.

    Knows "en" (Latin) and "zh" (Han); any other language passes. Conservative:
    names, terms and formulas are Latin in any language, so a small share of the
    right script is enough, and a turn is judged only when it has none at all.
    """
    if sample.lang not in _NAMES:
        return NOTHING_FOUND
    if sample.lang == "en" and sample.joined.isascii():
        return NOTHING_FOUND
    texts = [seen.text for _, seen in sample.texts]
    total = right = 0
    foreign: int | None = None
    for i, text in enumerate(texts):
        counts = count_scripts(text)
        good = counts.han if sample.lang == "zh" else counts.latin
        total += counts.letters
        right += good
        if foreign is None and good == 0 and counts.letters >= settings.min_language_letters * 2:
            foreign = i
    if total < settings.min_language_letters:
        return NOTHING_FOUND
    name = _NAMES[sample.lang]
    if right < settings.min_language_share * total:
        detail = f"only {right / total:.0%} of the letters are of the script of {name}"
        return only(Reason("filter", "wrong_language", detail))
    if foreign is None:
        return NOTHING_FOUND
    where = "the summary" if foreign == 0 else f"turn {foreign}"
    place = sample.place(None if foreign == 0 else foreign - 1)
    return only(Reason("filter", "wrong_language", f"{where} has no letter of {name}", place))


def questions_asked(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """At least one person turn must ask; a remark or a thank-you among questions is no fault."""
    turns = [turn.text for turn in sample.dialogue.turns if turn.speaker == "person"]
    if not turns:
        return NOTHING_FOUND
    asked = sum(map(is_question, turns))
    measures = {"question_share": rounded(asked / len(turns))}
    if asked:
        return FilterResult((), measures)
    detail = f"none of the {len(turns)} person turns asks anything"
    return FilterResult((Reason("filter", "no_question", detail),), measures)


def declining(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """A turn or summary in which the model speaks as a model, or declines the task."""
    if not may_decline(sample.joined):
        return NOTHING_FOUND
    for index, seen in sample.texts:
        if is_declining(seen.text):
            detail = f"{place_name(index)} declines the task or speaks as a language model"
            return only(Reason("filter", "refusal", detail, sample.place(index)))
    return NOTHING_FOUND
