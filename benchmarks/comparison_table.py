"""The tables of the comparison, as Markdown, and their place in the README."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peer_list import CALLS, OURS, Peer

BEGIN, END = "<!-- comparison: written by compare.py -->", "<!-- end of comparison -->"
WORKS = {
    "single": "one call writes a dialogue",
    "selfplay": "self-play: a summary, then four rounds of question and answer, nine calls",
}


@dataclass(frozen=True)
class Cell:
    """What is measured alike for every tool."""

    work: str
    latency_ms: int
    concurrency: int

    @property
    def ideal(self) -> float | None:
        """Dialogues a second at which nothing but the server's latency is waited for."""
        if not self.latency_ms:
            return None
        return 1000 * self.concurrency / self.latency_ms / CALLS[self.work]


@dataclass(frozen=True)
class Measured:
    """The rounds of one tool in one cell, as its script reported them; or why there are none."""

    rounds: Sequence[Mapping[str, Any]] = ()
    fault: str = ""

    @staticmethod
    def _median(values: Iterable[float]) -> float:
        return float(statistics.median(values))

    def median(self, of: str) -> float:
        return self._median(each[of] for each in self.rounds)

    @property
    def dialogues_a_second(self) -> float:
        """Whole, checked dialogues, from the first request to the written output."""
        if not self.rounds:
            return 0.0
        return self._median(each["good"] / each["work_s"] for each in self.rounds)

    @property
    def calls_a_second(self) -> float:
        return self._median(each["calls"] / each["work_s"] for each in self.rounds)

    @property
    def cpu_s_a_thousand(self) -> float:
        return self._median(1000 * each["cpu_s"] / each["calls"] for each in self.rounds)


@dataclass
class Comparison:
    """All that was measured, with what is needed to judge it."""

    peers: Sequence[Peer]
    cells: Sequence[Cell]
    taken: str = ""
    """Date, machine, interpreter: one line."""
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    figures: dict[tuple[str, Cell], Measured] = field(default_factory=dict)


def markdown(made: Comparison) -> str:
    """The whole section: summary, one table a cell, settings and versions, what is missing."""
    parts = [made.taken, "", *_summary(made)]
    for cell in made.cells:
        parts += ["", *_table(made, cell)]
    return "\n".join([*parts, "", *_notes(made)]) + "\n"


def around(readme: Path) -> tuple[str, str]:
    """What stands before and after the tables. Raises `ValueError` where there is no place."""
    before, begun, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (begun and ended):
        raise ValueError(f"{readme}: the marks {BEGIN} and {END} are not there")
    return before, after


def write_into(readme: Path, section: str) -> None:
    """Replace what stands between the two marks. Raises `ValueError` where they are missing."""
    before, after = around(readme)
    readme.write_text(f"{before}{BEGIN}\n\n{section}\n{END}{after}", encoding="utf-8")


def number(value: float) -> str:
    """Three digits that count: 0.123, 1.23, 12.3, 1,234."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def _heading(cell: Cell) -> str:
    return f"{cell.work}, {cell.latency_ms} ms, {cell.concurrency} at once"


def _summary(made: Comparison) -> list[str]:
    """How many times as many dialogues a second this project makes."""
    lines = [
        f"How many times as many dialogues a second {OURS} makes as each tool:",
        "",
        "| tool | " + " | ".join(_heading(cell) for cell in made.cells) + " |",
        "|---" * (len(made.cells) + 1) + "|",
    ]
    for peer in made.peers:
        if peer.name == OURS:
            continue
        ratios = [_ratio(made, peer.name, cell) for cell in made.cells]
        lines.append(f"| {peer.name} | " + " | ".join(ratios) + " |")
    return lines


def _ratio(made: Comparison, name: str, cell: Cell) -> str:
    ours = made.figures.get((OURS, cell), Measured()).dialogues_a_second
    theirs = made.figures.get((name, cell), Measured()).dialogues_a_second
    return f"{number(ours / theirs)}×" if ours and theirs else "–"


def _table(made: Comparison, cell: Cell) -> list[str]:
    ideal = f"; at best {number(cell.ideal)} dialogues/s" if cell.ideal else ""
    lines = [
        f"**{WORKS[cell.work]}; {cell.latency_ms} ms latency, {cell.concurrency} at once{ideal}**",
        "",
        f"| tool | dialogues/s | calls/s | {OURS} ÷ it | CPU s per 1,000 calls | peak MB | "
        "start s | dialogues a round × rounds | most in flight |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    return [*lines, *(_row(made, peer.name, cell) for peer in made.peers)]


def _row(made: Comparison, name: str, cell: Cell) -> str:
    found = made.figures.get((name, cell), Measured(fault=made.absent.get(name, "not measured")))
    fault = found.fault.replace("|", "/")
    if not found.rounds:
        return f"| {name} | {fault} |" + " |" * 7
    lost = sum(int(each["dialogues"] - each["good"]) for each in found.rounds)
    wrong = f" ({lost} missing or wrong: {fault})" if lost else f" (then {fault})" * bool(fault)
    most = max(int(each["in_flight"]) for each in found.rounds)
    asked = sorted({int(each["dialogues"]) for each in found.rounds})[0]
    return (
        f"| {name} | {number(found.dialogues_a_second)}{wrong} | {number(found.calls_a_second)} | "
        f"{_ratio(made, name, cell)} | {number(found.cpu_s_a_thousand)} | "
        f"{found.median('peak_mb'):,.0f} | {found.median('start_s'):.1f} | "
        f"{asked:,} × {len(found.rounds)} | {most} |"
    )


def _notes(made: Comparison) -> list[str]:
    lines = ["Settings, their source, and versions:", ""]
    for peer in made.peers:
        versions = ", ".join(f"{k} {v}" for k, v in made.versions.get(peer.name, {}).items())
        why = made.absent.get(peer.name)
        state = f"**not measured: {why}**" if why else versions
        lines.append(f"- {peer.name}: {peer.settings} ({peer.source}). {state}")
    return lines
