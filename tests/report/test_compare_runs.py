"""Two runs side by side: figures, pages of items, and what is said where they do not match."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import Made, made_run

from generator.cli import main
from generator.comparing import CHANGES, RunPair, compare_runs
from generator.errors import StoreFault, WrongUse
from generator.values import Usage

ECHO, LOOP, DOUBLE = "filter/echo", "filter/loop", "corpus/duplicate_dialogue"


def rejected(name: str, *reasons: str, **more: Any) -> Made:
    return Made(name, "rejected", reasons, **more)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Five items in both, one of its own in each."""
    a = made_run(
        tmp_path / "a",
        [
            Made("one", measures={"summary_tokens": 10, "echo_max": 0.5}),
            Made("two", measures={"summary_tokens": 30, "echo_max": 0.1}),
            rejected("three", ECHO, LOOP),
            rejected("four", DOUBLE, corpus=True),
            Made("five", "failed"),
            Made("alone-a"),
        ],
    )
    b = made_run(
        tmp_path / "b",
        [
            Made("alone-b", "pending"),
            Made("one", measures={"summary_tokens": 16, "ended_by": "rounds"}),
            rejected("two", LOOP),
            Made("three", measures={"summary_tokens": 50}),
            rejected("four", LOOP),
            Made("five", measures={"summary_tokens": 60}, usage=Usage(None, None)),
        ],
        roles={"writer": {"spec": "openai:model-b", "capabilities": {}}},
        settings={"filters": {"max_echo": 0.7}},
    )
    return a, b


def test_figures_are_over_the_items_in_both(runs: tuple[Path, Path]) -> None:
    found = compare_runs(*runs)
    assert (found.shared, found.only_a, found.only_b) == (5, 1, 1)
    assert found.a.shared == {"accepted": 2, "rejected": 2, "failed": 1, "pending": 0}
    assert found.b.shared == {"accepted": 3, "rejected": 2, "failed": 0, "pending": 0}
    assert (found.a.yield_share, found.b.yield_share) == (0.5, 0.6)
    assert (found.gained, found.lost, found.other_reason) == (2, 1, 1)
    assert found.moved == {
        ("accepted", "accepted"): 1, ("accepted", "rejected"): 1, ("rejected", "accepted"): 1,
        ("rejected", "rejected"): 1, ("failed", "accepted"): 1,
    }  # fmt: skip
    assert found.a.counts["items"] == 6
    assert found.adds_up


def test_reasons_stand_side_by_side_as_first_and_at_all(runs: tuple[Path, Path]) -> None:
    found = {f"{r.stage}/{r.code}": r for r in compare_runs(*runs).reasons}
    assert list(found) == [LOOP, DOUBLE, ECHO]
    loop = found[LOOP]
    assert (loop.first_a, loop.any_a, loop.first_b, loop.any_b) == (0, 1, 2, 2)
    double = found[DOUBLE]
    assert (double.first_a, double.any_b) == (1, 0)


def test_measures_have_means_medians_and_the_difference_of_the_same_items(
    runs: tuple[Path, Path],
) -> None:
    found = {m.name: m for m in compare_runs(*runs).measures}
    assert list(found) == ["summary_tokens", "echo_max"]
    tokens = found["summary_tokens"]
    assert tokens.length
    assert (tokens.a.mean, tokens.a.median, tokens.b.mean, tokens.b.median) == (20, 20, 42, 50)
    assert tokens.difference == 22
    assert (tokens.paired, tokens.paired_difference) == (1, 6)
    assert (found["echo_max"].b.count, found["echo_max"].difference) == (0, None)


def test_what_was_set_otherwise_is_named(runs: tuple[Path, Path]) -> None:
    found = compare_runs(*runs)
    assert [(s.name, s.a, s.b) for s in found.settings] == [("filters.max_echo", 0.6, 0.7)]
    assert found.b.models == {"writer": "openai:model-b"}
    assert found.a.prompt_tokens == 500
    assert found.a.cost == 0
    assert (found.b.prompt_tokens, found.b.cost) == (None, None)


@pytest.mark.parametrize(
    ("change", "ids"),
    [
        ("all", ["one", "two", "three", "four", "five", "alone-a", "alone-b"]),
        ("changed", ["two", "three", "five"]),
        ("gained", ["three", "five"]),
        ("lost", ["two"]),
        ("other_reason", ["four"]),
        ("both_accepted", ["one"]),
        ("both_rejected", ["four"]),
        ("only_a", ["alone-a"]),
        ("only_b", ["alone-b"]),
    ],
    ids=str,
)
def test_items_can_be_narrowed(runs: tuple[Path, Path], change: str, ids: list[str]) -> None:
    with RunPair(*runs) as pair:
        assert [item.id for item in pair.items(change)] == ids


