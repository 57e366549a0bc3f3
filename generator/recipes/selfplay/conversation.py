"""The course of a self-play dialogue as a pure state machine.

The recipe asks what it wants next and feeds it the raw answers; reading a
stored dialogue feeds it the same answers again. Both end in the same state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from generator.recipes.selfplay.questions import AskedQuestion
from parsers.dialogue import DEFAULT_VOCABULARY, Speaker, Turn, Vocabulary
from parsers.text.tokens import tokens
from parsers.utterance import (
    UtteranceFault,
    is_farewell,
    parse_utterance,
    question_count,
)

State = Literal["open", "finished", "failed"]

TURN_CODES: Mapping[str, str] = MappingProxyType(
    {
        "no_question": "The person asks nothing.",
        "merged_questions": "The person asks more than one question at once.",
        "repeated_question": "The person asks what was asked before.",
        "overlong_turn": "The turn is longer than `max_question_tokens` or `max_answer_tokens`.",
        "cut_short": "The dialogue ends before its last turn.",
    }
)
"""Codes of a turn that was understood and cannot stand; `UTTERANCE_CODES` has the others."""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """`rounds` of question and answer; a faulty turn is asked again `retries` times.

    A question is a repetition when it is near another by both bounds: ROUGE-L F1
    (Self-Instruct's 0.7) and overlap of content units. Codes in `off` are no fault.
    """

    rounds: int = 4
    retries: int = 2
    max_question_similarity: float = 0.7
    max_content_overlap: float = 0.8
    max_question_tokens: int = 120
    max_answer_tokens: int = 512
    max_questions: int = 1
    off: frozenset[str] = frozenset()
    vocabulary: Vocabulary = DEFAULT_VOCABULARY


@dataclass(frozen=True, slots=True)
class TurnFault:
    """Why a turn cannot stand as it came."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A dialogue under way, begun without turns; `take` leads from one state to the next.

    `attempt` counts the tries of the turn that comes next. `asked` are the questions among the
    turns.
    """

    rules: TurnRules
    turns: tuple[Turn, ...] = ()
    attempt: int = 0
    fault: TurnFault | None = None
    retried: int = 0
    state: State = "open"
    ended_by: str = ""
    asked: tuple[AskedQuestion, ...] = field(default=(), repr=False, compare=False)

    @property
    def speaker(self) -> Speaker:
        """Whose turn it is."""
        return "person" if len(self.turns) % 2 == 0 else "bot"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(turn.text for turn in self.turns)

    @property
    def finished_rounds(self) -> int:
        return len(self.turns) // 2

    def take(self, raw: str, finish_reason: str | None = None) -> Conversation:
        """The state after one raw answer of the role whose turn it is."""
        if self.state != "open":
            raise ValueError(f"the conversation is {self.state}")
        speaker = self.speaker
        parsed = parse_utterance(
            raw,
            speaker,
            vocabulary=self.rules.vocabulary,
            finish_reason=finish_reason,
            heard=self.turns[-1].text if self.turns else None,
        )
        if isinstance(parsed, UtteranceFault):
            return self._faulty(TurnFault(parsed.code, parsed.detail))
        text = parsed.text
        if speaker == "bot":
            fault = self._answer_fault(text)
            if fault is not None:
                return self._faulty(fault)
            if is_farewell(text) and not question_count(text):
                return self._farewell()
            return self._with(text, self.asked)
        question = AskedQuestion(text)
        questions = question_count(text)
        if not questions and is_farewell(text):
            return self._farewell()
        fault = self._question_fault(question, questions)
        if fault is not None:
            return self._faulty(fault)
        return self._with(text, (*self.asked, question))

    def _with(self, text: str, asked: tuple[AskedQuestion, ...]) -> Conversation:
        turns = (*self.turns, Turn(self.speaker, text))
        done = len(turns) >= 2 * self.rules.rounds
        return Conversation(
            self.rules,
            turns,
            retried=self.retried,
            state="finished" if done else "open",
            ended_by="rounds" if done else "",
            asked=asked,
        )

    def cut_short(self, by: str) -> Conversation:
        """The same dialogue ended here, without a question that nobody answered."""
        rounds = self.finished_rounds
        return replace(
            self,
            turns=self.turns[: 2 * rounds],
            asked=self.asked[:rounds],
            state="finished",
            fault=None,
            ended_by=by,
        )

    def _faulty(self, fault: TurnFault) -> Conversation:
        attempt = self.attempt + 1
        return replace(
            self,
            attempt=attempt,
            retried=self.retried + 1,
            fault=fault,
            state="failed" if attempt > self.rules.retries else "open",
        )

    def _farewell(self) -> Conversation:
        if not self.turns:
            return self._faulty(TurnFault("no_question", "the person takes leave at once"))
        return self.cut_short("farewell")

    def _answer_fault(self, text: str) -> TurnFault | None:
        size = len(tokens(text))
        if size > self.rules.max_answer_tokens and "overlong_turn" not in self.rules.off:
            return TurnFault("overlong_turn", f"the answer has {size} tokens")
        return None

    def _question_fault(self, question: AskedQuestion, questions: int) -> TurnFault | None:
        """What speaks against it first; where that is no fault by the rules, nothing does."""
        fault = self._first_fault(question, questions)
        return None if fault is not None and fault.code in self.rules.off else fault

    def _first_fault(self, question: AskedQuestion, questions: int) -> TurnFault | None:
        rules = self.rules
        if questions == 0:
            return TurnFault("no_question", "the person asks nothing")
        if questions > rules.max_questions:
            return TurnFault("merged_questions", f"the person asks {questions} questions at once")
        size = len(question.tokens)
        if size > rules.max_question_tokens:
            return TurnFault("overlong_turn", f"the question has {size} tokens")
        for earlier in self.asked:
            if question.repeats(earlier, rules.max_question_similarity, rules.max_content_overlap):
                return TurnFault("repeated_question", f"asked before: {earlier.text[:120]}")
        return None
