"""Segments: the published joining rule, its lossy original, and the choice of segments."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.papers import Paper, Section, read_papers
from parsers.segments import (
    SEGMENT_CODES,
    PaperSkip,
    SectionRef,
    Segment,
    SegmentRule,
    segment_paper,
    select_segments,
)

TYPES = {
    "a": "abstract",
    "i": "introduction",
    "b": "background",
    "m": "methodology",
    "e": "experiments",
    "r": "results",
    "k": "acknowledgement",
}


def paper(*sections: tuple[str, int], paper_id: str = "p") -> Paper:
    """Make a paper of (type letter, length of the text) sections."""
    return Paper(
        paper_id,
        "A title",
        tuple(
            Section(f"{paper_id}_{n}", f"H{n}", chr(97 + n % 26) * size, TYPES[kind])  # type: ignore[arg-type]
            for n, (kind, size) in enumerate(sections)
        ),
        "scipdf",
    )


def groups(segments: Sequence[Segment]) -> list[list[int]]:
    """Give the section numbers of each segment."""
    return [[int(ref.id.rpartition("_")[2]) for ref in one.sections] for one in segments]


def rule(budget: int = 100, **more: object) -> SegmentRule:
    return SegmentRule(budget=budget, **more)  # type: ignore[arg-type]


CASES: dict[str, tuple[list[tuple[str, int]], list[list[int]], list[list[int]]]] = {
    "first two together, whatever their types": (
        [("a", 10), ("i", 10), ("m", 10)], [[0, 1], [2]], [[0, 1], [2]]
    ),
    "the third starts anew, even of the second's type": (
        [("a", 10), ("i", 10), ("i", 10), ("i", 10)], [[0, 1], [2, 3]], [[0, 1], [2, 3]]
    ),
    "types make groups": (
        [("a", 1), ("i", 1), ("m", 1), ("m", 1), ("r", 1), ("m", 1)],
        [[0, 1], [2, 3], [4], [5]],
        [[0, 1], [2, 3], [4], [5]],
    ),
    "overflow starts the next, or is dropped": (
        [("a", 1), ("i", 1), ("m", 60), ("m", 60), ("m", 20)],
        [[0, 1], [2], [3, 4]],
        [[0, 1], [2], [4]],
    ),
    "overflow at the end of a group": (
        [("a", 1), ("i", 1), ("m", 60), ("m", 60), ("r", 5)],
        [[0, 1], [2], [3], [4]],
        [[0, 1], [2], [4]],
    ),
    "budget holds in the first group too": (
        [("a", 60), ("i", 60), ("m", 5)], [[0], [1], [2]], [[0], [2]]
    ),
    "a first section over the budget is whole": (
        [("a", 1), ("i", 1), ("m", 500), ("m", 5), ("m", 6)],
        [[0, 1], [2], [3, 4]],
        [[0, 1], [2], [4]],
    ),
    "under the budget, newline counted": (
        [("a", 49), ("i", 49), ("m", 50), ("m", 49)], [[0, 1], [2], [3]], [[0, 1], [2]]
    ),
    "one section": ([("a", 5)], [[0]], [[0]]),
    "none": ([], [], []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_joining(case: str) -> None:
    sections, carried, original = CASES[case]
    assert groups(segment_paper(paper(*sections), rule())) == carried
    assert groups(segment_paper(paper(*sections), rule(rule="original"))) == original


def test_segment_holds_what_a_record_needs() -> None:
    [first, second] = segment_paper(paper(("a", 2), ("i", 3), ("m", 1)), rule())
    assert first == Segment(
        id="p_0",
        paper_id="p",
        paper_title="A title",
        text="aa\nbbb",
        sections=(SectionRef("p_0", "H0", "abstract"), SectionRef("p_1", "H1", "introduction")),
    )
    assert (second.id, second.text) == ("p_2", "c")


SECTIONS = st.lists(st.tuples(st.sampled_from(sorted(TYPES)), st.integers(1, 300)), max_size=30)


@settings(deadline=None, max_examples=200)
@given(SECTIONS, st.integers(1, 500))
def test_nothing_is_lost_or_doubled(sections: list[tuple[str, int]], budget: int) -> None:
    whole = paper(*sections)
    segments = segment_paper(whole, rule(budget))
    assert [ref.id for one in segments for ref in one.sections] == [s.id for s in whole.sections]
    assert "\n".join(one.text for one in segments) == "\n".join(s.text for s in whole.sections)
    assert [one.id for one in segments] == [one.sections[0].id for one in segments]


@settings(deadline=None, max_examples=200)
@given(SECTIONS, st.integers(1, 500), st.sampled_from(["carry", "original"]))
def test_segments_keep_to_budget_and_type(
    sections: list[tuple[str, int]], budget: int, name: str
) -> None:
    for number, one in enumerate(segment_paper(paper(*sections), rule(budget, rule=name))):
        assert len(one.text) < budget or len(one.sections) == 1
        if number and one.sections[0].id not in {"p_0", "p_1"}:
            assert len({ref.section_type for ref in one.sections}) == 1


@settings(deadline=None, max_examples=200)
@given(SECTIONS, st.integers(1, 500))
def test_original_drops_one_section_at_each_overflow(
    sections: list[tuple[str, int]], budget: int
) -> None:
    """Restated section by section, without groups or chunks: the published loop's effect."""
    whole = paper(*sections)
    kept: list[list[str]] = []
    joined, open_group = "", False
    for n, section in enumerate(whole.sections):
        new_group = (
            n == 0
            or n == 2
            or (n > 2 and section.section_type != whole.sections[n - 1].section_type)
        )
        if new_group:
            joined, open_group = "", False
        if not joined:
            kept.append([section.id])
            joined, open_group = section.text, True
        elif open_group and len(f"{joined}\n{section.text}") < budget:
            kept[-1].append(section.id)
            joined = f"{joined}\n{section.text}"
        else:
            joined, open_group = "", False
    segments = segment_paper(whole, rule(budget, rule="original"))
    assert [[ref.id for ref in one.sections] for one in segments] == kept


