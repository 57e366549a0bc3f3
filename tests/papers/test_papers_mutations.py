"""Whatever happens to a valid record or document, reading it never raises."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.papers import READ_CODES, Paper, Unread, classify_heading, read_papers

from .conftest import RECORDS
from .test_papers_text import MARKDOWN, PLAIN
from .test_papers_xml import JATS, tei

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["\ud800", "\0", "", " ", "a::b", "1" * 30, "[]", '[{"start": "x"}]']),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the path of every value below the top."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found: list[tuple[Any, ...]] = []
    for key, child in inner:
        found.append((*path, key))
        if isinstance(child, (dict, list)):
            found.extend(places(child, (*path, key)))
    return found


@st.composite
def mutated_records(draw: st.DrawFn) -> Any:
    """Take a valid record and put other values, or none, in some of its places."""
    record = copy.deepcopy(RECORDS[draw(st.sampled_from(sorted(RECORDS)))])
    for _ in range(draw(st.integers(1, 4))):
        open_places = places(record)
        if not open_places:
            break
        *above, last = draw(st.sampled_from(open_places))
        holder: Any = record
        for key in above:
            holder = holder[key]
        if draw(st.booleans()):
            holder[last] = draw(VALUES)
        else:
            del holder[last]
    return record


def check(results: list[Paper | Unread]) -> None:
    """Hold what every result must: known codes, storable text, ids that are all different."""
    for result in results:
        if isinstance(result, Unread):
            assert result.code in READ_CODES
            result.detail.encode()
            continue
        assert result.paper_id
        assert result.sections
        assert all(section.text.strip() for section in result.sections)
        ids = [section.id for section in result.sections]
        assert len(set(ids)) == len(ids)
        strings = [result.paper_id, result.title]
        strings.extend(part for s in result.sections for part in (s.id, s.title, s.text))
        text = "".join(strings)
        text.encode()
        assert "\0" not in text


@settings(deadline=None, max_examples=300)
@given(mutated_records())
def test_mutated_records_never_raise(record: Any) -> None:
    results = list(read_papers(io.BytesIO(json.dumps(record).encode())))
    assert len(results) >= 1
    check(results)


@settings(deadline=None, max_examples=100)
@given(st.lists(VALUES, min_size=1, max_size=5))
def test_any_json_lines_are_each_answered(values: list[Any]) -> None:
    content = "\n".join(json.dumps(value) for value in [RECORDS["scipdf"], *values])
    results = list(read_papers(io.BytesIO(content.encode())))
    assert len(results) >= 1 + len(values)
    check(results)


DOCUMENTS = [
    json.dumps(RECORDS["s2orc-doc2json"], indent=1),
    "\n".join(json.dumps(record) for record in RECORDS.values()),
    tei(),
    JATS,
    MARKDOWN,
    PLAIN,
]


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from(DOCUMENTS),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.binary(max_size=6)), max_size=4),
)
def test_damaged_bytes_never_raise(document: str, cuts: list[tuple[float, int, bytes]]) -> None:
    data = document.encode()
    for where, length, inserted in cuts:
        at = int(where * len(data))
        data = data[:at] + inserted + data[at + length :]
    check(list(read_papers(io.BytesIO(data))))


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    results = list(read_papers(io.BytesIO(data)))
    assert len(results) >= 1
    check(results)


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=300))
def test_any_text_is_answered(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    results = list(read_papers(io.BytesIO(data)))
    assert len(results) >= 1
    check(results)


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60))
def test_any_heading_can_be_asked_for(title: str) -> None:
    kind = classify_heading(title)
    assert kind is None or classify_heading(f"3.1 {title}") in {kind, None}


@pytest.mark.parametrize("cut", range(1, 200, 13))
def test_any_prefix_of_lines_gives_the_whole_lines_before_it(cut: int) -> None:
    line = json.dumps(RECORDS["scipdf"]).encode() + b"\n"
    results = list(read_papers(io.BytesIO(line * 2 + line[: min(cut, len(line) - 2)])))
    assert [isinstance(result, Paper) for result in results] == [True, True, False]
    assert isinstance(results[2], Unread)
    assert (results[2].code, results[2].line) == ("torn_line", 3)
