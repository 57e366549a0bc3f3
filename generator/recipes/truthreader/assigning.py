"""What is drawn for each item: documents, their order, the question's kind, the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from generator.collection import Collection, PassageRule, StoredDocument, collect
from generator.recipes.model import Item, Skipped, StillReading
from generator.recipes.truthreader.chance import Chance
from generator.recipes.truthreader.content import Assignment, Exchange, Source, to_content
from generator.recipes.truthreader.options import TruthReaderOptions
from generator.segment_items import content_key
from parsers.segments import SegmentRule
from parsers.text.content import content_units, known_units
from parsers.text.similarity import precision

NEIGHBOURS = 16
"""Nearest documents that are looked at for one item."""

POOL = 6
"""Distractors are drawn from so many of the nearest that may be shown."""

MOST_SHARED = 0.6
"""Share of a gold document's content units that a distractor may hold; beyond it, it is a copy or
a newer version, and could be cited just as well. Own choice."""

MOST_SHARED_WHEN_WITHHELD = 0.4
"""The same where the gold is withheld: what is left must not answer in its place."""


def assigned_items(
    inputs: Sequence[str], options: TruthReaderOptions, segments: SegmentRule
) -> Iterator[Item | Skipped | StillReading]:
    """Read and index all inputs, then give the items, in the order of the documents."""
    rule = PassageRule(options.passage_tokens, options.min_document_tokens, segments)
    with closing(Collection()) as collection:
        yield from collect(inputs, rule, collection)
        for number in range(len(collection)):
            document = collection.document(number)
            near = collection.like(document, NEIGHBOURS)
            shares = _Shares()
            for question in range(options.questions_per_document):
                chance = Chance(segments.seed, f"{document.id}#{question}")
                assignment = _assign(document, near, question, collection, options, chance, shares)
                content = to_content(assignment)
                yield Item(
                    content_key(content),
                    assignment.id,
                    document.source,
                    document.line,
                    content,
                )


class _Shares:
    """How much of one document's content another holds; the items of a document share it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], float] = {}

    def of(self, gold: StoredDocument, other: StoredDocument) -> float:
        """The share of the gold document's content units that the other one holds."""
        pair = (gold.id, other.id)
        if pair not in self._known:
            self._known[pair] = precision(content_units(gold.text), known_units(other.text))
        return self._known[pair]


def _assign(
    document: StoredDocument,
    near: Sequence[StoredDocument],
    question: int,
    collection: Collection,
    options: TruthReaderOptions,
    chance: Chance,
    shares: _Shares,
) -> Assignment:
    """Draw one item about `document`. `near` are its neighbours, best first."""
    distinct = [other for other in near if shares.of(document, other) <= MOST_SHARED]
    gold = [document]
    wants_two = options.max_documents > 1 and chance.share("multi") < options.multi_share
    if wants_two and distinct:
        gold.append(distinct[0])
    others = [other for other in distinct if other not in gold]
    answerable = chance.share("answerable") >= options.unanswerable_share
    if not answerable:
        unlike = [other for other in others if _cannot_stand_in(other, gold, shares)]
        # Where nothing is left to show, the gold is shown after all.
        answerable = not unlike
        others = unlike or others
    fewest = len(gold) if answerable else 1
    count = fewest + chance.below(options.max_documents - fewest + 1, "documents")
    wanted = count - len(gold) if answerable else count
    pool = others[: max(POOL, wanted)]
    distractors = chance.shuffled(pool, "distractors")[:wanted]
    shown = chance.shuffled([*gold, *distractors] if answerable else distractors, "order")
    return Assignment(
        id=document.id if options.questions_per_document == 1 else f"{document.id}#{question}",
        seed=chance.seed,
        number=question,
        question_type=chance.weighted(options.question_weights, "type"),
        answerable=answerable,
        shown=tuple(map(_source, shown)),
        gold=tuple(map(_source, gold)),
        history=_history(document, collection, options, chance),
    )


def _history(
    document: StoredDocument, collection: Collection, options: TruthReaderOptions, chance: Chance
) -> tuple[Exchange, ...]:
    """Earlier exchanges: on the gold document, or at first on another when the topic switches."""
    count = chance.weighted(options.history_weights, "history") // 2
    if not count:
        return ()
    elsewhere = 0
    other = document
    if len(collection) > 1 and chance.share("switch") < options.topic_switch_share:
        elsewhere = 1 + chance.below(count, "switch after")
        drawn = chance.below(len(collection) - 1, "other")
        other = collection.document(drawn + (drawn >= document.number))
    return tuple(
        Exchange(
            _source(other if number < elsewhere else document),
            chance.weighted(options.question_weights, "type", number),
        )
        for number in range(count)
    )


def _cannot_stand_in(
    other: StoredDocument, gold: Sequence[StoredDocument], shares: _Shares
) -> bool:
    """Whether a document is no part of a gold one's text and shares little with it."""
    return all(
        other.origin != one.origin and shares.of(one, other) <= MOST_SHARED_WHEN_WITHHELD
        for one in gold
    )


def _source(document: StoredDocument) -> Source:
    return Source(
        document.id,
        document.title,
        document.text,
        document.origin,
        document.source,
        document.line,
    )