def test_sample_loses_sections_under_the_original_rule_alone(shared_data: Path) -> None:
    path = shared_data / "papers" / "derived" / "paperpersichat_segmented.json"
    with open(path, "rb") as stream:
        [whole] = [one for one in read_papers(stream) if isinstance(one, Paper)]
    kept = {
        number
        for numbers in groups(segment_paper(whole, SegmentRule(rule="original")))
        for number in numbers
    }
    assert sorted(set(range(22)) - kept) == [1, 4, 10, 12, 15, 18]
    carried = segment_paper(whole, SegmentRule())
    assert [number for numbers in groups(carried) for number in numbers] == list(range(22))
    assert [len(one.sections) for one in carried if len(one.text) >= 3500] == [1, 1]


LONG = [("a", 600), ("i", 600), ("m", 1200), ("m", 40), ("e", 1500), ("k", 1100)]


def test_selection_takes_and_passes_over() -> None:
    whole = paper(*LONG, ("r", 999))
    chosen = select_segments(whole, SegmentRule())
    assert [one.id for one in chosen.segments] == ["p_0", "p_2", "p_4"]
    assert [(one.id, one.code) for one in chosen.skipped] == [
        ("p_5", "acknowledgement"),
        ("p_6", "too_short"),
    ]
    assert chosen.paper_skip is None
    assert all(one.code in SEGMENT_CODES and one.detail for one in chosen.skipped)


def test_acknowledgement_counts_as_last_section_alone() -> None:
    first_two = paper(("k", 10), ("a", 10), ("m", 10), ("a", 10), ("k", 10))
    chosen = select_segments(first_two, rule(min_chars=0))
    assert [one.id for one in chosen.segments] == ["p_0", "p_2", "p_3"]
    last = paper(("a", 10), ("k", 10), ("m", 10), ("a", 10), ("e", 10))
    assert [one.id for one in select_segments(last, rule(min_chars=0)).skipped] == ["p_0"]


@pytest.mark.parametrize(("count", "skipped"), [(4, True), (5, False)])
def test_papers_with_too_few_sections(count: int, skipped: bool) -> None:
    chosen = select_segments(paper(*[("m", 1500)] * count), SegmentRule())
    assert bool(chosen.segments) is not skipped
    expected = PaperSkip("p", "too_few_sections", "4 sections, at least 5 are needed")
    assert chosen.paper_skip == (expected if skipped else None)


def test_a_paper_without_sections_is_passed_over_under_any_rule() -> None:
    for per_paper in ("one", "all"):
        chosen = select_segments(paper(), rule(min_sections=0, per_paper=per_paper))
        assert (chosen.segments, chosen.skipped) == ((), ())
        assert chosen.paper_skip is not None


def test_one_draw_and_no_second() -> None:
    drawn: set[str] = set()
    for seed in range(60):
        chosen = select_segments(paper(*LONG), SegmentRule(per_paper="one", seed=seed))
        assert len(chosen.segments) + len(chosen.skipped) == 1
        drawn.update(one.id for one in chosen.segments)
        drawn.update(one.id for one in chosen.skipped)
    assert drawn == {"p_0", "p_2", "p_4", "p_5"}


def test_draw_depends_on_seed_and_paper_alone() -> None:
    papers = [paper(*LONG, paper_id=f"paper{n}") for n in range(40)]
    picks = {p.paper_id: select_segments(p, SegmentRule(per_paper="one", seed=3)) for p in papers}
    random.Random(1).shuffle(papers)
    for one in papers:
        rule_again = SegmentRule(per_paper="one", seed=3)
        assert select_segments(one, rule_again) == picks[one.paper_id]
    places = {one.segments[0].id[-1] for one in picks.values() if one.segments}
    assert places == {"0", "2", "4"}


@pytest.mark.parametrize(
    "settings_",
    [
        {"budget": 0},
        {"min_chars": -1},
        {"min_sections": -1},
        {"rule": "other"},
        {"per_paper": "two"},
    ],
    ids=lambda values: next(iter(values)),
)
def test_impossible_rules_are_refused(settings_: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings_))):
        SegmentRule(**settings_)  # type: ignore[arg-type]
