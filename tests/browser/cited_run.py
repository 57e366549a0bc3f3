"""A run of cited answers over a few documents, in English and with a Chinese title among them."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from generator import generate
from generator.recipes.truthreader import TruthReaderOptions

_WORKS = ("ferry", "kiln", "mill", "forge", "dairy", "brewery", "tannery", "smithy")
_STUFFS = ("copper", "walnut", "marble", "silver", "cedar", "amber", "granite", "leather")


_PLACES = (
    "stands on the eastern slope above the village",
    "leans against the old customs wall",
    "was moved stone by stone from another valley",
    "rises out of a roof of blue slate",
)
_HABITS = (
    "In thick fog a keeper rings for two hours without a pause.",
    "At harvest time children pull the rope in turn and are given cake.",
    "Swifts nest under the beams, which is why nobody climbs up in May.",
    "Since the great frost a crack runs through the rim, and the sound is hoarse.",
    "A second bell was sold long ago to pay for new drains.",
    "During a fire three short strokes call the brigade from the market.",
    "Every seventh year the clapper is turned so that it wears evenly.",
    "Musicians from three towns come to hear it on the last day of winter.",
)


def _document(number: int) -> dict[str, str]:
    work, stuff = _WORKS[number], _STUFFS[number]
    return {
        "title": f"The {work} of the valley" if number else "山谷的渡船 (the ferry)",
        "document": (
            f"The {work} {_PLACES[number % 4]}. {_HABITS[number]} "
            f"The lid of the {work} is made of {stuff}, and rain turns it green within a season. "
            f"{_HABITS[(number * 3 + 1) % 8]}"
        ),
    }


def _question(number: int) -> str:
    return f"What is the lid of the {_WORKS[number]} made of?"


def _script() -> list[dict[str, object]]:
    lines: list[dict[str, object]] = [{"match": {"contains": ["Does the passage"]}, "text": "Yes."}]
    for number, (work, stuff) in enumerate(zip(_WORKS, _STUFFS, strict=True)):
        document, question = _document(number), _question(number)
        asked = question.replace("?", r"\?") + r"\Z"
        sentence = f"The lid of the {work} is made of {stuff}, and rain turns it green"
        lines += [
            {"match": {"contains": [f"[{n}] {document['title']}\n"], "regex": asked},
             "text": f"{sentence} [{n}]."}
            for n in range(1, 6)
        ]  # fmt: skip
        start = document["document"][:30]
        lines.append(
            {"match": {"contains": ["Do not answer it yourself", start]}, "text": question}
        )
    return lines


def make_cited_run(folder: Path) -> Path:
    """A finished run with one cited answer for each document; answers its directory."""
    for name, objects in (
        ("documents.jsonl", [_document(number) for number in range(len(_WORKS))]),
        ("script.jsonl", _script()),
    ):
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
        (folder / name).write_text(text, encoding="utf-8")
    with contextlib.chdir(folder):
        generate(
            "truthreader", "documents.jsonl", out="cited", model="scripted:script.jsonl", seed=7,
            options=TruthReaderOptions(
                multi_share=1.0, question_mix="fact:1", history_mix="0:1",
                unanswerable_share=0.0, topic_switch_share=0.0,
            ),
        )  # fmt: skip
    return folder / "cited"
