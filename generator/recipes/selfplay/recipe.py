"""The self-play recipe: summary, then person and bot in turn, as PaperPersiChat's ChatGPT branch.

Published (dataset card and notebooks): both sides at temperature 0.7, top_p 1,
512 tokens an utterance; four rounds; segments of up to 4,000 characters and at
least 1,500; a dialogue that fails after two rounds is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from generator.calling.token_estimates import estimate_tokens
from generator.errors import (
    CallFailed,
    ContentFiltered,
    ContextOverflow,
    GivenUp,
    RateLimited,
    WrongUse,
)
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
)
from generator.recipes.selfplay.bot import BotStart, bot_messages, bot_start
from generator.recipes.selfplay.conversation import Conversation, TurnRules
from generator.recipes.selfplay.course import FollowedCandidate
from generator.recipes.selfplay.forms import TurnForms
from generator.recipes.selfplay.options import SelfPlayOptions
from generator.recipes.selfplay.person import (
    PersonView,
    person_messages,
    person_start,
    with_correction,
)
from generator.recipes.selfplay.reading import SelfPlayReader
from generator.recipes.selfplay.summary import (
    SUMMARIZER,
    Summary,
    SummaryRules,
    clean_summary,
    summarise,
    summary_fault,
)
from generator.recipes.selfplay.summary_file import SummaryFile
from generator.recipes.selfplay.templates import Templates, load_templates
from generator.recipes.trimming import trimmed
from generator.segment_items import segment_from_content, segment_items
from generator.values import Capabilities, Message, Sampling
from parsers.segments import Segment, SegmentRule

PERSON, BOT = "person", "bot"
LANGUAGES = ("en", "zh")
_SAMPLING = Sampling(temperature=0.7, top_p=1.0, max_tokens=512)
_MOST_TRIMS = 24
_SUMMARY_ROOM = 700
"""Tokens of the summariser's context that are kept for its instruction and its answer."""


@dataclass(frozen=True, slots=True)
class SelfPlayRecipe:
    """The recipe before anything is chosen."""

    name: str = "paperpersichat-selfplay"
    summary: str = "person and bot talk; the person sees only a summary (PaperPersiChat's ChatGPT)"
    shape: str = "paperpersichat"
    options_type: type[Any] | None = SelfPlayOptions
    segments: SegmentRule = field(default_factory=lambda: SegmentRule(budget=4000, min_chars=1500))
    roles: tuple[RoleSpec, ...] = (
        RoleSpec(SUMMARIZER, "writes the summary that the person will see", _SAMPLING),
        RoleSpec(PERSON, "asks; sees the summary and the turns, never the text", _SAMPLING),
        RoleSpec(BOT, "answers from the whole text", _SAMPLING),
    )

    def prepare(
        self, settings: RecipeSettings, capabilities: Mapping[str, Capabilities]
    ) -> PreparedSelfPlay:
        options = _options(settings)
        for role, can in capabilities.items():
            if "chat" not in can.prompt_forms:
                raise WrongUse(
                    f"the role {role} needs a chat model; its backend only continues text"
                )
        templates = load_templates(self.name, settings.lang, settings.prompts)
        summaries = None if options.summaries is None else SummaryFile(options.summaries)
        held = frozenset(
            role
            for role, can in capabilities.items()
            if not can.follows_instructions and "gbnf" in can.constraints
        )
        forms = TurnForms("zh" if settings.lang == "zh" else "en", held)
        return PreparedSelfPlay(
            settings,
            options,
            templates,
            forms,
            summaries,
            _reader(settings, options),
            capabilities[SUMMARIZER].context_tokens,
        )

    def reader(self, settings: RecipeSettings, variants: Mapping[str, str]) -> Reader:
        del variants
        return _reader(settings, _options(settings))


