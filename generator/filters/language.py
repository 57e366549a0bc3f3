"""What is said, as far as patterns can tell: the language, questions, a model that declines."""

from __future__ import annotations

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, only, rounded
from generator.filters.sample import DialogueSample, place_name
from generator.filters.settings import FilterSettings
from parsers.text.questions import is_question
from parsers.text.refusals import has_declining_words, is_declining, may_decline
from parsers.text.scripts import count_scripts, has_han, has_latin, least_letters

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
    joined, name = sample.joined, _NAMES[sample.lang]
    has_right = has_han if sample.lang == "zh" else has_latin
    # A text cannot have more letters than characters: most dialogues are settled by that.
    least = least_letters(joined, "han" if sample.lang == "zh" else "latin")
    if least < settings.min_language_share * len(joined) or not least:
        counts = count_scripts(joined)
        if counts.letters < settings.min_language_letters:
            return NOTHING_FOUND
        right = counts.han if sample.lang == "zh" else counts.latin
        if right < settings.min_language_share * counts.letters:
            detail = f"only {right / counts.letters:.0%} of the letters are of the script of {name}"
            return only(Reason("filter", "wrong_language", detail))
    for index, seen in sample.texts:
        if has_right(seen.text):
            continue
        if count_scripts(seen.text).letters >= 2 * settings.min_language_letters:
            detail = f"{place_name(index)} has no letter of the script of {name}"
            return only(Reason("filter", "wrong_language", detail, sample.place(index)))
    return NOTHING_FOUND


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
    if sample.joined.isascii() and not (
        has_declining_words(sample.turn_words) or has_declining_words(sample.summary.words)
    ):
        return NOTHING_FOUND
    for index, seen in sample.texts:
        if may_decline(seen) and is_declining(seen.text):
            detail = f"{place_name(index)} declines the task or speaks as a language model"
            return only(Reason("filter", "refusal", detail, sample.place(index)))
    return NOTHING_FOUND
