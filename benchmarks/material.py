"""Material for the benchmarks: papers and raw dialogues, made by a seeded generator."""

from __future__ import annotations

import json
import random
from pathlib import Path

_WORDS = (
    "sensor ledger reading median alarm delay table board memory signal model index cache query "
    "document ranking vector parser token graph edge node cluster window buffer stream filter "
    "threshold sample error rate method result section figure baseline gain cost budget"
).split()


def sentence(rng: random.Random) -> str:
    """A sentence of about 90 characters."""
    words = rng.choices(_WORDS, k=rng.randint(10, 16))
    return f"The {' '.join(words)} of the {rng.choice(_WORDS)}."


def segment(rng: random.Random, characters: int = 3000) -> str:
    text: list[str] = []
    while sum(map(len, text)) < characters:
        text.append(sentence(rng))
    return " ".join(text)


def raw_dialogue(rng: random.Random, text: str) -> str:
    """Four pairs about `text`, about 1.5 kB, in one of several styles."""
    sentences = text.split(". ")
    person, bot = rng.choice(
        [
            ("Person: ", "You: "),
            ("**Person:** ", "**You:** "),
            ("Q: ", "A: "),
            ("提问者：", "作者："),
        ]
    )
    lines = [f"Summary: {'. '.join(rng.sample(sentences, 2))}."]
    for _ in range(4):
        answer = ". ".join(rng.sample(sentences, 2)) + "."
        topic = " ".join(rng.choices(_WORDS, k=6))
        lines += [f"{person}What does it say about {topic}?", f"{bot}{answer}"]
    return "\n".join(lines)


def write_papers(path: Path, count: int, *, sections: int = 12, characters: int = 2500) -> None:
    """A JSONL file of scipdf papers; with one long section each it gives one segment a paper."""
    rng = random.Random(1)
    headings = ("Introduction", "Related Work", "Method", "Experiments", "Results", "Conclusion")
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            paper = {
                "title": f"Paper {number}",
                "abstract": f"Paper {number}. " + segment(rng, 600),
                "sections": [
                    {"heading": headings[n % len(headings)],
                     "text": segment(rng, characters) if n == 0 or characters > 2000 else "Short."}
                    for n in range(sections)
                ],
                "references": [],
            }  # fmt: skip
            file.write(json.dumps(paper) + "\n")


def script_line(dialogue: str) -> str:
    usage = {"prompt_tokens": 700, "completion_tokens": 300}
    return json.dumps({"text": dialogue, "usage": usage}) + "\n"
