"""What other thresholds make of a sample, as far as its stored reasons and measures prove it.

Every rule is either exact or says that it does not know; the sample is then read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from generator.filters import FilterSettings
from generator.recipes.model import RecipeSettings
from generator.whatif.presence import PRESENCE, Doubt, Measures, Presence

_FILTERS: tuple[tuple[str, ...], ...] = (
    ("wrong_order", "same_speaker_twice", "odd_turn_count", "too_few_turns"),
    ("missing_summary", "short_summary", "overlong_summary"),
    ("empty_turn", "overlong_turn"),
    ("multiple_dialogues", "label_residue", "markup_residue", "placeholder_text", "garbled_text"),
    ("refusal",),
    ("wrong_language",),
    ("no_question",),
    ("loop",),
    ("echo",),
    ("repeated_question",),
    ("repeated_answer",),
    ("example_leak",),
    ("prompt_echo",),
    ("ungrounded",),
    ("summary_copies_text",),
    ("leak",),
    ("generic_questions",),
    ("merged_questions",),
    ("all_unanswerable", "too_many_unanswerable"),
)
"""The codes of the filters in the order in which they are listed; those of one row may mix."""

_RANK = {code: rank for rank, codes in enumerate(_FILTERS) for code in codes}

_CODES: Mapping[str, tuple[str, ...]] = {
    "min_summary_tokens": ("short_summary", "overlong_summary"),
    "max_summary_tokens": ("short_summary", "overlong_summary"),
    "max_summary_coverage": ("summary_copies_text",),
    "max_question_tokens": ("overlong_turn",),
    "max_answer_tokens": ("overlong_turn",),
    "max_loop_share": ("loop",),
    "max_run_tokens": ("loop",),
    "max_echo": ("echo",),
    "max_question_answer_overlap": ("echo",),
    "max_question_similarity": ("repeated_question",),
    "max_content_overlap": ("repeated_question", "repeated_answer"),
    "max_answer_similarity": ("repeated_answer",),
    "min_grounding": ("ungrounded",),
    "min_grounding_units": ("ungrounded",),
    "max_example_leaks": ("example_leak",),
    "min_prompt_echo_tokens": ("prompt_echo",),
    "min_language_share": ("wrong_language",),
    "min_language_letters": ("wrong_language",),
    "max_leak_share": ("leak",),
    "max_leaked_phrases": ("leak",),
    "max_leaked_numbers": ("leak",),
    "min_leaked_units": ("leak",),
    "max_generic_questions": ("generic_questions",),
    "max_unanswerable_share": ("too_many_unanswerable",),
    "min_corpus_units": (),
    "max_corpus_repeats": (),
}
"""The codes of the stage `filter` that a threshold decides. Others decide more, or are unknown."""

_LOOSER_WHEN_LARGER = frozenset(["min_prompt_echo_tokens", "min_language_letters"])
_CALL_CODES = frozenset(["truncated", "refusal", "empty_answer", "content_filter"])

_SELFPLAY_COURSE = frozenset(
    "off min_pairs max_question_similarity max_content_overlap max_question_tokens "
    "max_answer_tokens max_questions_per_turn max_loop_share max_run_tokens min_summary_tokens "
    "max_summary_tokens max_summary_coverage".split()
)
"""Settings that self-play looks at turn by turn: with others the dialogue takes another course."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """What is certain about samples when settings change from `old` to `new`.

    `all_doubtful` says that nothing is. Otherwise `place` tells of one sample; `codes` are
    those of the filters that may come or go.
    """

    all_doubtful: bool
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    codes: tuple[str, ...] = ()

    @property
    def nothing_changes(self) -> bool:
        """No setting differs that could move a sample by itself."""
        same = self.old["min_pairs"] == self.new["min_pairs"] and not self._toggled & _CALL_CODES
        return same and not self.all_doubtful and not self.codes

    def place(self, reasons: Sequence[Mapping[str, Any]], measures: Measures) -> str | None:
        """ "accepted" or the first own reject code under the new settings; None for unknown."""
        if (
            self.all_doubtful
            or self._calls_matter(reasons)
            or self._pairs_matter(reasons, measures)
        ):
            return None
        left = [(str(reason["stage"]), str(reason["code"])) for reason in reasons]
        for code in self.codes if "pairs" in measures else ():
            presence = self._presence(code, ("filter", code) in left, measures)
            if presence == "unknown":
                return None
            if presence == "absent":
                left = [one for one in left if one != ("filter", code)]
            elif presence == "there" and ("filter", code) not in left:
                left.append(("filter", code))
        if _mixed(left, self.codes):
            return None
        left.sort(key=lambda one: _RANK.get(one[1], len(_RANK)) if one[0] == "filter" else -1)
        return left[0][1] if left else "accepted"

    @property
    def _toggled(self) -> frozenset[str]:
        return frozenset(self.old["off"] ^ self.new["off"])

    def _calls_matter(self, reasons: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a reason of the call itself may come or go."""
        if self._toggled & _CALL_CODES & self.old["off"]:
            return True
        return any(
            reason["stage"] in ("call", "prepare") and reason["code"] in self._toggled
            for reason in reasons
        )

    def _pairs_matter(self, reasons: Sequence[Mapping[str, Any]], measures: Measures) -> bool:
        """Whether `min_pairs`, which the parser looks at too, may change the outcome."""
        if self.old["min_pairs"] == self.new["min_pairs"]:
            return False
        if "pairs" in measures:
            return bool(measures["pairs"] < max(self.old["min_pairs"], self.new["min_pairs"]))
        late = ("too_few_turns", "degenerate_repetition", "duplicate_turns")
        return any(r["stage"] == "parse" and r["code"] in late for r in reasons)

    def _presence(self, code: str, has: bool, measures: Measures) -> Presence:
        if code in self.new["off"]:
            return "absent"
        if code in PRESENCE:
            return PRESENCE[code](Doubt(has, measures, self.old, self.new))
        looser, tighter = _directions(code, self.old, self.new)
        known = code not in self.old["off"] and not (looser if has else tighter)
        return "unchanged" if known else "unknown"


