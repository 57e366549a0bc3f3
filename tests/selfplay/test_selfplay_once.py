"""What does not change over a self-play dialogue is worked out once, and changes no outcome."""

from __future__ import annotations

import asyncio
import itertools
import pickle
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import ContentFiltered
from generator.filters.selfplay import asked_about
from generator.recipes import get_recipe
from generator.recipes.model import Answer, Candidate, Item, RecipeSettings
from generator.recipes.selfplay import SelfPlayOptions
from generator.recipes.selfplay.conversation import Conversation, TurnRules
from generator.values import Capabilities, Completion
from parsers.text.content import view
from parsers.text.similarity import jaccard, rouge_l_f

ROLES = ("summarizer", "person", "bot")
TEXT = (
    "The gauge compares each reading with the median of its neighbours. A suspicious value is held "
    "back for a second look. Only one false alarm remained over the week, and the whole system "
    "runs on a single cheap board."
)
ANSWERS = (
    "It compares the reading with the median of its neighbours.",
    "It is held back for a second look.",
    "Only one false alarm remained.",
    "Thank you, goodbye!",
    "As an AI I cannot help with that.",
    "<think>Hm.</think>Bot: It runs on a single cheap board.",
    "",
)
QUESTIONS = (
    "How does the system decide that a reading looks wrong?",
    "How does the system decide that a reading looks very wrong?",
    "What happens to a suspicious value?",
    "What is it for? And who made it?",
    "Person: Where can it run?",
    "The text seems interesting.",
    "Thank you, goodbye!",
    "价格是多少？",
)
SUMMARIES = (
    "The text describes how a system checks sensor readings before an alarm is raised.",
    "Summary: The text is about a gauge that holds suspicious readings back for a second look.",
    "",
)


ITEM = Item(
    "key",
    "P_0",
    "papers.jsonl",
    1,
    {
        "id": "P_0",
        "paper_id": "P",
        "paper_title": "P",
        "text": TEXT,
        "sections": [{"id": "0", "title": "Introduction", "section_type": "introduction"}],
    },
)


def prepared(rounds: int = 4, **options: Any) -> Any:
    recipe = get_recipe("paperpersichat-selfplay")
    chosen = RecipeSettings(options=SelfPlayOptions(rounds=rounds, **options))
    can = Capabilities(prompt_forms=frozenset({"chat"}))
    return recipe.prepare(chosen, dict.fromkeys(ROLES, can))


class Script:
    """Answers a recipe by role, from lists that begin again at their end.

    `breaks_at` is the call for a turn, from 0, that is filtered.
    """

    def __init__(self, breaks_at: int | None = None, **answers: Any) -> None:
        self._left = {role: itertools.cycle(given) for role, given in answers.items()}
        self._breaks_at = breaks_at
        self.calls = self._turns = 0

    async def __call__(self, role: str, **_: Any) -> Answer:
        number, self.calls = self.calls, self.calls + 1
        self._turns += role != "summarizer"
        if self._turns - 1 == self._breaks_at:
            raise ContentFiltered("filtered")
        completion = Completion(next(self._left[role]), finish_reason="stop")
        return Answer(role, f"call{number}", "key", "", completion)


@settings(deadline=None, max_examples=120)
@given(
    st.lists(st.sampled_from(SUMMARIES), min_size=1, max_size=3),
    st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=6),
    st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=6),
    st.none() | st.integers(0, 10),
    st.sampled_from(("reject", "keep")),
)
def test_a_followed_dialogue_is_judged_as_its_stored_answers_are(
    summaries: list[str],
    questions: list[str],
    answers: list[str],
    breaks_at: int | None,
    on_failure: str,
) -> None:
    recipe = prepared(on_failure=on_failure)
    script = Script(breaks_at, summarizer=summaries, person=questions, bot=answers)
    candidate = asyncio.run(recipe.run(ITEM, script))
    stored = Candidate(candidate.answers, candidate.refused, candidate.notes)
    assert recipe.interpret(ITEM, candidate) == recipe.interpret(ITEM, stored)
    moved = pickle.loads(pickle.dumps(candidate))
    assert (type(moved), moved) == (Candidate, stored)


@settings(deadline=None, max_examples=120)
@given(
    st.lists(st.sampled_from(["What", "is", "the", "cache", "size", "of", "a", "block", "缓存"]),
             min_size=3, max_size=9).map(" ".join).flatmap(
        lambda first: st.lists(
            st.lists(st.sampled_from(first.split()), min_size=3, max_size=9).map(" ".join),
            min_size=1, max_size=4,
        )
    )
)  # fmt: skip
def test_a_question_is_compared_with_every_one_before_it(asked: list[str]) -> None:
    rules = TurnRules(rounds=9, retries=9)
    talk = Conversation(rules)
    sound: list[str] = []
    for number, words in enumerate(asked):
        question = f"{words}?"
        talk = talk.take(question)
        views = [(view(question), view(earlier)) for earlier in sound]
        repeats = any(
            rouge_l_f(new.tokens, old.tokens) > rules.max_question_similarity
            and jaccard(asked_about(new.text), asked_about(old.text)) > rules.max_content_overlap
            for new, old in views
        )
        assert (talk.fault is not None and talk.fault.code == "repeated_question") == repeats
        if talk.speaker == "bot":
            sound.append(talk.texts[-1])
            talk = talk.take(f"It is number {number}.")


def functions_run(script: Script, recipe: Any) -> Counter[tuple[str, str]]:
    """How often each function ran while one dialogue was made and judged: module and name."""
    ran: Counter[tuple[str, str]] = Counter()

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            ran[frame.f_globals.get("__name__", ""), frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        candidate = asyncio.run(recipe.run(ITEM, script))
        recipe.interpret(ITEM, candidate)
    finally:
        sys.setprofile(before)
    return ran


def sound_script(rounds: int) -> Script:
    questions = [f"What is said about {name * 4}?" for name in "abcdefghijkl"[:rounds]]
    answers = [f"It is held back for look {number}." for number in range(rounds)]
    return Script(summarizer=SUMMARIES[:1], person=questions, bot=answers)


def test_no_grammar_is_made_for_a_model_that_needs_none() -> None:
    script = sound_script(4)
    ran = functions_run(script, prepared(4))
    assert script.calls == 9
    assert not [name for name in ran if name[0].startswith("generator.grammar")]


@pytest.mark.parametrize(
    ("module", "function", "more"),
    [
        ("prompts.loader", "render", 0),
        ("parsers.utterance.parse", "parse_utterance", 2),
        ("generator.filters.selfplay.question_index", "asked_about", 1),
    ],
)
def test_work_grows_with_the_turns_and_not_with_the_talk(
    module: str, function: str, more: int
) -> None:
    """`more` is how often it runs more for each round, at the most."""
    short = functions_run(sound_script(3), prepared(3))[module, function]
    long = functions_run(sound_script(12), prepared(12))[module, function]
    assert long - short <= 9 * more


def test_a_sound_dialogue_is_accepted_either_way() -> None:
    recipe = prepared(4)
    candidate = asyncio.run(recipe.run(ITEM, sound_script(4)))
    reading = recipe.interpret(ITEM, candidate)
    assert reading.verdict.measures["rounds"] == 4
    assert reading.record is not None
    assert reading == recipe.interpret(ITEM, Candidate(candidate.answers, (), candidate.notes))