def test_every_narrowing_is_tested() -> None:
    tested = test_items_can_be_narrowed.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {change for change, _ in tested} == set(CHANGES)


def test_an_unknown_narrowing_names_those_there_are(runs: tuple[Path, Path]) -> None:
    with RunPair(*runs) as pair, pytest.raises(WrongUse, match="both_accepted"):
        next(pair.items("nearly"))


def test_one_item_in_full_has_both_raw_outputs(tmp_path: Path) -> None:
    a = made_run(tmp_path / "a", [rejected("x", LOOP, raw="first text", parsed={"summary": "s"})])
    b = made_run(tmp_path / "b", [Made("x", raw="second text", record={"n": 2}), Made("y")])
    with RunPair(a, b) as pair:
        both = pair.sample("key-x")
        one = pair.sample("key-y")
        assert pair.sample("key-z") is None
    assert both is not None
    assert one is not None
    assert (both.a.raw, both.b.raw) == (("first text",), ("second text",))
    assert (both.a.parsed, both.b.record) == ({"summary": "s"}, {"n": 2})
    assert both.a.standing.reason == LOOP
    assert (one.a.standing.place, one.a.raw, one.b.standing.place) == ("absent", (), "accepted")


SEEN_AS = {"corpus": "rejected", "overruled": "accepted", "refused": "rejected"}
PLACES = st.sampled_from(["accepted", "rejected", "failed", "pending", "absent", *SEEN_AS])


def made(name: str, place: str) -> Made:
    """An item that is seen in `SEEN_AS[place]`, or in `place` itself."""
    if place == "corpus":
        return rejected(name, DOUBLE, corpus=True)
    if place == "overruled":
        return rejected(name, LOOP, decision="accept")
    if place == "refused":
        return Made(name, decision="refuse")
    return Made(name, place, (LOOP,) if place == "rejected" else ())


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(PLACES, PLACES), max_size=14), st.integers(1, 5))
def test_pages_of_any_size_show_every_pair_once_and_the_counts_add_up(
    tmp_path_factory: pytest.TempPathFactory, places: list[tuple[str, str]], size: int
) -> None:
    folder = tmp_path_factory.mktemp("pages")
    sides: tuple[list[Made], list[Made]] = ([], [])
    for number, pair in enumerate(places):
        for side, place in zip(sides, pair, strict=True):
            if place != "absent":
                side.append(made(str(number), place))
    runs = made_run(folder / "a", sides[0]), made_run(folder / "b", reversed(sides[1]))
    known = [tuple(SEEN_AS.get(p, p) for p in pair) for pair in places]
    moved = Counter(pair for pair in known if "absent" not in pair)
    with RunPair(*runs) as both:
        found = both.compare()
        seen: list[tuple[str, str, str]] = []
        after = None
        for _ in count():
            page = list(both.items("all", after=after, limit=size))
            if not page:
                break
            seen += [(i.id, i.a.place, i.b.place) for i in page]
            after = page[-1].cursor
        changed = [i.id for i in both.items("changed")]
    assert found.adds_up
    assert found.moved == moved
    assert sorted(seen) == sorted(
        (str(n), *pair) for n, pair in enumerate(known) if pair != ("absent", "absent")
    )
    in_a = [s[0] for s in seen if s[1] != "absent"]
    assert in_a == sorted(in_a, key=int)
    assert changed == [
        str(n) for n, (a, b) in enumerate(known) if a != b and "absent" not in (a, b)
    ]


def test_a_person_s_word_counts_in_a_comparison(tmp_path: Path) -> None:
    a = made_run(tmp_path / "a", [rejected("x", LOOP), Made("y"), rejected("z", LOOP)])
    b = made_run(
        tmp_path / "b",
        [rejected("x", LOOP, decision="accept"), Made("y", decision="refuse"),
         rejected("z", LOOP, decision="refuse")],
    )  # fmt: skip
    with RunPair(a, b) as pair:
        found = pair.compare()
        (z,) = pair.items("other_reason")
    assert (found.gained, found.lost, found.other_reason) == (1, 1, 1)
    assert z.b.reason == "person/refused_by_person"
    assert z.b.reasons[0]["detail"] == "as I see it"
    assert found.adds_up