def certainty(recipe: str, old: RecipeSettings, new: RecipeSettings) -> Certainty:
    """What stored verdicts of a recipe can tell under new settings; nothing of unknown recipes."""
    before, after = _plain(old), _plain(new)
    changed = {name for name in after if before.get(name) != after[name]}
    selfplay = recipe == "paperpersichat-selfplay"
    known = selfplay or recipe == "paperpersichat-davinci"
    doubtful = (
        not known
        or old.parser != new.parser
        or bool(changed - _CODES.keys() - {"off", "min_pairs"})
        or (selfplay and bool(changed & _SELFPLAY_COURSE))
    )
    codes = {code for name in changed for code in _CODES.get(name, ())}
    codes |= {code for code in before["off"] ^ after["off"] if code in _RANK}
    return Certainty(doubtful, before, after, tuple(sorted(codes)))


def _plain(settings: RecipeSettings) -> dict[str, Any]:
    own = getattr(settings.options, "filters", None)
    values = {} if own is None else {f.name: getattr(own, f.name) for f in fields(own)}
    general = settings.filters
    return values | {f.name: getattr(general, f.name) for f in fields(FilterSettings)}


def _directions(code: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether any threshold of a code became looser, and whether any became tighter."""
    looser = tighter = False
    for name, codes in _CODES.items():
        if code in codes and name in new and old[name] != new[name]:
            larger = new[name] > old[name]
            opens = name.startswith("max_") or name in _LOOSER_WHEN_LARGER
            looser |= larger == opens
            tighter |= larger != opens
    return looser, tighter


def _mixed(left: Sequence[tuple[str, str]], codes: Sequence[str]) -> bool:
    """Whether a code that may have come stands in one row of `_FILTERS` with another code."""
    found = {code for stage, code in left if stage == "filter"}
    for code in found & set(codes):
        row = _FILTERS[_RANK[code]]
        if len(found & set(row)) > 1:
            return True
    return False
