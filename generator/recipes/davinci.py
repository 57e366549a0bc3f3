"""`paperpersichat-davinci`: one call writes summary and dialogue about a segment.

The recipe of PaperPersiChat's single-model branch (dataset card): instruction,
blank line, segment text; temperature 0.7, top_p 1, 1500 tokens. Models that do
not follow a written prompt get a variant that shows or enforces the form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from generator.errors import ContextOverflow, WrongUse
from generator.grammar import (
    TooFewSentences,
    dialogue_json_schema,
    free_grammar,
    sentence_grammar,
)
from generator.recipes.model import (
    Ask,
    Candidate,
    CorpusJudge,
    Interpretation,
    Item,
    Reader,
    RecipeSettings,
    RoleSpec,
    Skipped,
)
from generator.recipes.reading import PARSERS, DialogueReader
from generator.recipes.trimming import trimmed
from generator.recipes.variant_choice import choose_variant, prompt_form
from generator.segment_items import segment_from_content, segment_items
from generator.values import Capabilities, Constraint, Message, PromptForm, Sampling
from parsers.segments import SegmentRule
from parsers.text.reference import ReferenceText
from prompts import Template, Variant, list_variants, load_template

WRITER = "writer"
PAIRS = 4
"""Question and answer pairs asked for, as the published prompt does."""

LANGUAGES = ("en", "zh")
_MOST_TRIMS = 24


@dataclass(frozen=True, slots=True)
class DavinciRecipe:
    """The recipe before anything is chosen."""

    name: str = "paperpersichat-davinci"
    summary: str = "one call writes summary and dialogue (PaperPersiChat's single-model branch)"
    shape: str = "paperpersichat"
    options_type: type[Any] | None = None
    segments: SegmentRule = field(default_factory=SegmentRule)
    roles: tuple[RoleSpec, ...] = (
        RoleSpec(
            WRITER,
            "writes the summary and four questions with their answers in one go",
            Sampling(temperature=0.7, top_p=1.0, max_tokens=1500),
        ),
    )

    def prepare(
        self, settings: RecipeSettings, capabilities: Mapping[str, Capabilities]
    ) -> PreparedDavinci:
        _check(settings)
        can = capabilities[WRITER]
        variants = list_variants(self.name, settings.lang, overrides=settings.prompts)
        variant = choose_variant(variants, settings.variant, can, role=WRITER)
        template = load_template(self.name, settings.lang, variant.name, overrides=settings.prompts)
        template.check(("text", "title"))
        return PreparedDavinci(
            settings, variant, template, prompt_form(variant, can), _reader(settings, template)
        )

    def reader(self, settings: RecipeSettings, variants: Mapping[str, str]) -> Reader:
        _check(settings)
        template = load_template(
            self.name, settings.lang, variants[WRITER], overrides=settings.prompts
        )
        return _reader(settings, template)


@dataclass(frozen=True, slots=True)
class PreparedDavinci:
    """The recipe with its template and settings."""

    settings: RecipeSettings
    variant: Variant
    template: Template
    form: PromptForm
    reader: DialogueReader

    @property
    def variants(self) -> Mapping[str, str]:
        return {WRITER: self.variant.name}

    @property
    def template_hashes(self) -> Mapping[str, str]:
        return {f"{WRITER}/{self.variant.name}": self.template.source_hash}

    def items(self, inputs: Sequence[str]) -> Iterator[Item | Skipped]:
        return segment_items(inputs, self.settings.segments)

    def items_from(
        self, inputs: Sequence[str], source: str, line: int | None
    ) -> Iterator[Item | Skipped]:
        return segment_items(inputs, self.settings.segments, begin=(source, line))

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        return self.reader.interpret(item, candidate)

    def corpus_judge(self) -> CorpusJudge | None:
        return self.reader.corpus_judge()

    async def run(self, item: Item, ask: Ask) -> Candidate:
        segment = segment_from_content(item.content)
        text, notes = segment.text, dict[str, int]()
        for _ in range(_MOST_TRIMS):
            constraint = self._constraint(text)
            if isinstance(constraint, TooFewSentences):
                return Candidate(refused=(_too_few(constraint),), notes=notes)
            prompt = self.template.render(text=text, title=segment.paper_title)
            try:
                answer = await ask(
                    WRITER,
                    messages=(Message("user", prompt),) if self.form == "chat" else (),
                    prompt=prompt if self.form == "completion" else None,
                    constraint=constraint,
                    opening=self.variant.opening,
                    stop=self.variant.stop,
                )
            except ContextOverflow as error:
                if self.settings.on_overflow != "trim":
                    raise
                overflow = error
                text = trimmed(text, overflow)
                notes = {"trimmed_chars": len(segment.text) - len(text)}
                continue
            return Candidate((answer,), notes=notes)
        raise overflow

    def _constraint(self, text: str) -> Constraint | TooFewSentences | None:
        lang: Literal["en", "zh"] = "zh" if self.settings.lang == "zh" else "en"
        if self.variant.constraint == "sentences":
            return sentence_grammar(text, lang, PAIRS)
        if self.variant.constraint == "free":
            return free_grammar(lang, PAIRS)
        if self.variant.constraint == "json":
            return dialogue_json_schema(PAIRS)
        return None


def _check(settings: RecipeSettings) -> None:
    for name, value, allowed in (
        ("--lang", settings.lang, LANGUAGES),
        ("--parser", settings.parser, PARSERS),
        ("--on-overflow", settings.on_overflow, ("reject", "trim")),
    ):
        if value not in allowed:
            raise WrongUse(f"{name} {value}: expected one of {', '.join(allowed)}")


def _reader(settings: RecipeSettings, template: Template) -> DialogueReader:
    example = template.example
    return DialogueReader(
        lang=settings.lang,
        parser=settings.parser,
        filters=settings.filters,
        example=None
        if example is None
        else ReferenceText.of(
            "\n".join([example.title, example.text, example.summary,
                       *(turn.text for turn in example.turns)])
        ),
        instruction=ReferenceText.of(template.render(text="", title="")),
        vocabulary=settings.parser_words.vocabulary(),
    )  # fmt: skip


def _too_few(found: TooFewSentences) -> dict[str, object]:
    return {
        "stage": "prepare",
        "code": "too_few_sentences",
        "detail": f"the segment has {found.usable} sentences fit for an answer; this variant "
        f"needs {found.needed}",
        "span": None,
    }


RECIPE = DavinciRecipe()
