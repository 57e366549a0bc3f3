"""What every peer's script shares: its arguments, its prompts, its clock and its report.

Runs inside the peer's own environment, so it needs the standard library alone. A script defines

    def run(work: Work) -> Iterable[Sequence[str]]

which makes `work.dialogues` dialogues, writes them where the tool writes its output, and gives
back an iterable over the texts of each dialogue in any order (one text for a single call; the
turns, without the summary, for self-play). Reading them back happens after the clock has stopped.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import resource
import shutil
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SINGLE, SELFPLAY = "single", "selfplay"
MODEL = "bench"
API_KEY = "local-benchmark"

ROUNDS = 4
TURNS = 2 * ROUNDS
TEMPERATURE, MAX_TOKENS = 0.7, 512
WARM_UP, WARM_UP_FIRST = 1, 5_000_000
"""Dialogues of the round that is not counted, and the number of its text."""

DIALOGUE_PROMPT = (
    "Generate a dialogue between you and another person based on the following paper. You have "
    "access to the paper. In the first utterance you should write a short summary. The other "
    "person sees only your summary and asks four (4) questions, separated by your answers.\n\n"
)
SUMMARY_PROMPT = (
    "Write a short summary of the following text in two or three sentences. Write only the "
    "summary.\n\n"
)
PERSON_PROMPT = (
    "You should be asking short questions about an article you can't see. You only see the "
    "following summary. Your task is to ask clarifying dependent questions in order to understand "
    "the source text. You can ask only single short question at each turn.\n"
)
BOT_PROMPT = (
    "You should briefly answer the questions on the following text. If there is no answer in the "
    "given text, then you must answer that there is not enough information. Your answers should "
    "be brief.\n"
)
OPENING = "Please ask your first question about the article."

Messages = list[dict[str, str]]


def dialogue_messages(text: str) -> Messages:
    """The one request of a single-call dialogue."""
    return [{"role": "user", "content": DIALOGUE_PROMPT + text}]


def summary_messages(text: str) -> Messages:
    return [{"role": "user", "content": SUMMARY_PROMPT + text}]


def turn_messages(text: str, summary: str, turns: Sequence[str]) -> Messages:
    """The request for the next turn; each side's own turns are `assistant`."""
    person = len(turns) % 2 == 0
    own = 0 if person else 1
    told = [
        {"role": "assistant" if at % 2 == own else "user", "content": turn}
        for at, turn in enumerate(turns)
    ]
    if person:
        system = {"role": "system", "content": PERSON_PROMPT + summary}
        return [system, {"role": "user", "content": OPENING}, *told]
    return [{"role": "system", "content": BOT_PROMPT + text}, *told]


@dataclass(frozen=True)
class Work:
    """One round: what to make, how much, against which server, and where to write."""

    kind: str
    base_url: str
    concurrency: int
    dialogues: int
    first: int
    """The number of the first text, so that no round asks what an earlier one asked."""
    texts: Path
    """JSON lines of {"number", "text"}, `dialogues` of them."""
    folder: Path

    def segments(self) -> list[str]:
        with self.texts.open(encoding="utf-8") as file:
            return [json.loads(line)["text"] for line in file]


Run = Callable[[Work], Iterable[Sequence[str]]]


@dataclass(frozen=True)
class Round:
    """What a round took; imports are not in it.

    `start_s` lies before the first request, `work_s` between it and the written output. `calls`
    and `in_flight` are as the server counted.
    """

    dialogues: int
    good: int
    start_s: float
    work_s: float
    cpu_s: float
    peak_mb: float
    calls: int
    in_flight: int
    fault: str = ""
    """What is wrong with the first dialogue that is not good, "" where all are."""


def address_of(base_url: str) -> str:
    """The server itself, without the latency it is asked for."""
    return base_url.rsplit("/", 2)[0]


def counted(address: str, path: str) -> dict[str, float]:
    with urllib.request.urlopen(f"{address}/{path}") as response:
        counts: dict[str, float] = json.loads(response.read())
        return counts


def processor_s() -> float:
    """User and system seconds of this process and of its children that have ended."""
    uses = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def peak_mb() -> float:
    """Peak memory of this process and, where it has children, of the largest child."""
    uses = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(use.ru_maxrss for use in uses) / 1024


_NUMBERED = re.compile(r"[Pp]aper (\d+)")


def checked(kind: str, dialogues: Iterable[Sequence[str]]) -> tuple[int, str]:
    """How many dialogues are whole, each about another paper; and what is wrong with one that
    is not."""
    numbers: set[str] = set()
    fault = ""
    for turns in dialogues:
        found = _NUMBERED.search(turns[0]) if turns else None
        wanted = 1 if kind == SINGLE else TURNS
        if len(turns) != wanted:
            fault = fault or f"{len(turns)} texts instead of {wanted}"
        elif not all(isinstance(turn, str) and turn.strip() for turn in turns):
            fault = fault or "an empty text"
        elif len(set(turns)) != len(turns):
            fault = fault or "the same turn twice"
        elif found is None or found[1] in numbers:
            fault = fault or f"another dialogue's text, or none: {turns[0][:60]!r}"
        else:
            numbers.add(found[1])
    return len(numbers), fault


def one_round(run: Run, work: Work, prepare: Callable[[Work], object]) -> Round:
    prepare(work)
    address = address_of(work.base_url)
    counted(address, "reset")
    began, cpu = time.monotonic(), processor_s()
    made = run(work)
    ended, cpu = time.monotonic(), processor_s() - cpu
    counts = counted(address, "stats")
    first = counts["first"] or ended
    good, fault = checked(work.kind, made)
    return Round(
        dialogues=work.dialogues,
        good=good,
        start_s=first - began,
        work_s=ended - first,
        cpu_s=cpu,
        peak_mb=peak_mb(),
        calls=int(counts["calls"]),
        in_flight=int(counts["most"]),
        fault=fault,
    )


def main(run: Run, prepare: Callable[[Work], object] = lambda work: None) -> None:
    """Read the arguments, run the rounds, print one JSON object a round on standard output.

    `--texts` names a folder with a file of texts a round, and one for the warm-up before them.
    `prepare` comes before the clock starts, for inputs in a form of the tool's own.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", choices=(SINGLE, SELFPLAY), required=True)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--concurrency", type=int, required=True)
    parser.add_argument("--dialogues", type=int, required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--enough-s", type=float, default=10.0)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--scratch", type=Path, required=True)
    given = parser.parse_args()
    report, sys.stdout = sys.stdout, sys.stderr  # Whatever a tool prints stays out of the report.
    for client in ("httpx", "httpx2"):  # A log line a request is no part of what is compared.
        logging.getLogger(client).setLevel(logging.WARNING)
    taken = 0.0
    for number in range(-1, given.rounds):
        warming = number < 0  # What is imported or made once, at the first use, counts for nobody.
        name = "warm-up" if warming else str(number)
        work = Work(
            kind=given.work,
            base_url=f"{address_of(given.base_url)}/0/v1" if warming else given.base_url,
            concurrency=given.concurrency,
            dialogues=WARM_UP if warming else given.dialogues,
            first=WARM_UP_FIRST if warming else number * given.dialogues,
            texts=given.texts / name,
            folder=given.scratch / name,
        )
        work.folder.mkdir(parents=True)
        measured = one_round(run, work, prepare)
        shutil.rmtree(work.folder, ignore_errors=True)
        if warming:
            continue
        print(json.dumps(measured.__dict__), file=report, flush=True)
        taken += measured.start_s + measured.work_s
        if taken > given.enough_s:
            return