@dataclass(frozen=True, slots=True)
class PreparedSelfPlay:
    """The recipe with its templates and settings."""

    settings: RecipeSettings
    options: SelfPlayOptions
    templates: Templates
    forms: TurnForms
    summaries: SummaryFile | None
    reader: SelfPlayReader
    summarizer_context: int | None = None

    @property
    def variants(self) -> Mapping[str, str]:
        plain = {SUMMARIZER: "summarizer", PERSON: "person", BOT: "bot"}
        return {r: f"{n} (grammar)" if r in self.forms.held else n for r, n in plain.items()}

    @property
    def template_hashes(self) -> Mapping[str, str]:
        known = self.templates
        hashes = {
            f"{SUMMARIZER}/summarizer": known.summarizer.source_hash,
            f"{PERSON}/person": known.person.instruction.source_hash,
            f"{PERSON}/opening": known.person.opening.source_hash,
            f"{BOT}/bot": known.bot.source_hash,
            "correction": known.correction.source_hash,
        }
        if self.summaries is not None:
            hashes["summaries"] = self.summaries.fingerprint
        return hashes

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
        summary = await self._summary(segment, ask)
        notes: dict[str, Any] = {"summary_parts": summary.parts}
        if not summary.answers:
            notes["summary"] = summary.text
        if summary.fault is not None:
            refused = () if summary.answers else (summary.fault.to_json(),)
            return Candidate(summary.answers, refused, notes)
        answers = list(summary.answers)
        talk = Conversation(self.reader.turn_rules)
        person = person_start(summary.text, self.templates.person)
        bot = bot_start(segment.text, self.templates.bot)
        while talk.state == "open":
            try:
                if talk.speaker == PERSON:
                    view = PersonView(summary.text, talk.texts)
                    answer = await self._question(talk, view, person, ask)
                else:
                    answer, bot = await self._answer(talk, bot, ask)
            except CallFailed as error:
                # What the item itself caused ends it here; the backend's own failures are
                # retried by the next run, unless a short dialogue is good enough.
                own = isinstance(error, ContextOverflow | ContentFiltered)
                passing = isinstance(error, GivenUp | RateLimited)
                if passing or not (own or self._good_enough(talk)):
                    raise
                cut = (_cut(talk, error),)
                return FollowedCandidate(
                    tuple(answers), cut, notes, summary=summary.text, talk=talk
                )
            if len(bot.text) < len(segment.text):
                notes["trimmed_chars"] = len(segment.text) - len(bot.text)
            answers.append(answer)
            talk = talk.take(answer.text, answer.completion.finish_reason)
        return FollowedCandidate(tuple(answers), notes=notes, summary=summary.text, talk=talk)

    async def _summary(self, segment: Segment, ask: Ask) -> Summary:
        ready = None if self.summaries is None else self.summaries.get(segment.id)
        if ready is not None:
            cleaned = clean_summary(ready)
            fault = summary_fault(cleaned, segment.text, self.reader.summary_rules)
            return Summary(cleaned, fault=fault)
        return await summarise(
            segment.text,
            self.templates.summarizer,
            ask,
            self.reader.summary_rules,
            self.forms.of_summary,
            first_parts=self._parts(segment.text),
        )

    def _parts(self, text: str) -> int:
        """How many parts a declared context calls for; servers may cut a prompt off silently."""
        if self.summarizer_context is None:
            return 1
        room = max(1, self.summarizer_context - _SUMMARY_ROOM)
        return -(-estimate_tokens(text).likely // room)

    async def _question(
        self, talk: Conversation, view: PersonView, start: tuple[Message, ...], ask: Ask
    ) -> Answer:
        """One attempt at the person's next turn."""
        return await ask(
            PERSON,
            messages=self._corrected(talk, person_messages(start, view.turns)),
            constraint=self.forms.of_question(view),
            sample=talk.attempt,
        )

    async def _answer(
        self, talk: Conversation, start: BotStart, ask: Ask
    ) -> tuple[Answer, BotStart]:
        """One attempt at the bot's next turn; its text may have been trimmed to fit."""
        said = talk.texts
        for _ in range(_MOST_TRIMS):
            try:
                return await ask(
                    BOT,
                    messages=self._corrected(talk, bot_messages(start, said)),
                    constraint=self.forms.of_answer(start.text, said[1::2]),
                    sample=talk.attempt,
                ), start
            except ContextOverflow as error:
                # The text is never changed once the bot has answered from it.
                if self.settings.on_overflow != "trim" or len(talk.turns) > 1:
                    raise
                overflow = error
                start = bot_start(trimmed(start.text, overflow), self.templates.bot)
        raise overflow

    def _corrected(self, talk: Conversation, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        if talk.fault is None:
            return messages
        hint = self.templates.correction.render(fault=talk.fault.code)
        return with_correction(messages, hint)

    def _good_enough(self, talk: Conversation) -> bool:
        return self.options.on_failure == "keep" and talk.finished_rounds >= self.options.min_rounds


def _cut(talk: Conversation, error: CallFailed) -> dict[str, Any]:
    turn = len(talk.turns) + 1
    return {
        "stage": "call",
        "code": error.code,
        "detail": f"turn {turn} ({talk.speaker}): {error}",
        "span": None,
    }


def _options(settings: RecipeSettings) -> SelfPlayOptions:
    if settings.lang not in LANGUAGES:
        raise WrongUse(f"--lang {settings.lang}: expected one of {', '.join(LANGUAGES)}")
    return settings.options if settings.options is not None else SelfPlayOptions()


def _reader(settings: RecipeSettings, options: SelfPlayOptions) -> SelfPlayReader:
    fewest = options.min_rounds if options.on_failure == "keep" else options.rounds
    # A dialogue of fewer rounds was asked for: then so many pairs are enough.
    filters = replace(settings.filters, min_pairs=min(settings.filters.min_pairs, fewest))
    vocabulary = settings.parser_words.vocabulary()
    return SelfPlayReader(
        lang=settings.lang,
        filters=filters,
        selfplay=options.filters,
        turn_rules=TurnRules(
            rounds=options.rounds,
            retries=options.turn_retries,
            max_question_similarity=settings.filters.max_question_similarity,
            max_content_overlap=settings.filters.max_content_overlap,
            max_question_tokens=settings.filters.max_question_tokens,
            max_answer_tokens=settings.filters.max_answer_tokens,
            max_questions=options.filters.max_questions_per_turn,
            off=settings.filters.off,
            vocabulary=vocabulary,
        ),
        summary_rules=SummaryRules(options.summary_retries, settings.lang, filters, vocabulary),
        keep_cut_short=options.on_failure == "keep",
        min_rounds=options.min_rounds,
    )


RECIPE = SelfPlayRecipe()
