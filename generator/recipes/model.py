"""What a recipe is: the steps from one input item to one candidate, and how to read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from generator.filters.model import FilterResult, FilterSettings, Verdict
from generator.recipes.parser_words import ParserWords
from generator.values import Capabilities, Completion, Constraint, Message, Sampling
from parsers.segments import SegmentRule


@dataclass(frozen=True, slots=True)
class RoleSpec:
    """A role of a recipe: what it does, and the sampling the source published for it.

    `switch` names the option of the recipe (true or false) without which the role
    is not asked, and needs no model; None for a role that is always needed.
    """

    name: str
    does: str
    sampling: Sampling
    switch: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One unit of work. `key` is the SHA-256 of its content, `id` what people read.

    `content` is JSON-ready: the recipe that made it reads it back from the store.
    """

    key: str
    id: str
    source: str
    line: int | None
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in the inputs that gives no item, and why."""

    source: str
    line: int | None
    id: str | None
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class StillReading:
    """A sign of life of a recipe that reads all its inputs before it gives the first item."""

    documents: int


@dataclass(frozen=True, slots=True)
class Answer:
    """One model answer a candidate is made of.

    `opening` is the part of the answer that the prompt had already written
    (a few-shot prompt ends with "Summary:"); `text` is opening and completion.
    `cap` is the `max_tokens` a cut-off answer was asked with, None for others.
    """

    role: str
    call_key: str
    call_item: str
    opening: str
    completion: Completion
    cap: int | None = None

    @property
    def text(self) -> str:
        return self.opening + self.completion.text


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a recipe made of an item, before the verdict.

    `refused` holds reasons found before or during the calls (stage, code,
    detail), for example a text longer than the model's context. `notes` is
    JSON-ready and goes to the measures ("trimmed_chars").
    """

    answers: tuple[Answer, ...] = ()
    refused: tuple[Mapping[str, Any], ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How a candidate is read: the verdict, what was parsed, and the record it gives.

    `spans_in` says in which of the candidate's answers (from 0) the places of its
    reasons are.
    """

    verdict: Verdict
    parsed: Mapping[str, Any] | None = None
    record: Mapping[str, Any] | None = None
    fingerprint: str | None = None
    spans_in: int = 0


class Ask(Protocol):
    """Asks one role for one answer; retries, limits, storing and resuming lie behind it."""

    async def __call__(
        self,
        role: str,
        *,
        messages: Sequence[Message] = (),
        prompt: str | None = None,
        constraint: Constraint | None = None,
        opening: str = "",
        stop: tuple[str, ...] = (),
        sample: int = 0,
    ) -> Answer: ...


@dataclass(frozen=True, slots=True)
class RecipeSettings:
    """What decides a recipe's output, apart from the models; part of the manifest.

    `options` are the recipe's own settings (an instance of its `options_type`),
    None where it has none or for its defaults. `parser_words` are labels and patterns
    that the parser knows beside its own.
    """

    lang: str = "en"
    variant: str = "auto"
    parser: str = "dialogsmith"
    on_overflow: str = "reject"
    segments: SegmentRule = field(default_factory=SegmentRule)
    filters: FilterSettings = field(default_factory=FilterSettings)
    prompts: Path | None = None
    options: Any = None
    parser_words: ParserWords = field(default_factory=ParserWords)


CorpusJudge = Callable[[str, Mapping[str, Any]], FilterResult]
"""Judges the parsed dialogue of an item (its id first) beside all it was shown before."""


class Reader(Protocol):
    """Reads candidates: parser and filters of a recipe, without any model."""

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        """Parse and judge; pure, so that it can be repeated over stored answers."""

    def corpus_judge(self) -> CorpusJudge | None:
        """A fresh judge that is shown every accepted dialogue in input order; None for none."""


@runtime_checkable
class ReadingApart(Protocol):
    """A recipe that can be read by another process: its `reader` is a value that pickles."""

    @property
    def reader(self) -> Reader:
        """Interprets as the recipe itself does."""


@runtime_checkable
class Skipping(Protocol):
    """A recipe that can begin in the middle of its inputs: each record gives its items alone."""

    def items_from(
        self, inputs: Sequence[str], source: str, line: int | None
    ) -> Iterator[Item | Skipped]:
        """What `items` gives from the record on that stands at this source and line."""


class PreparedRecipe(Reader, Protocol):
    """A recipe with its settings and templates checked, ready for items."""

    @property
    def variants(self) -> Mapping[str, str]:
        """The template variant chosen for each role."""

    @property
    def template_hashes(self) -> Mapping[str, str]:
        """SHA-256 (hex) of each template used, by `role/variant`."""

    def items(self, inputs: Sequence[str]) -> Iterator[Item | Skipped | StillReading]:
        """Stream the inputs as items, in input order."""

    async def run(self, item: Item, ask: Ask) -> Candidate:
        """Make the calls of one item. May raise `CallFailed` or `RunStopped`."""


class Recipe(Protocol):
    """A recipe by name, before anything is chosen."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def roles(self) -> tuple[RoleSpec, ...]: ...

    @property
    def shape(self) -> str: ...

    @property
    def segments(self) -> SegmentRule:
        """The published rule of cutting papers, where nothing else is asked for."""

    @property
    def options_type(self) -> type[Any] | None:
        """A frozen dataclass of the recipe's own settings, all with defaults."""

    def prepare(
        self, settings: RecipeSettings, capabilities: Mapping[str, Capabilities]
    ) -> PreparedRecipe:
        """Check settings and templates against what the roles' backends can do.

        Raises `WrongUse` naming the template, line and variable, or the setting.
        """

    def reader(self, settings: RecipeSettings, variants: Mapping[str, str]) -> Reader:
        """What reads the answers of an earlier run that used these variants."""
