"""The record of PaperPersiChat, as its data card and notebooks give it.

`{text, dialogue, meta_segments[{id, title, section_type}], meta_paper{title, paper_id},
parsed_dialogue{summary, turns[{speaker, text}]}}`; the speaker is "person" or "bot", the
first turn is the person's, and the summary is no turn. `dialogue` is the raw
completion, or in self-play the utterances joined by newline, without labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from generator.shapes.schema import Finding, Items, Record, Text
from parsers.dialogue.model import Dialogue
from parsers.papers.model import SectionType
from parsers.segments import Segment

SECTION_TYPES: tuple[str, ...] = get_args(SectionType)

# A missing title stands as NaN or null in the source papers.
_TITLE = Text(unknown=True)

SHAPE = Record(
    (
        ("text", Text(filled=True)),
        ("dialogue", Text(filled=True)),
        (
            "meta_segments",
            Items(
                Record(
                    (
                        ("id", Text(filled=True)),
                        ("title", _TITLE),
                        ("section_type", Text(one_of=SECTION_TYPES)),
                    )
                ),
                at_least=1,
            ),
        ),
        ("meta_paper", Record((("title", _TITLE), ("paper_id", Text(filled=True))))),
        (
            "parsed_dialogue",
            Record(
                (
                    ("summary", Text(filled=True)),
                    (
                        "turns",
                        Items(
                            Record(
                                (
                                    ("speaker", Text(one_of=("person", "bot"))),
                                    ("text", Text(filled=True)),
                                )
                            ),
                            at_least=2,
                        ),
                    ),
                ),
                tolerated=("correct_order",),
            ),
        ),
    ),
    tolerated=("used_summary",),
)


def paperpersichat_record(segment: Segment, raw: str, dialogue: Dialogue) -> dict[str, Any]:
    """Build one record; `raw` is what the model wrote, in self-play the utterances in lines."""
    return {
        "text": segment.text,
        "dialogue": raw,
        "meta_segments": [
            {"id": ref.id, "title": ref.title, "section_type": ref.section_type}
            for ref in segment.sections
        ],
        "meta_paper": {"title": segment.paper_title, "paper_id": segment.paper_id},
        "parsed_dialogue": {
            "summary": dialogue.summary,
            "turns": [{"speaker": turn.speaker, "text": turn.text} for turn in dialogue.turns],
        },
    }


def check_paperpersichat(value: Any) -> Iterator[Finding]:
    """Every departure of one record: keys, order, types, then the turns' order."""
    findings = list(SHAPE.check(value, ""))
    yield from findings
    if not all(finding.only_order for finding in findings):
        return
    turns = value["parsed_dialogue"]["turns"]
    where = "parsed_dialogue.turns"
    if len(turns) % 2:
        yield Finding(where, f"{len(turns)} turns; every question must have an answer")
    for i, turn in enumerate(turns):
        wanted = "person" if i % 2 == 0 else "bot"
        if turn["speaker"] != wanted:
            found = turn["speaker"]
            yield Finding(f"{where}[{i}].speaker", f'expected "{wanted}", found "{found}"')
            return
