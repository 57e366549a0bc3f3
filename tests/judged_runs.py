"""Small runs whose samples differ in as many ways as a judgement can depend on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import generator
from generator.run_directory import RunDirectory
from generator.store import RunStore
from parsers.segments import SegmentRule

RECIPE = "paperpersichat-davinci"
PLACES = "cellar attic pantry loft stable barn chapel forge mill dairy".split()


def name_of(number: int) -> str:
    """A word that stands in item `number` and nowhere else."""
    return f"{PLACES[number % len(PLACES)]}{number}"


def text_of(number: int) -> str:
    name = name_of(number)
    return " ".join(
        [
            f"The {name} gauge notes the damp of the air every quarter of an hour.",
            f"Readings of the {name} that lie far from those of its neighbours are kept apart.",
            "A second gauge confirms or discards each reading that was kept apart.",
            f"Over one winter the {name} lost no more than {number + 2} readings.",
            "Before the second gauge was installed, eleven warnings turned out to be false.",
            "Afterwards a single false warning was counted in the same span of time.",
            "The builders say that the whole device draws less power than a small lamp.",
        ]
        * 3
    )


def dialogue_about(
    number: int, *, summary: str = "Summary", person: str = "Person", bot: str = "You"
) -> str:
    """A raw dialogue about item `number` that every filter accepts."""
    name = name_of(number)
    return (
        f"{summary}: The text tells how the {name} gauge keeps doubtful readings apart until "
        "another gauge has confirmed them.\n"
        f"{person}: How often does the {name} gauge note the damp?\n"
        f"{bot}: It notes the damp of the air every quarter of an hour.\n"
        f"{person}: What is done with readings far from the others?\n"
        f"{bot}: They are kept apart until a second gauge confirms or discards them.\n"
        f"{person}: How many false warnings were left in the end?\n"
        f"{bot}: A single false warning was counted in the same span of time.\n"
    )


def pairs_about(number: int, *pairs: tuple[str, str], summary: str | None = None) -> str:
    """A raw dialogue with these questions and answers."""
    told = summary or f"The text tells how the {name_of(number)} gauge keeps readings apart."
    lines = [f"Summary: {told}"]
    for question, answer in pairs:
        lines += [f"Person: {question}", f"You: {answer}"]
    return "\n".join(lines)


def paper(number: int) -> dict[str, Any]:
    """One scipdf paper with a single eligible segment."""
    headings = ("2 Method", "3 Experiments", "4 Results", "Acknowledgements")
    return {
        "title": f"Notes on the {name_of(number)}",
        "abstract": f"We look at the {name_of(number)} gauge.",
        "sections": [
            {"heading": "1 Introduction", "text": text_of(number)},
            *({"heading": heading, "text": "Brief."} for heading in headings),
        ],
        "references": [],
    }


def make_run(folder: Path, answers: list[str | dict[str, Any]], **options: Any) -> Path:
    """A finished run with one item an answer; an answer is a text or a line of a script."""
    papers, script = folder / "papers.jsonl", folder / "script.jsonl"
    with papers.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(paper(number)) + "\n" for number in range(len(answers)))
    with script.open("w", encoding="utf-8") as file:
        for number, answer in enumerate(answers):
            told = {"text": answer} if isinstance(answer, str) else answer
            line = {"match": {"contains": f"look at the {name_of(number)} gauge"}, **told}
            file.write(json.dumps(line) + "\n")
    run = folder / "run"
    generator.generate(RECIPE, papers, out=run, model=f"scripted:{script}", **options)
    return run


def varied_answers() -> list[str | dict[str, Any]]:
    """Raw outputs of every kind that thresholds, filters, labels and patterns tell apart."""
    good = dialogue_about
    how, asked = "It notes the damp of the air every quarter of an hour.", "How often is it noted?"
    apart = ("What is kept apart?", "Readings that lie far from those of its neighbours.")
    again = ("And what else?", "Readings that lie far from those of its close neighbours.")
    asked_again = "What kind of doubtful readings are kept apart"
    loop = " ".join(["the damp of the air is noted"] * 4)
    return [
        *(good(number) for number in range(4)),
        good(1),
        good(1).replace("winter", "Winter"),
        good(6, summary="Nutshell"),
        good(7, person="Quidam", bot="Scriptor"),
        good(8, person="Reader No 1", bot="Reader No 2"),
        good(9).replace("Person:", "Onlooker 3:", 1),
        good(10).replace("Person: What", "**Nut\u00adshell:** What"),
        json.dumps(
            {
                "Nutshell": "The text tells of a gauge that keeps readings apart for a while.",
                "turns": [
                    {"speaker": "Quidam", "text": asked},
                    {"speaker": "Scriptor", "text": how},
                    {"speaker": "Quidam", "text": apart[0]},
                    {"speaker": "Scriptor", "text": apart[1]},
                ],
            }
        ).replace("Nutshell", "Nut\\u0073hell"),
        pairs_about(12, (asked, how), apart, again),
        pairs_about(13, (f"{asked_again}?", how), (f"{asked_again} then?", apart[1])),
        pairs_about(14, (asked, how), ("And the lamp?", loop)),
        pairs_about(15, (asked, how)),
        pairs_about(16, (asked, how), apart, summary="A gauge."),
        pairs_about(17, apart, (f"Is it so that {how.lower()[:-1]}?", how)),
        pairs_about(18, (asked, how), ("Who won?", "A rider from Zwolle, on wet cobbles.")),
        pairs_about(19, (asked, how), apart, summary=text_of(19)[:900]),
        pairs_about(20, (asked, how), ("什么读数被分开？", "远离邻近读数的那些读数被分开保存。")),
        {"text": good(21), "finish_reason": "length"},
        {"text": "", "finish_reason": "content_filter"},
        "I'm sorry, but I can't help with that.",
        good(24)[:200],
        pairs_about(25, (asked, how), ("What else?", f"{how} Person: and then?")),
        pairs_about(26, ("Tell me of it.", how), ("Go on.", apart[1])),
    ]  # fmt: skip


def places(run: Path) -> dict[str, str]:
    """Where every judged sample of a run stands, by key: "accepted" or its first reject code."""
    store = RunStore(RunDirectory(run).store, create=False, writable=False)
    try:
        return {
            item.key: "accepted" if v.in_corpus else str(v.all_reasons[0]["code"])
            for item, v in store.judged()
        }
    finally:
        store.close()


def view_bytes(run: Path) -> dict[str, bytes]:
    """The views of a run that hold judged samples."""
    return {path.name: path.read_bytes() for path in RunDirectory(run).views}


def ids(run: Path, name: str) -> list[str]:
    """The ids in a view, in its order."""
    lines = (run / name).read_text(encoding="utf-8").splitlines()
    return [str(json.loads(line)["id"]) for line in lines]


def make_talks(
    folder: Path, talks: list[tuple[str, list[tuple[str, str]]]], **options: Any
) -> Path:
    """A finished self-play run with one item a talk: a summary, questions and answers.

    Every summary must name its item (`name_of`), since the person sees nothing else.
    """
    papers, run = folder / "talk-papers.jsonl", folder / "talks"
    with papers.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(paper(number)) + "\n" for number in range(len(talks)))
    told: dict[str, list[dict[str, Any]]] = {"summarizer": [], "person": [], "bot": []}
    for number, (summary, pairs) in enumerate(talks):
        name = f"{name_of(number)} gauge"
        told["summarizer"].append({"match": {"contains": name}, "text": summary})
        # The first line that matches answers, so what is said last comes first.
        for turn in reversed(range(len(pairs))):
            question, answer = pairs[turn]
            heard = [name, pairs[turn - 1][1]] if turn else [name]
            told["person"].append({"match": {"contains": heard}, "text": question})
            told["bot"].append({"match": {"contains": [name, question]}, "text": answer})
    for role, lines in told.items():
        path = folder / f"{role}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    generator.generate(
        "paperpersichat-selfplay", papers, out=run, concurrency=1,
        roles={role: f"scripted:{folder / role}.jsonl" for role in told},
        segments=SegmentRule(budget=4000, min_chars=1000), **options,
    )  # fmt: skip
    return run


def varied_talks() -> list[tuple[str, list[tuple[str, str]]]]:
    """Talks with the faults that self-play and its corpus stage know."""

    def summary(number: int) -> str:
        return f"The text tells how the {name_of(number)} gauge keeps doubtful readings apart."

    damp = ("How often is the damp of the air noted?", "Every quarter of an hour.")
    apart = (
        "What becomes of the readings kept apart?",
        "A second gauge confirms or discards them.",
    )
    power = ("Which lamp draws more power than the device?", "A small lamp does.")
    false = ("How many false warnings were counted afterwards?", "A single false warning.")
    unknown = ("Who paid for the gauges?", "There is not enough information in the text.")
    generic = ("What is the main contribution of the paper?", "It keeps doubtful readings apart.")
    return [
        (summary(0), [damp, apart]),
        (summary(1), [power, false]),
        (summary(2), [damp, apart]),
        (summary(3), [damp, power]),
        (summary(4), [unknown, unknown]),
        (summary(5), [generic, ("What are the conclusions of the paper?", "Less power is drawn.")]),
        (summary(6), [("Person: " + damp[0], "Scriptor: " + damp[1]), false]),
        (summary(7), [false, (false[0], false[1])]),
        (summary(8), [apart, false]),
    ]
