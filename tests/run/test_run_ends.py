"""The files at the end of a run are those that its store gives, byte for byte, however quickly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_runs import (
    RECIPE,
    dialogue_about,
    make_run,
    make_talks,
    places,
    varied_answers,
    varied_talks,
)
from plain_views import plain_views, written_views

import generator
from generator.deciding import decide
from generator.filters.model import FilterSettings
from generator.json_text import JsonText
from generator.recipes.selfplay import SelfPlayOptions
from generator.refiltering import refilter
from generator.shapes import dump_line, dump_record
from generator.store import RunStore
from generator.store.rows import to_json

_TEXTS = st.text(st.characters(), max_size=8) | st.text(st.sampled_from('"\\,: {}[]\n\0\u2028é水e'))
_NUMBERS = (
    st.integers()
    | st.integers(-(10**25), 10**25)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([1e16, 1e-7, 1e-5, 1e-4, 99999.5e11, 1e15, -0.0, 1e22, 5e-324, 0.00012])
)
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=600)
@given(st.dictionaries(_TEXTS, _VALUES, max_size=5))
def test_a_line_is_the_same_whether_it_was_decoded_or_not(value: dict[str, Any]) -> None:
    assert dump_line(value) == dump_record(value).encode() + b"\n"
    stored = to_json(value)
    decoded = dump_record(json.loads(stored)).encode()
    assert dump_line(JsonText(stored.encode())) == decoded + b"\n"
    within = dump_line({"a": [JsonText(stored.encode())], "\ud800": 2**70})
    assert within == b'{"a": [' + decoded + b'], "\xef\xbf\xbd": 1180591620717411303424}\n'


@pytest.mark.parametrize(
    "text",
    ['{"a": 1,"b":[2]}', '{"a":1,\n"b":[2]}', '{"a":1e-05}', '{"a":1E5,"true":false}'],
    ids=["space", "line-end", "python-float", "large-e"],
)
def test_text_that_others_wrote_becomes_the_same_line(text: str) -> None:
    expected = json.dumps(json.loads(text)).encode() + b"\n"
    assert dump_line(JsonText(text.encode())) == expected


@given(st.dictionaries(_TEXTS, st.integers(0, 9), max_size=4), _TEXTS)
@settings(deadline=None, max_examples=100)
def test_an_object_kept_as_text_is_that_object(value: dict[str, int], name: str) -> None:
    known = json.loads(to_json(value))
    asked = json.loads(to_json([name]))[0]
    assert JsonText(to_json(value).encode()).get(asked, -1) == known.get(asked, -1)
    assert JsonText(to_json(value).encode()) == known


def test_dialogues_of_every_kind_and_what_people_decided(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    make_run(folder, varied_answers(), concurrency=1)
    others = folder / "others.jsonl"
    others.write_text('{"title": \n' + json.dumps({"title": "短", "sections": []}) + "\n")
    run = tmp_path / "run"
    generator.generate(
        RECIPE, [folder / "papers.jsonl", others], out=run,
        model=f"scripted:{folder / 'script.jsonl'}",
    )  # fmt: skip
    found = places(run)
    assert {"accepted", "duplicate_dialogue", "content_filter", "truncated"} <= {*found.values()}
    assert all(written_views(run).values())
    assert written_views(run) == plain_views(run)
    by_place = {place: key for key, place in found.items()}
    told = [("person", "它是什么？"), ("bot", "مقياس، 1e-7.")]
    edit = {
        "summary": 'An "edit", told: \\ anew.',
        "turns": [{"speaker": speaker, "text": text} for speaker, text in told],
    }
    decide(run, by_place["truncated"], "accept", edited=edit, note='"so"')
    decide(run, next(iter(found)), "refuse")
    assert written_views(run) == plain_views(run)
    refilter(run, filters={"min_pairs": 4})
    assert written_views(run) == plain_views(run)


def test_talks_of_many_calls(tmp_path: Path) -> None:
    run = make_talks(tmp_path, varied_talks(), options=SelfPlayOptions(rounds=2))
    assert {"accepted", "leak", "repeated_in_corpus"} <= {*places(run).values()}
    assert written_views(run) == plain_views(run)


def test_answers_that_were_asked_with_another_cap(tmp_path: Path) -> None:
    answers: list[str | dict[str, Any]] = [
        dialogue_about(0),
        {"text": dialogue_about(1), "finish_reason": "length"},
    ]
    run = make_run(tmp_path, answers)
    before = written_views(run)
    assert before == plain_views(run)
    generator.generate(
        RECIPE, tmp_path / "papers.jsonl", out=run, model=f"scripted:{tmp_path / 'script.jsonl'}",
        sampling={"writer": {"max_tokens": 3000}}, retry_truncated=True,
    )  # fmt: skip
    assert b'"other_max_tokens": {"writer": 3000}' in (run / "rejected.jsonl").read_bytes()
    assert written_views(run) == plain_views(run)


def test_answers_that_another_run_was_given(tmp_path: Path) -> None:
    run = make_run(tmp_path, [dialogue_about(0), dialogue_about(1)])
    branch = tmp_path / "branch"
    generator.generate(
        RECIPE, tmp_path / "papers.jsonl", out=branch, branch=run,
        model=f"scripted:{tmp_path / 'script.jsonl'}", filters=FilterSettings(min_pairs=3),
    )  # fmt: skip
    assert written_views(branch) == plain_views(branch)


def test_copies_are_found_among_the_places_that_may_repeat(tmp_path: Path) -> None:
    run = make_run(tmp_path, [dialogue_about(n % 3) for n in range(6)])
    store = RunStore(run / "store.sqlite", create=False, writable=False)
    copies = {v.seq for _, v in store.judged() if v.corpus_reasons}
    assert copies
    assert copies <= {*store.repeated_places()}
    store.close()
