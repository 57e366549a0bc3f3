"""What the person says and cannot know: it stands in the text, and nobody said it."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, rounded
from generator.filters.sample import DialogueSample
from generator.filters.selfplay.question_words import (
    CHINESE_QUESTION_CHARACTERS,
    CHINESE_QUESTION_UNITS,
    ENGLISH_QUESTION_WORDS,
    ROUND_NUMBERS,
)
from generator.filters.selfplay.settings import SelfPlayFilterSettings
from parsers.text.content import TextView
from parsers.text.stems import stem
from parsers.text.tokens import tokens


def leak(sample: DialogueSample, settings: SelfPlayFilterSettings) -> FilterResult:
    """Content words, numbers and phrases of the person that stand in the text alone.

    The person has read the summary and heard the answers so far; the words of these (in any
    inflection), function words and the words with which anybody asks about a paper are free.
    Whatever else of a person turn occurs in the text is a leaked unit. It may be a good guess, so
    single ones are measured and not rejected: beyond the thresholds lie many of them, a number, or
    a phrase in the words of the text.
    """
    questions = sample.questions
    if not questions:
        return NOTHING_FOUND
    found = _Found()
    heard: set[str] = set(sample.summary.words)
    heard.update(sample.summary.tokens)
    said: set[str] = set()
    for index, seen in enumerate(sample.turns):
        if sample.dialogue.turns[index].speaker == "person":
            said |= seen.content
            suspects = (seen.content & sample.known) - heard - _FREE
            if suspects:
                leaked = _unheard(suspects, heard)
                if leaked:
                    found.add(index, seen, leaked)
        heard |= seen.words
        heard.update(seen.tokens)
    phrases = found.phrases(sample.text) if found.may_hold_phrases else []
    share = len(found.units) / _telling(said) if found.units else 0.0
    measures: dict[str, float | int | str] = {
        "leaked_units": len(found.units),
        "leak_share": rounded(share),
        "leaked_numbers": len(found.numbers),
        "leaked_phrases": len(phrases),
    }
    faults: list[str] = []
    if len(found.numbers) > settings.max_leaked_numbers:
        faults.append(f"{len(found.numbers)} numbers ({_shown(found.numbers)})")
    if len(phrases) > settings.max_leaked_phrases:
        faults.append(f"{len(phrases)} phrases ({_shown(phrases)})")
    if share > settings.max_leak_share and len(found.units) >= settings.min_leaked_units:
        faults.append(f"{share:.0%} of the content ({_shown(sorted(found.units))})")
    if not faults:
        return FilterResult((), measures)
    detail = f"the person knows from the text alone: {'; '.join(faults)}"
    return FilterResult((Reason("filter", "leak", detail, sample.place(found.first)),), measures)


class _Found:
    """The leaked units of a dialogue, and where they stand."""

    def __init__(self) -> None:
        self.units: set[str] = set()
        self.numbers: list[str] = []
        self.first: int = 0
        self.may_hold_phrases = False
        self._turns: list[tuple[TextView, frozenset[str]]] = []

    def add(self, index: int, seen: TextView, leaked: frozenset[str]) -> None:
        if not self.units:
            self.first = index
        new_numbers = [
            unit
            for unit in sorted(leaked - self.units)
            if unit not in ROUND_NUMBERS and unit[0].isdigit()
        ]
        self.numbers.extend(new_numbers)
        self.units |= leaked
        self._turns.append((seen, leaked))
        self.may_hold_phrases = self.may_hold_phrases or len(leaked) > 1

    def phrases(self, text: str) -> list[str]:
        """Different stretches of the turns that stand in the text word for word."""
        joined = f" {' '.join(tokens(text))} "
        phrases: dict[str, None] = {}
        for seen, leaked in self._turns:
            if len(leaked) > 1:
                for phrase in _phrases(seen.tokens, leaked):
                    if f" {phrase} " in joined:
                        phrases[phrase] = None
        return list(phrases)


def _phrases(found: Sequence[str], leaked: frozenset[str]) -> list[str]:
    """Two leaked words side by side or around a third; four characters of three leaked pairs."""
    phrases: list[str] = []
    pairs = [left + right in leaked for left, right in pairwise(found)]
    taken = 0
    for i in range(len(found) - 1):
        if i < taken:
            continue
        length = 0
        if found[i] in leaked:
            if found[i + 1] in leaked:
                length = 2
            elif i + 2 < len(found) and found[i + 2] in leaked:
                length = 3
        elif all(pairs[i : i + 3]) and i + 3 < len(found):
            length = 4
        if length:
            phrases.append(" ".join(found[i : i + length]))
            taken = i + length
    return phrases


def _telling(said: AbstractSet[str]) -> int:
    """How many of the units say something: no word or seam of any question."""
    return sum(CHINESE_QUESTION_CHARACTERS.isdisjoint(unit) for unit in said - _FREE)


def _unheard(suspects: frozenset[str], heard: AbstractSet[str]) -> frozenset[str]:
    """Those that are no inflection of a heard or free word, and no seam between free characters."""
    return frozenset(
        unit
        for unit in suspects
        if (
            unit not in ROUND_NUMBERS and not _is_inflected(unit, heard)
            if unit.isascii()
            else CHINESE_QUESTION_CHARACTERS.isdisjoint(unit)
        )
    )


def _is_inflected(unit: str, heard: AbstractSet[str]) -> bool:
    root = stem(unit)
    if root in _FREE_STEMS:
        return True
    # A stem is the beginning of its word, and asking for that first is cheap.
    return any(word.startswith(root) and stem(word) == root for word in heard)


def _shown(units: Sequence[str]) -> str:
    return ", ".join(f"“{unit}”" for unit in list(units)[:4])


_FREE = ENGLISH_QUESTION_WORDS | CHINESE_QUESTION_UNITS
_FREE_STEMS = frozenset(stem(word) for word in ENGLISH_QUESTION_WORDS)
