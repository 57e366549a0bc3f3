"""Runs to inspect: papers written for it, and answers with every kind of fault, by a script."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from generator import generate

THINGS = (
    "granary", "lighthouse", "orchard", "viaduct", "quarry", "harbour", "meadow", "foundry",
    "reservoir", "windmill", "observatory", "tannery", "shipyard", "brewery", "vineyard",
    "cathedral", "aqueduct", "workshop", "greenhouse", "boathouse",
)  # fmt: skip
READINGS = ("humidity", "pressure", "vibration", "salinity", "draught", "glare", "flow", "heat")
LOOKS = ("a second look", "a slower gauge", "a manual check", "an older ledger", "a paired probe")


def marker(number: int) -> str:
    """A word that stands in paper `number` and nowhere else."""
    return f"{THINGS[number % len(THINGS)]}{number}"


def text_of(number: int) -> str:
    """About 1,400 characters about one invented system, with a formula in it."""
    name, reading = marker(number), READINGS[number % len(READINGS)]
    look, limit = LOOKS[number % len(LOOKS)], 3 + number % 7
    sentences = [
        f"The {name} system keeps a ledger of {reading} readings in two small tables.",
        f"Each {reading} reading $x_t$ of the {name} is checked against the median of its "
        f"neighbours, $|x_t - \\tilde{{x}}| < {limit}\\sigma$.",
        f"A reading that departs by more than {limit} units is held back for {look}.",
        f"The {name} crew measured a delay of {number % 90 + 5} seconds between reading and alarm.",
        "Holding readings back costs little memory because the tables are trimmed every hour.",
        f"Without {look} the {name} raised {number % 13 + 4} false alarms in a week.",
        f"With {look} only one false alarm remained over the same week.",
        f"The authors conclude that the {name} can run on a single cheap board.",
        f"A port of the {name} to other {THINGS[(number + 7) % len(THINGS)]} sites is for later.",
    ]
    return " ".join(sentences * 2)


def paper(number: int) -> dict[str, object]:
    """One scipdf paper with one eligible segment."""
    headings = ("1 Introduction", "2 Background", "3 Method", "4 Experiments", "5 Results")
    texts = dict.fromkeys(headings, "Short.")
    texts[headings[number % 5]] = text_of(number)
    return {
        "title": f"A study of the {marker(number)}",
        "abstract": f"We study the {marker(number)} in brief.",
        "sections": [{"heading": h, "text": t} for h, t in texts.items()],
        "references": [],
    }


def good(number: int) -> str:
    """A raw dialogue about paper `number` that every filter accepts."""
    name, reading = marker(number), READINGS[number % len(READINGS)]
    look, limit = LOOKS[number % len(LOOKS)], 3 + number % 7
    lines = [
        f"Summary: The text describes how the {name} system checks {reading} readings before an "
        "alarm is raised.",
        f"Person: How does the {name} decide that a reading looks wrong?",
        f"You: Each {reading} reading is checked against the median of its neighbours, with a "
        f"bound of ${limit}\\sigma$.",
        "Person: What happens to a suspicious value?",
        f"You: It is held back for {look}.",
        "Person: Did that change the number of false alarms?",
        "You: Yes, only one false alarm remained over the same week.",
    ]
    if number % 3:
        lines += ["Person: Where can it run?", "You: It can run on a single cheap board."]
    if number % 4 == 0:
        lines += [
            "Person: How long is the delay before an alarm?",
            f"You: The crew measured a delay of {number % 90 + 5} seconds between reading and "
            "alarm.",
        ]
    return "\n".join(lines) + "\n"


def _no_labels(number: int) -> str:
    return good(number).replace("Person: ", "").replace("You: ", "")


def _cut(number: int) -> str:
    text = good(number)
    return text[: len(text) * 2 // 3]


def _loop(number: int) -> str:
    return good(number).replace(
        "It is held back for", "It is held back for it is held back for " * 5
    )


def _echo(number: int) -> str:
    return good(number) + (
        "Person: It can run on a single cheap board, can it run on a single cheap board?\n"
        "You: It can run on a single cheap board.\n"
    )


def _invented(number: int) -> str:
    return good(number).replace(
        "Yes, only one false alarm remained over the same week.",
        "Football supporters celebrated the championship with fireworks and brass bands.",
    )


def _swapped(number: int) -> str:
    return (
        good(number).replace("Person: ", "@@").replace("You: ", "Person: ").replace("@@", "You: ")
    )


def _unknown(number: int) -> str:
    if number % 4 == 1:
        # All that is wrong is the name of the person.
        return good(number).replace("Person: Did that", "Reviewer: Did that")
    return good(number) + "Reviewer: I disagree with all of it.\n"


def _placeholder(number: int) -> str:
    return good(number).replace("What happens to a suspicious value?", "[insert question here]")


def _chinese(number: int) -> str:
    return (
        f"摘要：本文介绍了{marker(number)}系统如何检查读数，并在报警之前再次核对。\n"
        "提问者：系统如何判断读数有误？\n作者：它把读数与相邻读数的中位数进行比较。\n"
        "提问者：可疑的读数会怎样？\n作者：它会被暂时保留，等待再次核对。\n"
    )


def _hostile(number: int) -> str:
    return good(number).replace(
        "What happens to a suspicious value?",
        "What happens to <script>document.title='owned'</script> a suspicious value?",
    ).replace(
        "It is held back",
        "It is held \u202ekcab\u202c \x1b[31mred\x1b[0m <img src=x onerror=alert(1)>"
        "<a href=\"javascript:alert(2)\">here</a>",
    )  # fmt: skip


def _repeated(number: int) -> str:
    return good(number) + (
        "Person: What happens to a suspicious value?\nYou: The tables are trimmed every hour.\n"
    )


FAULTS: tuple[Callable[[int], str], ...] = (
    _no_labels, _cut, _loop, _echo, _invented, _swapped, _unknown, _placeholder, _chinese, _hostile,
    _repeated,
)  # fmt: skip


def answer(number: int) -> dict[str, object]:
    """The scripted answer for paper `number`: about half are good, the rest are faulty in turn."""
    if number % 2 == 0 or number % 41 == 1:
        return {"text": good(number)}
    if number % 29 == 3:
        return {"text": ""}
    if number % 31 == 5:
        return {"text": "I'm sorry, but I can't help with that request."}
    if number % 37 == 7:
        return {"text": _cut(number), "finish_reason": "length"}
    return {"text": FAULTS[number // 2 % len(FAULTS)](number)}


def write_inputs(folder: Path, count: int, answers: Callable[[int], dict[str, object]]) -> None:
    """`papers.jsonl` and `script.jsonl` in a folder."""
    with (folder / "papers.jsonl").open("w", encoding="utf-8") as papers:
        for number in range(count):
            papers.write(json.dumps(paper(number), ensure_ascii=False) + "\n")
    with (folder / "script.jsonl").open("w", encoding="utf-8") as script:
        for number in range(count):
            usage = {"prompt_tokens": 400 + number % 300, "completion_tokens": 90 + number % 80}
            line = {
                "match": {"contains": f"The {marker(number)} system keeps"},
                "usage": usage,
                "latency_s": 0.0,
                **answers(number),
            }
            script.write(json.dumps(line, ensure_ascii=False) + "\n")


def make_run(
    folder: Path,
    count: int,
    *,
    name: str = "run",
    answers: Callable[[int], dict[str, object]] = answer,
    bare_names: bool = False,
) -> Path:
    """A finished run of `count` items; answers its directory. With `bare_names` it does not tell
    where on the machine it was made, and can only be made again from `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_inputs(folder, count, answers)
    out, inputs = folder / name, Path() if bare_names else folder
    with contextlib.chdir(folder):
        generate(
            "paperpersichat-davinci",
            str(inputs / "papers.jsonl"),
            out=str(out),
            model=f"scripted:{inputs / 'script.jsonl'}",
        )
    return out
