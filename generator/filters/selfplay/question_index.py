"""Which questions of a corpus were asked before, with a few bytes a question."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from parsers.text.content import content_runs
from parsers.text.stems import stem
from parsers.text.stopwords import ENGLISH_STOP_WORDS
from parsers.text.tokens import tokens

_FIRST_SLOTS = 1 << 12
_FULLEST = 0.7
_KEY = (1 << 64) - 1
_MIN_UNITS_WITH_ONE_MORE = 5
"""With five units, one more leaves five of six in common, which is beyond 0.8."""

_PAPER_WORDS = frozenset(
    "paper article text passage document section study author authors please exactly".split()
)
_SYNONYMS = {"怎样": "如何", "怎么": "如何", "为什么": "为何", "哪些": "什么"}
_STOP = ENGLISH_STOP_WORDS | _PAPER_WORDS


class QuestionMatch(NamedTuple):
    """A question that stands earlier: its position in the dialogue, and the dialogue it stood in.

    `dialogue` counts the calls of `remember` from 0. `exact` tells that both have the same content
    units; otherwise the later one has one more.
    """

    question: int
    dialogue: int
    exact: bool


class QuestionIndex:
    """The questions of the dialogues so far, found again by their content units.

    A unit is a content word without its ending, or a character of an unspaced script; function
    words, question marks, order, and "in the paper" make no difference. Guarantee: an earlier
    question is found when it has the same units, or, from five units on, when the later one has
    just one more; another overlap is not found, since one exchanged word makes another question.
    Two different sets of units are taken for one with a chance below n²/2⁶⁵ for n questions
    (one in two million for four million questions).

    Deterministic: the answer depends on the questions and on the order of the calls, on nothing
    else. Memory: 12 bytes a slot, of which between 35 and 70 % are in use, so 17 to 34 bytes a
    question; 100 MB for the four million questions of a million dialogues (150 MB for the moment in
    which the table grows).
    """

    __slots__ = ("_count", "_dialogues", "_keys", "_min_units", "_owners")

    def __init__(self, min_units: int = 3) -> None:
        """`min_units`: questions with fewer units, question words aside, are never compared."""
        self._min_units = min_units
        self._keys = array("Q", bytes(8 * _FIRST_SLOTS))
        self._owners = array("I", bytes(4 * _FIRST_SLOTS))
        self._count = 0
        self._dialogues = 0

    def __len__(self) -> int:
        """How many different questions are remembered."""
        return self._count

    def find(self, questions: Sequence[str]) -> list[QuestionMatch]:
        """The questions that a remembered dialogue asked, in order; nothing is remembered."""
        return self._find([self._units(question) for question in questions])

    def remember(self, questions: Sequence[str]) -> None:
        """Keep the questions of the next dialogue. What is known keeps its first dialogue."""
        self._remember([self._units(question) for question in questions])

    def add(self, questions: Sequence[str]) -> list[QuestionMatch]:
        """`find`, then `remember`: the matches of the next dialogue with those before it."""
        units = [self._units(question) for question in questions]
        matches = self._find(units)
        self._remember(units)
        return matches

    def _find(self, asked: Sequence[list[int]]) -> list[QuestionMatch]:
        matches: list[QuestionMatch] = []
        for position, units in enumerate(asked):
            key = sum(units) & _KEY
            owner = self._owner(key) if units else None
            if owner is not None:
                matches.append(QuestionMatch(position, owner, exact=True))
            elif len(units) > _MIN_UNITS_WITH_ONE_MORE:
                shorter = [self._owner((key - unit) & _KEY) for unit in units]
                owners = [owner for owner in shorter if owner is not None]
                if owners:
                    matches.append(QuestionMatch(position, min(owners), exact=False))
        return matches

    def _remember(self, asked: Sequence[list[int]]) -> None:
        for units in asked:
            if units:
                self._insert(sum(units) & _KEY, self._dialogues)
        self._dialogues += 1

    def _units(self, question: str) -> list[int]:
        words = _content(question)
        if sum(word not in _ASKING for word in words) < self._min_units:
            return []
        return [_hash(word) for word in words]

    def _owner(self, key: int) -> int | None:
        slot = self._slot(key)
        return self._owners[slot] if self._keys[slot] else None

    def _slot(self, key: int) -> int:
        """Where the key stands, or the free slot where it belongs. Zero marks a free slot."""
        mask = len(self._keys) - 1
        key = key or 1
        slot = key & mask
        while self._keys[slot] and self._keys[slot] != key:
            slot = (slot + 1) & mask
        return slot

    def _insert(self, key: int, owner: int) -> None:
        slot = self._slot(key)
        if self._keys[slot]:
            return
        self._keys[slot] = key or 1
        self._owners[slot] = owner
        self._count += 1
        if self._count > _FULLEST * len(self._keys):
            self._grow()

    def _grow(self) -> None:
        keys, owners = self._keys, self._owners
        self._keys = array("Q", bytes(16 * len(keys)))
        self._owners = array(owners.typecode, bytes(8 * len(owners)))
        for key, owner in zip(keys, owners, strict=True):
            if key:
                slot = self._slot(key)
                self._keys[slot], self._owners[slot] = key, owner


_ASKING = frozenset(
    [*map(stem, "what how why which who whom whose when where".split()), *"什么如何为何哪多少"]
)


def _content(question: str) -> set[str]:
    if question.isascii():
        return {stem(word) for word in tokens(question) if word not in _STOP}
    for word, same in _SYNONYMS.items():
        if word in question:
            question = question.replace(word, same)
    words = {
        stem(word)
        for word in tokens(question)
        if (len(word) > 1 or word.isascii()) and word not in _STOP
    }
    for run in content_runs(question):
        words.update(run)
    return words


def asked_about(question: str) -> frozenset[str]:
    """The stems of what a question is about, without the words that only ask."""
    return frozenset(_content(question))


def _hash(word: str) -> int:
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
