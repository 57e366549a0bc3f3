"""The shipped examples: enough segments, each with questions that the rules know."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.grammar import sentence_grammar
from generator.inputs import SourcedPaper, iter_papers
from generator.values import Constraint
from parsers.segments import Segment, SegmentRule, select_segments

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def segments_of(lang: str) -> dict[str, list[Segment]]:
    found = {}
    for met in iter_papers([str(EXAMPLES / lang)]):
        assert isinstance(met, SourcedPaper)
        found[met.paper.format] = list(select_segments(met.paper, SegmentRule()).segments)
    return found


@pytest.mark.parametrize(
    ("lang", "counts"),
    [("en", {"scipdf": 4, "markdown": 3, "s2orc-doc2json": 3}), ("zh", {"markdown": 2})],
    ids=["en", "zh"],
)
def test_the_examples_give_segments(lang: str, counts: dict[str, int]) -> None:
    assert {name: len(segments) for name, segments in segments_of(lang).items()} == counts


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_segment_has_a_grammar_without_free_questions(lang: str) -> None:
    for segments in segments_of(lang).values():
        for segment in segments:
            made = sentence_grammar(segment.text, "zh" if lang == "zh" else "en")
            assert isinstance(made, Constraint)
            assert "freequestion" not in made.body
