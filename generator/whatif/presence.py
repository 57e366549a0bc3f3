"""Whether a reject code stands against a sample under other thresholds, told from its measures.

Measures are rounded to four decimals, so one that close to a threshold proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

Presence = Literal["there", "absent", "unchanged", "unknown"]
Measures = Mapping[str, Any]

_ROUNDING = 0.00006


@dataclass(frozen=True, slots=True)
class Doubt:
    """One code of one sample: whether it `has` it now, and the settings before and after."""

    has: bool
    measures: Measures
    old: Mapping[str, Any]
    new: Mapping[str, Any]

    def beyond(self, measure: str, setting: str) -> bool | None:
        """Whether a measure exceeds a new threshold; None when it is too near to tell.

        A measure that is not there was not taken, and then nothing exceeds anything.
        """
        value, most = self.measures.get(measure), self.new[setting]
        if value is None:
            return False
        if isinstance(value, float) and abs(value - most) <= _ROUNDING:
            return None
        return bool(value > most)

    def within(self, measure: str, setting: str) -> bool:
        """Whether a measure surely is at most the new threshold."""
        return self.beyond(measure, setting) is False


def _exactly(measure: str, setting: str) -> Callable[[Doubt], Presence]:
    def rule(doubt: Doubt) -> Presence:
        beyond = doubt.beyond(measure, setting)
        return "unknown" if beyond is None else _presence(beyond)

    return rule


def _presence(there: bool) -> Presence:
    return "there" if there else "absent"


def _kept(doubt: Doubt, *bounds: str) -> Presence:
    """What is there stays when no bound widens; what is not, stays away when none narrows."""
    wider = any(doubt.new[name] > doubt.old[name] for name in bounds)
    narrower = any(doubt.new[name] < doubt.old[name] for name in bounds)
    return "unknown" if (wider if doubt.has else narrower) else "unchanged"


def _short_summary(doubt: Doubt) -> Presence:
    tokens = doubt.measures["summary_tokens"]
    return _presence(0 < tokens < doubt.new["min_summary_tokens"])


def _overlong_summary(doubt: Doubt) -> Presence:
    tokens = doubt.measures["summary_tokens"]
    long_enough = tokens and tokens >= doubt.new["min_summary_tokens"]
    return _presence(bool(long_enough and tokens > doubt.new["max_summary_tokens"]))


def _overlong_turn(doubt: Doubt) -> Presence:
    if "question_tokens_max" not in doubt.measures:
        return "unknown"
    return _presence(
        bool(doubt.beyond("question_tokens_max", "max_question_tokens"))
        or bool(doubt.beyond("answer_tokens_max", "max_answer_tokens"))
    )


def _loop(doubt: Doubt) -> Presence:
    if doubt.beyond("loop_share", "max_loop_share"):
        return "there"
    # The share of a single turn is not measured: only looser bounds leave a sound one sound.
    if "loop" in doubt.old["off"]:
        return "unknown"
    return _kept(doubt, "max_loop_share", "max_run_tokens")


def _echo(doubt: Doubt) -> Presence:
    if doubt.beyond("echo_max", "max_echo") or doubt.beyond(
        "question_answer_overlap_max", "max_question_answer_overlap"
    ):
        return "there"
    # Beyond the old bound one comparison was enough, and the other was not made.
    measured = doubt.measures["echo_max"] < doubt.old["max_echo"] - _ROUNDING or (
        not doubt.has and "echo" not in doubt.old["off"]
    )
    clear = (
        doubt.within("echo_max", "max_echo")
        and doubt.within("question_answer_overlap_max", "max_echo")
        and doubt.within("question_answer_overlap_max", "max_question_answer_overlap")
    )
    return "absent" if measured and clear else "unknown"


def _repeated(code: str, measure: str, similarity: str) -> Callable[[Doubt], Presence]:
    def rule(doubt: Doubt) -> Presence:
        if code in doubt.old["off"]:
            return "unknown"
        if not doubt.has and doubt.within(measure, "max_content_overlap"):
            return "absent"
        return _kept(doubt, "max_content_overlap", similarity)

    return rule


def _ungrounded(doubt: Doubt) -> Presence:
    old, new = doubt.old["min_grounding_units"], doubt.new["min_grounding_units"]
    everything = doubt.measures["pairs"] - doubt.measures["answers_missing"]
    judged_alike = old == new or (new < old and doubt.measures["answers_judged"] == everything)
    least = doubt.measures.get("grounding_min")
    if judged_alike and least is None:
        return "absent"
    if judged_alike and abs(least - doubt.new["min_grounding"]) > _ROUNDING:
        return _presence(least < doubt.new["min_grounding"])
    return "unknown"


def _copied_summary(doubt: Doubt) -> Presence:
    # A summary of less than half the length of the text cannot hold nearly all its words.
    if doubt.measures.get("summary_share", 0.0) < 0.5 - _ROUNDING:
        return "absent"
    if "summary_copies_text" in doubt.old["off"]:
        return "unknown"
    return _kept(doubt, "max_summary_coverage")


def _no_question(doubt: Doubt) -> Presence:
    return _presence(doubt.measures.get("question_share") == 0)


def _too_many_unanswerable(doubt: Doubt) -> Presence:
    if doubt.measures.get("unanswerable_turns") == doubt.measures["pairs"]:
        return "absent"
    return _exactly("unanswerable_share", "max_unanswerable_share")(doubt)


def _leak(doubt: Doubt) -> Presence:
    if doubt.beyond("leaked_numbers", "max_leaked_numbers") or doubt.beyond(
        "leaked_phrases", "max_leaked_phrases"
    ):
        return "there"
    if doubt.measures.get("leaked_units", 0) < doubt.new["min_leaked_units"]:
        return "absent"
    return _exactly("leak_share", "max_leak_share")(doubt)


PRESENCE: Mapping[str, Callable[[Doubt], Presence]] = MappingProxyType(
    {
        "short_summary": _short_summary,
        "overlong_summary": _overlong_summary,
        "overlong_turn": _overlong_turn,
        "no_question": _no_question,
        "loop": _loop,
        "echo": _echo,
        "repeated_question": _repeated(
            "repeated_question", "question_overlap_max", "max_question_similarity"
        ),
        "repeated_answer": _repeated(
            "repeated_answer", "answer_overlap_max", "max_answer_similarity"
        ),
        "example_leak": _exactly("example_leaks", "max_example_leaks"),
        "ungrounded": _ungrounded,
        "summary_copies_text": _copied_summary,
        "leak": _leak,
        "generic_questions": _exactly("generic_questions", "max_generic_questions"),
        "too_many_unanswerable": _too_many_unanswerable,
    }
)
"""The codes whose presence the measures settle, each with its rule."""