def test_a_run_beside_its_copy_differs_in_nothing(tmp_path: Path) -> None:
    items = [Made("x", measures={"pairs": 4}), rejected("y", ECHO)]
    found = compare_runs(made_run(tmp_path / "a", items), made_run(tmp_path / "b", items))
    assert (found.gained, found.lost, found.other_reason, found.settings) == (0, 0, 0, ())
    assert found.warnings == ()
    assert [m.difference for m in found.measures] == [0]


@pytest.mark.parametrize(
    ("items", "about", "words"),
    [
        ([Made("z")], {}, "no item in common"),
        ([Made("x"), Made("z")], {}, "1 items are in both runs, 0 in A alone, 1 in B alone"),
        ([Made("x")], {"recipe": "paperpersichat-selfplay"}, "different recipes"),
        ([Made("x")], {"ended": False}, "B is not finished"),
    ],
    ids=["other inputs", "some inputs", "another recipe", "unfinished"],
)
def test_what_makes_figures_hard_to_compare_is_said(
    tmp_path: Path, items: list[Made], about: dict[str, Any], words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    a = made_run(tmp_path / "a", [Made("x")])
    b = made_run(tmp_path / "b", items, **about)
    assert any(words in warning for warning in compare_runs(a, b).warnings)
    assert main(["compare", str(a), str(b)]) == 0
    assert f"note: {next(w for w in compare_runs(a, b).warnings)}" in capsys.readouterr().out


def test_what_is_no_run_is_said_and_exits_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = made_run(tmp_path / "a", [])
    (tmp_path / "notes").mkdir()
    assert main(["compare", str(a), str(tmp_path / "notes")]) == 2
    assert "notes is no run directory" in capsys.readouterr().err
    assert main(["compare", str(tmp_path / "nothing"), str(a)]) == 2
    assert "nothing is no run directory" in capsys.readouterr().err


def test_a_run_beside_itself_is_refused(tmp_path: Path) -> None:
    a = made_run(tmp_path / "a", [])
    (tmp_path / "link").symlink_to(a, target_is_directory=True)
    with pytest.raises(WrongUse, match="same run"):
        compare_runs(a, tmp_path / "link")


def test_a_damaged_store_is_named(tmp_path: Path) -> None:
    a, b = made_run(tmp_path / "a", []), made_run(tmp_path / "b", [])
    (b / "store.sqlite").write_bytes(b"no database" * 200)
    with pytest.raises(StoreFault, match="no run store"):
        compare_runs(a, b)


def test_the_terminal_shows_figures_then_items(
    runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *map(str, runs), "--limit", "2"]) == 0
    shown = capsys.readouterr().out
    assert "yield" in shown
    assert "+10.0 pt" in shown
    assert "filters.max_echo: 0.6 → 0.7" in shown
    assert "2 gained, 1 lost" in shown
    assert "A  rejected  filter/echo: it is so" in shown
    assert "\nfive" not in shown
    assert main(["compare", *map(str, runs), "--limit", "0"]) == 0
    assert "it is so" not in capsys.readouterr().out


def test_json_lines_hold_the_figures_then_the_items(
    runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *map(str, runs), "--json", "--items", "all"]) == 0
    first, *items = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (first["shared"], first["gained"], first["b"]["yield"]) == (5, 2, 0.6)
    assert sum(moved["items"] for moved in first["moved"]) == 5
    assert [item["id"] for item in items][-1] == "alone-b"
    assert items[2]["a"]["reasons"][1]["code"] == "loop"


@pytest.mark.parametrize("text", ["\x1b[2J\x07", "\u202eevil", "x\nA  accepted", "\x9b31m"])
def test_corpus_text_cannot_steer_the_terminal(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    a = made_run(tmp_path / "a", [rejected("x", LOOP, detail=text, item_id=text)])
    b = made_run(tmp_path / "b", [Made("x", item_id=text)])
    assert main(["compare", str(a), str(b)]) == 0
    shown = capsys.readouterr().out
    assert not any(c in shown for c in "\x1b\x07\x9b\u202e")
    assert "\nA  accepted" not in shown


def test_memory_does_not_grow_with_the_items(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        sides = [
            made_run(
                tmp_path / f"{side}{number}",
                (Made(str(n), measures={"pairs": n % 7, "echo_max": n % 97 / 97})
                 for n in range(number)),
            )
            for side in "ab"
        ]  # fmt: skip
        tracemalloc.start()
        try:
            compare_runs(*sides)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    small = peak(400)
    assert peak(4_000) < 1.2 * small + 50_000
