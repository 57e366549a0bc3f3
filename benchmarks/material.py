"""Material for the benchmarks: papers and raw dialogues, made by a seeded generator."""

from __future__ import annotations

import json
import random
from pathlib import Path

_SYLLABLES = "ta re mo ni lu sen dor kal vi pex bra ust em or ance ture ling met form cod".split()
_COMMON = "the of and to in is for with on that by are as an from which this be at".split()


def _vocabulary() -> tuple[list[str], list[float]]:
    """About 2,000 invented words with the spread of real text: frequency falls with rank."""
    rng = random.Random(0)
    words = dict.fromkeys(
        "".join(rng.choices(_SYLLABLES, k=rng.choice((2, 2, 3)))) for _ in range(3000)
    )
    ranked = [*_COMMON, *words]
    return ranked, [1 / (rank + 3) for rank in range(len(ranked))]


_WORDS, _WEIGHTS = _vocabulary()


def sentence(rng: random.Random) -> str:
    """A sentence of about 90 characters."""
    words = rng.choices(_WORDS, _WEIGHTS, k=rng.randint(12, 18))
    return f"{' '.join(words).capitalize()}."


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
        topic = " ".join(rng.choices(_WORDS, _WEIGHTS, k=6))
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
