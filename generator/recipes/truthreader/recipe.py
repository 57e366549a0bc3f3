"""The TruthReader recipe: a question over several documents, and an answer that cites them.

After the published description (HITsz-TMG, EMNLP 2024 demos) and its public
sample: 1 to 4 documents, some of them look-alikes; a question written from one
or two of them; an answer with inline `[n]`; where the document is withheld, an
apology that says what is missing. No sampling settings are published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from generator.errors import CallFailed, ContentFiltered, ContextOverflow, WrongUse
from generator.grammar import TooFewSentences
from generator.recipes.model import (
    Answer,
    Ask,
    Candidate,
    CorpusJudge,
    Interpretation,
    Item,
    Reader,
    RecipeSettings,
    RoleSpec,
    Skipped,
    StillReading,
)
from generator.recipes.truthreader.asking import (
    Templates,
    judge_messages,
    load_templates,
    messages_for,
)
from generator.recipes.truthreader.assigning import assigned_items
from generator.recipes.truthreader.chance import Chance
from generator.recipes.truthreader.content import Assignment, from_content
from generator.recipes.truthreader.course import ANSWERER, ASKER, JUDGE, Wanted
from generator.recipes.truthreader.entailment import (
    Check,
    next_check,
    read_verdict,
    statements_of,
)
from generator.recipes.truthreader.forms import AnswerForms
from generator.recipes.truthreader.options import TruthReaderOptions
from generator.recipes.truthreader.reading import CHECKS, TruthReaderReader, checks_as_notes
from generator.values import Capabilities, Sampling
from parsers.segments import SegmentRule

LANGUAGES = ("en", "zh")
VARIANTS = ("auto", "plain", "grammar")
_TEMPLATES = {ASKER: "asker", ANSWERER: "answerer", JUDGE: "judge"}


@dataclass(frozen=True, slots=True)
class TruthReaderRecipe:
    """The recipe before anything is chosen."""

    name: str = "truthreader"
    summary: str = "questions over several documents, answered with citations (TruthReader)"
    shape: str = "truthreader"
    options_type: type[Any] | None = TruthReaderOptions
    segments: SegmentRule = field(
        default_factory=lambda: SegmentRule(budget=3500, min_chars=400, min_sections=1)
    )
    roles: tuple[RoleSpec, ...] = (
        RoleSpec(
            ASKER,
            "writes the question from the gold documents alone",
            Sampling(temperature=0.7, top_p=1.0, max_tokens=256),
        ),
        RoleSpec(
            ANSWERER,
            "answers from the numbered documents, citing them, or says what they lack",
            Sampling(temperature=0.3, top_p=1.0, max_tokens=1024),
        ),
        RoleSpec(
            JUDGE,
            "says whether the cited documents entail a sentence",
            Sampling(temperature=0.0, top_p=1.0, max_tokens=64),
            switch="judge",
        ),
    )

    def prepare(
        self, settings: RecipeSettings, capabilities: Mapping[str, Capabilities]
    ) -> PreparedTruthReader:
        options = _options(settings)
        if settings.on_overflow != "reject":
            raise WrongUse(
                f"--on-overflow {settings.on_overflow}: this recipe cuts documents beforehand; "
                "--set recipe.passage_tokens=N makes them shorter"
            )
        held = frozenset(
            role for role, can in capabilities.items() if _is_held(role, can, settings.variant)
        )
        lang: Literal["en", "zh"] = "zh" if settings.lang == "zh" else "en"
        templates = load_templates(self.name, lang, settings.prompts, judge=options.judge)
        return PreparedTruthReader(
            settings, options, templates, AnswerForms(lang, held), _reader(settings, options)
        )

    def reader(self, settings: RecipeSettings, variants: Mapping[str, str]) -> Reader:
        del variants
        return _reader(settings, _options(settings))


@dataclass(frozen=True, slots=True)
class PreparedTruthReader:
    """The recipe with its templates and settings."""

    settings: RecipeSettings
    options: TruthReaderOptions
    templates: Templates
    forms: AnswerForms
    reader: TruthReaderReader

    @property
    def variants(self) -> Mapping[str, str]:
        roles = [ASKER, ANSWERER, *([JUDGE] if self.options.judge else [])]
        return {
            role: _TEMPLATES[role] + (" (grammar)" if role in self.forms.held else "")
            for role in roles
        }

    @property
    def template_hashes(self) -> Mapping[str, str]:
        return self.templates.hashes()

    def items(self, inputs: Sequence[str]) -> Iterator[Item | Skipped | StillReading]:
        return assigned_items(inputs, self.options, self.settings.segments)

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        return self.reader.interpret(item, candidate)

    def corpus_judge(self) -> CorpusJudge | None:
        return self.reader.corpus_judge()

    async def run(self, item: Item, ask: Ask) -> Candidate:
        assignment = from_content(item.content)
        candidate = Candidate()
        try:
            while True:
                course = self.reader.course(assignment, candidate)
                stopped = self.reader.stopped(assignment, course) is not None
                if course.wanted is None or stopped:
                    break
                answer = await self._step(assignment, course.wanted, ask)
                if isinstance(answer, TooFewSentences):
                    return Candidate(candidate.answers, (_too_few(answer),))
                candidate = Candidate((*candidate.answers, answer))
            if self.options.judge:
                candidate = await self._judged(item, assignment, candidate, ask)
        except (ContextOverflow, ContentFiltered) as error:
            return Candidate(candidate.answers, (_refused(error),), candidate.notes)
        return candidate

    async def _step(
        self, assignment: Assignment, wanted: Wanted, ask: Ask
    ) -> Answer | TooFewSentences:
        refuses = wanted.last and not assignment.answerable
        form = self.forms.of(wanted, Chance(assignment.seed, assignment.id), refuses=refuses)
        if isinstance(form, TooFewSentences):
            return form
        return await ask(
            wanted.role,
            messages=messages_for(wanted, self.templates, refuses=refuses),
            constraint=form,
            sample=wanted.attempt,
        )

    async def _judged(
        self, item: Item, assignment: Assignment, candidate: Candidate, ask: Ask
    ) -> Candidate:
        """Ask the judge about every cited sentence of an answer that the filters accept."""
        reading = self.reader.interpret(item, candidate)
        if not reading.verdict.accepted or reading.record is None or not assignment.answerable:
            return candidate
        assert self.templates.judge is not None
        statements = statements_of(reading.record["answer"], len(assignment.shown))
        verdicts: dict[Check, bool | None] = {}
        answers = list(candidate.answers)
        while (check := next_check(statements, verdicts)) is not None:
            answer = await ask(
                JUDGE,
                messages=judge_messages(check, assignment.shown, self.templates.judge),
                constraint=self.forms.of_verdict(),
            )
            answers.append(answer)
            verdicts[check] = read_verdict(answer.text)
        return Candidate(tuple(answers), notes={CHECKS: checks_as_notes(list(verdicts))})


def _is_held(role: str, can: Capabilities, variant: str) -> bool:
    """Whether the role's answers are held to a form. Raises `WrongUse` where it cannot be asked."""
    if "chat" not in can.prompt_forms:
        raise WrongUse(f"the role {role} needs a chat model; its backend only continues text")
    if variant == "grammar" and "gbnf" not in can.constraints:
        raise WrongUse(
            f"the variant 'grammar' of the role {role} needs a backend that enforces a GBNF "
            "grammar; choose another --variant or another model"
        )
    wants = variant == "grammar" or (variant == "auto" and not can.follows_instructions)
    return wants and "gbnf" in can.constraints


def _options(settings: RecipeSettings) -> TruthReaderOptions:
    for name, value, allowed in (
        ("--lang", settings.lang, LANGUAGES),
        ("--variant", settings.variant, VARIANTS),
    ):
        if value not in allowed:
            raise WrongUse(f"{name} {value}: expected one of {', '.join(allowed)}")
    return settings.options if settings.options is not None else TruthReaderOptions()


def _reader(settings: RecipeSettings, options: TruthReaderOptions) -> TruthReaderReader:
    return TruthReaderReader(
        lang=settings.lang,
        own=replace(options.filters, off=options.filters.off | settings.filters.off),
        retries=options.retries,
        repair=options.repair,
    )


def _refused(error: CallFailed) -> dict[str, object]:
    return {"stage": "call", "code": error.code, "detail": str(error), "span": None}


def _too_few(found: TooFewSentences) -> dict[str, object]:
    return {
        "stage": "prepare",
        "code": "too_few_sentences",
        "detail": f"the documents have {found.usable} sentences fit for an answer; this variant "
        f"needs {found.needed}",
        "span": None,
    }


RECIPE = TruthReaderRecipe()
