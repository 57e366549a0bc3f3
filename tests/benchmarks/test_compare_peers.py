"""The comparison with peers: what it measures is so, what it writes is what it measured."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
MODULES = (
    "compare",
    "comparison_table",
    "peer_list",
    "peer_environments",
    "fast_server",
    "served_answers",
    "material",
)


@pytest.fixture(scope="module")
def modules() -> Any:
    """The programs' modules by name; gone again from the interpreter afterwards."""
    sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "peers")]
    try:
        yield {name: importlib.import_module(name) for name in (*MODULES, "adapter")}
    finally:
        del sys.path[:2]
        for name in (*MODULES, "adapter"):
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def compare(modules: dict[str, ModuleType]) -> Any:
    return modules["compare"]


@pytest.fixture(scope="module")
def table(modules: dict[str, ModuleType]) -> Any:
    return modules["comparison_table"]


def peer(modules: dict[str, ModuleType], name: str, script: str, *requirements: str) -> Any:
    return modules["peer_list"].Peer(name, script, requirements, 50, "as it is", "no page")


@pytest.fixture(scope="module")
def small(modules: dict[str, ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A whole comparison of tiny size: this project, a bare loop, one that is not there, one
    whose script does not run."""
    return modules["compare"].compare(
        [
            peer(modules, "dialogsmith", "ours"),
            peer(modules, "bare loop", "bare_openai"),
            peer(modules, "absent", "bare_openai", "openai==0.0.0"),
            peer(modules, "broken", "no_such_script"),
        ],
        [modules["comparison_table"].Cell(work, 0, 2) for work in ("single", "selfplay")],
        envs=tmp_path_factory.mktemp("envs"),
        install=False,
        rounds=1,
        shorter_s=0.01,
    )


@pytest.mark.parametrize(("work", "calls"), [("single", 1), ("selfplay", 9)])
@pytest.mark.parametrize("name", ["dialogsmith", "bare loop"])
def test_every_dialogue_is_whole_and_every_call_is_counted(
    small: Any, table: Any, name: str, work: str, calls: int
) -> None:
    (measured,) = small.figures[name, table.Cell(work, 0, 2)].rounds
    assert measured["fault"] == ""
    assert measured["good"] == measured["dialogues"] == 2
    assert measured["calls"] == 2 * calls
    for figure in ("work_s", "cpu_s", "peak_mb", "in_flight"):
        assert measured[figure] > 0


def test_the_tables_show_what_was_measured_and_name_what_was_not(small: Any, table: Any) -> None:
    text = table.markdown(small)
    for cell in small.cells:
        for name in ("dialogsmith", "bare loop"):
            found = small.figures[name, cell]
            shown = [
                name,
                table.number(found.dialogues_a_second),
                table.number(found.calls_a_second),
            ]
            assert f"| {' | '.join(shown)} |" in text
    assert text.count("| absent | not installed") == len(small.cells)
    assert text.count("| broken | exit code 2: ") == len(small.cells)
    assert "- absent: as it is (no page). **not measured: not installed" in text


def test_the_tables_take_the_place_of_the_last_ones_and_nothing_else(
    small: Any, table: Any, tmp_path: Path
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n", encoding="utf-8")
    table.write_into(readme, table.markdown(small))
    table.write_into(readme, table.markdown(small))
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{table.BEGIN}\n")
    assert text.endswith(f"{table.END}\nafter\n")
    assert "old" not in text
    assert text.count(small.taken) == 1


def test_a_page_without_a_place_for_the_tables_is_left_alone(table: Any, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("no marks\n", encoding="utf-8")
    with pytest.raises(ValueError, match="marks"):
        table.write_into(readme, "tables")
    assert readme.read_text(encoding="utf-8") == "no marks\n"


def test_the_readme_has_the_place_for_the_tables(table: Any) -> None:
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    assert text.index(table.BEGIN) < text.index(table.END)


def a_round(**figures: float) -> dict[str, Any]:
    usual = {"dialogues": 10, "good": 10, "start_s": 0.5, "work_s": 2.0, "cpu_s": 1.0,
             "peak_mb": 100.0, "calls": 90, "in_flight": 4, "fault": ""}  # fmt: skip
    return {**usual, **figures}


def test_figures_are_medians_of_good_dialogues(table: Any) -> None:
    rounds = [a_round(work_s=1.0), a_round(work_s=2.0), a_round(work_s=4.0, good=0)]
    found = table.Measured(rounds)
    assert found.dialogues_a_second == 5.0
    assert found.calls_a_second == 45.0
    assert found.cpu_s_a_thousand == pytest.approx(1000 / 90)


def test_a_tool_that_fails_fast_does_not_look_fast(
    modules: dict[str, ModuleType], table: Any
) -> None:
    cell = table.Cell("selfplay", 200, 10)
    made = table.Comparison(
        [peer(modules, "dialogsmith", "ours"), peer(modules, "hasty", "hasty")],
        [cell],
    )
    made.figures["dialogsmith", cell] = table.Measured([a_round()])
    made.figures["hasty", cell] = table.Measured(
        [a_round(work_s=0.01, good=0, fault="an empty text")], "an empty text"
    )
    text = table.markdown(made)
    assert "| hasty | – |" in text
    assert "| hasty | 0.000 (10 missing or wrong: an empty text) |" in text
    assert "at best 5.56 dialogues/s" in text


TALK = [f"In paper 7, turn {number}?" for number in range(8)]


@pytest.mark.parametrize(
    ("kind", "dialogues", "good", "fault"),
    [
        pytest.param("selfplay", [TALK], 1, "", id="whole"),
        pytest.param("selfplay", [TALK[:7]], 0, "7 texts instead of 8", id="short"),
        pytest.param("selfplay", [[*TALK[:7], " "]], 0, "an empty text", id="blank"),
        pytest.param("selfplay", [[*TALK[:7], TALK[0]]], 0, "the same turn twice", id="stuck"),
        pytest.param("selfplay", [TALK, TALK], 1, "another dialogue's text", id="answered twice"),
        pytest.param("single", [["Sorry, no."]], 0, "or none", id="no dialogue"),
        pytest.param("single", [[]], 0, "0 texts instead of 1", id="nothing"),
    ],
)
def test_what_a_tool_wrote_is_checked(
    modules: dict[str, ModuleType], kind: str, dialogues: list[list[str]], good: int, fault: str
) -> None:
    whole, found = modules["adapter"].checked(kind, dialogues)
    assert whole == good
    assert fault in found
    assert bool(found) == bool(fault)


def test_a_tool_that_hangs_is_ended(
    modules: dict[str, ModuleType],
    compare: Any,
    table: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "sleeper.py").write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(compare, "FOLDER", tmp_path)
    monkeypatch.setattr(compare, "TIMEOUT_S", 0.2)
    here = modules["peer_environments"].Environment(Path(sys.executable), {})
    sleeper = peer(modules, "sleeper", "sleeper")
    cell = table.Cell("single", 0, 2)
    got = compare.measure(sleeper, here, cell, "http://127.0.0.1:9", 2, 1, 1.0)
    assert not got.rounds
    assert got.fault.startswith("not done after 0.2 s")


@pytest.mark.parametrize(
    ("pace", "concurrency", "made"),
    [
        pytest.param(1000, 1, 20, id="bound by the latency"),
        pytest.param(1000, 1000, 4000, id="bound by its pace"),
        pytest.param(50, 1000, 500, id="slow: fewer than may be in flight"),
    ],
)
def test_a_round_is_as_long_for_everyone(
    modules: dict[str, ModuleType], compare: Any, table: Any, pace: int, concurrency: int, made: int
) -> None:
    tool = modules["peer_list"].Peer("tool", "tool", (), pace, "", "")
    assert compare.dialogues(tool, table.Cell("single", 200, concurrency), 4.0) == made


def test_all_peers_have_a_script_settings_and_their_source(
    modules: dict[str, ModuleType],
) -> None:
    peers = modules["peer_list"].PEERS
    assert len({tool.name for tool in peers}) == len(peers)
    for tool in peers:
        assert (BENCHMARKS / "peers" / f"{tool.script}.py").is_file()
        assert tool.settings
        assert tool.source
        assert all("==" in wanted for wanted in tool.requirements)
