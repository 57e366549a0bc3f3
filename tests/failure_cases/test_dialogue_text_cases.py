"""Raw dialogues that simple parsers get wrong, each with what it should be read as."""

from __future__ import annotations

import pytest

from parsers.dialogue import Dialogue, Rejection, parse_dialogue

TURNS = ["What is measured?", "The level of the tide.", "How often?", "Every ten minutes."]
PLAIN = (
    "Summary: A gauge measures the tide.\n"
    f"Person: {TURNS[0]}\nYou: {TURNS[1]}\nPerson: {TURNS[2]}\nYou: {TURNS[3]}"
)
CHINESE = ["测什么？", "测潮位。", "多久一次？", "十分钟一次。"]


def relabelled(person: str, bot: str, summary: str = "Summary:") -> str:
    """The plain dialogue with other labels."""
    return PLAIN.replace("Person:", person).replace("You:", bot).replace("Summary:", summary)


def numbered(raw: str) -> str:
    first, *turns = raw.split("\n")
    return "\n".join([first, *(f"{n}. {turn}" for n, turn in enumerate(turns, start=1))])


READ = {
    "bold labels": (relabelled("**Person:**", "**You:**", "**Summary:**"), TURNS),
    "bold inside the colon": (relabelled("**Person**:", "**You**:", "**Summary**:"), TURNS),
    "an answer over two lines": (
        PLAIN.replace(TURNS[1], "The level of the tide.\nAlso its temperature."),
        [TURNS[0], "The level of the tide.\nAlso its temperature.", *TURNS[2:]],
    ),
    "full-width colons": (
        "摘要：验潮仪测潮位。\n"
        + "\n".join(
            f"{'Person' if n % 2 == 0 else 'You'}：{text}" for n, text in enumerate(CHINESE)
        ),
        CHINESE,
    ),
    "author and reader": (relabelled("Reader:", "Author:"), TURNS),
    "Q and A": (relabelled("Q:", "A:"), TURNS),
    "a numbered list": (numbered(PLAIN), TURNS),
    "a word that ends like a label": (
        PLAIN.replace(TURNS[3], "Every ten minutes.\nTime: noon and midnight as well."),
        [*TURNS[:3], "Every ten minutes.\nTime: noon and midnight as well."],
    ),
    "a label quoted in a turn": (
        PLAIN.replace(TURNS[2], "Who wrote 'You: often' there?"),
        [TURNS[0], TURNS[1], "Who wrote 'You: often' there?", TURNS[3]],
    ),
    "a note at the end": (PLAIN + "\n\n(Word count: 120)", TURNS),
    "the summary on a line of its own": (PLAIN.replace("Summary: ", "Summary:\n"), TURNS),
    "a preamble": ("Sure! Here is the dialogue:\n\n" + PLAIN, TURNS),
    "a code fence": (f"```\n{PLAIN}\n```", TURNS),
    "Windows line ends": (PLAIN.replace("\n", "\r\n"), TURNS),
    "a citation in an answer": (
        PLAIN.replace(TURNS[1], "The level of the tide [1]."),
        [TURNS[0], "The level of the tide [1].", *TURNS[2:]],
    ),
}


@pytest.mark.parametrize(("raw", "expected"), READ.values(), ids=READ.keys())
def test_a_dialogue_is_read_as_it_was_meant(raw: str, expected: list[str]) -> None:
    read = parse_dialogue(raw)
    assert isinstance(read, Dialogue)
    assert [turn.speaker for turn in read.turns] == ["person", "bot"] * 2
    assert [" ".join(turn.text.split()) for turn in read.turns] == [
        " ".join(text.split()) for text in expected
    ]
    assert read.summary in ("A gauge measures the tide.", "验潮仪测潮位。")


REFUSED = {
    "two questions in a row": (
        PLAIN.replace("You: The level", "Person: And why?\nYou: The level"),
        "same_speaker_twice",
    ),
    "no summary": (PLAIN.split("\n", 1)[1], "missing_summary"),
    "labels nobody can tell apart": (relabelled("Blip:", "Blop:"), None),
}


@pytest.mark.parametrize(("raw", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_read_is_refused_with_the_reason(raw: str, code: str | None) -> None:
    read = parse_dialogue(raw)
    if code is None:
        # Unknown names in turn are two speakers; they are either told apart or refused by name.
        assert isinstance(read, Dialogue) or read.code == "unknown_speaker"
        return
    assert isinstance(read, Rejection)
    assert read.code == code
