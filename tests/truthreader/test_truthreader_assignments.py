"""What is drawn for each item: shares, mixes, positions, and what is never shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cited_corpus import write_documents

from generator.errors import WrongUse
from generator.overrides import apply_overrides
from generator.recipes.model import Item, Skipped
from generator.recipes.truthreader import RECIPE, TruthReaderOptions
from generator.recipes.truthreader.assigning import assigned_items
from generator.recipes.truthreader.chance import Chance
from generator.recipes.truthreader.content import Assignment, from_content, to_content
from parsers.text.content import content_units
from parsers.text.similarity import precision

EACH = 40
DEFAULTS = TruthReaderOptions(questions_per_document=EACH)


def items(path: Path, options: TruthReaderOptions, seed: int = 3) -> list[Item]:
    rule = replace(RECIPE.segments, seed=seed)
    met = assigned_items([str(path)], options, rule)
    return [item for item in met if isinstance(item, Item)]


def assignments(path: Path, options: TruthReaderOptions, seed: int = 3) -> list[Assignment]:
    return [from_content(item.content) for item in items(path, options, seed)]


@pytest.fixture(scope="module", params=["en", "zh"])
def documents(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    return write_documents(folder / "documents.jsonl", 24, request.param)


@pytest.fixture(scope="module")
def drawn(documents: Path) -> list[Assignment]:
    """960 items with the default shares."""
    return assignments(documents, DEFAULTS)


def within(found: int, of: int, share: float) -> bool:
    """Whether a count lies within four standard deviations of its share."""
    return abs(found - of * share) <= 4 * (of * share * (1 - share)) ** 0.5 + 1e-9


def test_each_document_gives_its_items_in_input_order(drawn: Sequence[Assignment]) -> None:
    assert len(drawn) == 24 * EACH
    firsts = [a.gold[0].line for a in drawn[::EACH]]
    assert firsts == list(range(1, 25))
    assert len({a.id for a in drawn}) == len(drawn)


def test_shares_and_mixes_are_those_asked_for(drawn: Sequence[Assignment]) -> None:
    total = len(drawn)
    types = Counter(a.question_type for a in drawn)
    for name, weight in DEFAULTS.question_weights.items():
        assert within(types[name], total, weight / 10), name
    lengths = Counter(2 * len(a.history) for a in drawn)
    for length, weight in DEFAULTS.history_weights.items():
        assert within(lengths[length], total, weight / 20), length
    assert within(sum(len(a.gold) == 2 for a in drawn), total, 0.3)
    with_history = [a for a in drawn if a.history]
    switched = sum(a.history[0].source.id != a.gold[0].id for a in with_history)
    assert within(switched, len(with_history), 0.3)


def test_the_gold_stands_in_every_position_alike(documents: Path) -> None:
    """Chi-square of the position among four shown documents, over several seeds."""
    options = replace(DEFAULTS, questions_per_document=20, multi_share=0.0, unanswerable_share=0.0)
    counts: Counter[tuple[int, int]] = Counter()
    for seed in range(3):
        for a in assignments(documents, options, seed):
            counts[len(a.shown), a.gold_numbers[0]] += 1
    for size in (2, 3, 4):
        seen = [counts[size, position] for position in range(1, size + 1)]
        expected = sum(seen) / size
        assert expected > 20
        # 99.9 % bound of chi-square with 1, 2 and 3 degrees of freedom.
        bound = {2: 10.83, 3: 13.82, 4: 16.27}[size]
        assert sum((n - expected) ** 2 / expected for n in seen) < bound


def test_withheld_gold_is_not_shown_and_nothing_stands_in_for_it(
    drawn: Sequence[Assignment],
) -> None:
    withheld = [a for a in drawn if not a.answerable]
    assert withheld
    assert len(withheld) <= len(drawn) * 0.13
    for a in withheld:
        assert a.shown
        assert a.gold_numbers == ()
        for gold in a.gold:
            for shown in a.shown:
                share = precision(content_units(gold.text), content_units(shown.text))
                assert share <= 0.4


def test_answerable_items_show_their_gold_and_one_to_four_documents(
    drawn: Sequence[Assignment],
) -> None:
    sizes = Counter(len(a.shown) for a in drawn)
    assert set(sizes) == {1, 2, 3, 4}
    for a in drawn:
        assert len({source.id for source in a.shown}) == len(a.shown)
        if a.answerable:
            assert len(a.gold_numbers) == len(a.gold)


def test_the_same_seed_gives_the_same_items_and_another_seed_others(documents: Path) -> None:
    options = TruthReaderOptions()
    keys = [item.key for item in items(documents, options)]
    assert keys == [item.key for item in items(documents, options)]
    assert keys != [item.key for item in items(documents, options, seed=4)]


def test_an_item_is_read_back_as_it_was_written(drawn: Sequence[Assignment]) -> None:
    for a in drawn[:80]:
        assert from_content(to_content(a)) == a


def test_one_document_alone_gives_an_answerable_item(tmp_path: Path) -> None:
    path = write_documents(tmp_path / "one.jsonl", 1, "en")
    (one,) = assignments(path, replace(TruthReaderOptions(), unanswerable_share=1.0))
    assert one.answerable
    assert len(one.shown) == 1


def test_duplicate_and_short_documents_are_left_out_and_told(tmp_path: Path) -> None:
    path = write_documents(tmp_path / "documents.jsonl", 3, "en")
    text = path.read_text()
    first = text.split("\n", 1)[0].replace("Bell tower", "Tower")
    short = '{"title": "Short", "text": "Too short to ask."}'
    path.write_text(f"{text}{first}\n{short}\nnot json\n")
    met = list(assigned_items([str(path)], TruthReaderOptions(), RECIPE.segments))
    skipped = [(m.line, m.code) for m in met if isinstance(m, Skipped)]
    assert skipped == [(4, "duplicate_document"), (5, "short_document"), (6, "bad_json")]
    assert sum(isinstance(m, Item) for m in met) == 3


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("multi_share", "2", "from 0 to 1"),
        ("unanswerable_share", "-0.1", "from 0 to 1"),
        ("unanswerable_share", "many", "a number"),
        ("questions_per_document", "0", "1 or more"),
        ("max_documents", "5", "from 1 to 4"),
        ("passage_tokens", "10", "50 or more"),
        ("question_mix", "riddle:1", "no 'riddle'"),
        ("question_mix", "fact", "NAME:WEIGHT"),
        ("question_mix", "fact:-1", "0 or more"),
        ("question_mix", "fact:nan", "0 or more"),
        ("question_mix", "fact:0", "at least one weight"),
        ("question_mix", "fact:1,fact:2", "stands twice"),
        ("history_mix", "3:1", "no '3'"),
    ],
)
def test_a_bad_setting_is_one_clear_message(name: str, value: str, said: str) -> None:
    with pytest.raises(WrongUse, match=said):
        apply_overrides(TruthReaderOptions(), {name: value}, "recipe.")


def test_draws_are_even() -> None:
    """A tenth of 20,000 draws falls into each tenth, within four standard deviations."""
    counts = Counter(int(Chance(1, str(n)).share("x") * 10) for n in range(20_000))
    assert all(within(counts[n], 20_000, 0.1) for n in range(10))
