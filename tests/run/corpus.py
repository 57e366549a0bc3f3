"""Papers and scripts written for the tests of whole runs."""

from __future__ import annotations

import json
from pathlib import Path

TOPICS = (
    "granary", "lighthouse", "orchard", "viaduct", "quarry", "harbour", "meadow", "foundry",
    "reservoir", "windmill", "observatory", "tannery", "shipyard", "brewery", "vineyard",
    "cathedral", "aqueduct", "workshop", "greenhouse", "boathouse",
)  # fmt: skip


def marker(number: int) -> str:
    """A word that stands in item `number` and nowhere else."""
    return f"{TOPICS[number % len(TOPICS)]}{number}"


def segment_text(number: int) -> str:
    """About 1,300 characters of prose about one invented system."""
    name = marker(number)
    sentences = [
        f"The {name} system keeps a ledger of sensor readings in two small tables.",
        f"Each reading of the {name} is checked against the median of its neighbours.",
        "A reading that departs by more than four units is held back for a second look.",
        f"The {name} team measured a delay of {number + 3} seconds between reading and alarm.",
        "Holding readings back costs little memory because the tables are trimmed every hour.",
        f"Without the second look the {name} raised nine false alarms in a week.",
        "With the second look only one false alarm remained over the same week.",
        f"The authors conclude that the {name} can run on a single cheap board.",
    ]
    return " ".join(sentences * 3)


def paper(number: int) -> dict[str, object]:
    """One scipdf paper whose only eligible segment is abstract plus introduction."""
    return {
        "title": f"A study of the {marker(number)}",
        "authors": "",
        "pub_date": "",
        "abstract": f"We study the {marker(number)} in brief.",
        "sections": [
            {"heading": "1 Introduction", "text": segment_text(number)},
            {"heading": "2 Method", "text": "Short."},
            {"heading": "3 Experiments", "text": "Short too."},
            {"heading": "4 Results", "text": "Also short."},
            {"heading": "Acknowledgements", "text": "We thank the keepers of the instruments."},
        ],
        "references": [],
        "figures": [],
        "formulas": [],
        "doi": "",
    }


def write_papers(path: Path, count: int) -> Path:
    """A JSONL file of `count` papers, one eligible segment each."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps(paper(number)) + "\n")
    return path


def good_dialogue(number: int) -> str:
    """A raw dialogue about item `number` that every filter accepts."""
    name = marker(number)
    return (
        f"Summary: The text describes how the {name} system checks sensor readings before an "
        "alarm is raised.\n\n"
        f"Person: How does the {name} decide that a reading looks wrong?\n"
        "You: It compares the reading with the median of its neighbours.\n"
        "Person: What happens to a suspicious value?\n"
        "You: It is held back for a second look.\n"
        "Person: Did that change the number of false alarms?\n"
        "You: Yes, only one false alarm remained over the week.\n"
        "Person: Where can it run?\n"
        "You: It can run on a single cheap board.\n"
    )


def write_script(path: Path, answers: dict[int, dict[str, object]], count: int) -> Path:
    """A script that answers item `number` with `answers[number]`, else with a good dialogue."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            answer = answers.get(number, {"text": good_dialogue(number)})
            usage = {"prompt_tokens": 500 + number, "completion_tokens": 120}
            line = {"match": {"contains": f"study the {marker(number)} in"}, **answer}
            if "error" not in answer:
                line["usage"] = usage
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path
