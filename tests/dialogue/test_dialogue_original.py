"""The published parser is kept with its faults, and its filter with what it lets through."""

from __future__ import annotations

import pytest

from parsers.dialogue import Dialogue, parse_dialogue, parse_dialogue_original

_PLAIN = (
    "Summary: Kites fly.\nPerson: How high?\nYou: Very high.\n"
    "Person: And in rain?\nYou: Not at all."
)


def _texts(raw: str) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in parse_dialogue_original(raw).dialogue.turns]


def test_plain_labels_are_read_as_by_our_own_parser() -> None:
    parsed = parse_dialogue_original(_PLAIN)
    ours = parse_dialogue(_PLAIN)
    assert isinstance(ours, Dialogue)
    assert parsed.correct_order
    assert parsed.rejection is None
    assert parsed.dialogue.summary == ours.summary == "Kites fly."
    assert _texts(_PLAIN) == [(turn.speaker, turn.text) for turn in ours.turns]


def test_bold_labels_leave_their_stars() -> None:
    raw = "**Summary:** Kites fly.\n**Person:** How high?\n**You:** Very high."
    parsed = parse_dialogue_original(raw)
    assert parsed.dialogue.summary == "**** Kites fly."
    assert _texts(raw) == [("person", "**** How high?"), ("bot", "**** Very high.")]


def test_a_second_line_of_an_answer_becomes_a_person_turn() -> None:
    raw = "Summary: Kites fly.\nPerson: How high?\nYou: Very high.\nUp to the clouds."
    assert _texts(raw)[-1] == ("person", "Up to the clouds.")


def test_full_width_colons_find_no_summary_and_still_count_as_correct_order() -> None:
    raw = "摘要：风筝会飞。\nPerson：多高？\nYou：很高。"
    parsed = parse_dialogue_original(raw)
    assert parsed.dialogue.summary == ""
    assert parsed.correct_order
    assert _texts(raw) == [
        ("person", "摘要：风筝会飞。"),
        ("bot", "Person：多高？"),
        ("person", "You：很高。"),
    ]


def test_author_and_reader_are_not_known() -> None:
    raw = "Author: Kites fly.\nReader: How high?\nAuthor: Very high."
    assert parse_dialogue_original(raw).correct_order
    assert _texts(raw)[0] == ("person", "Author: Kites fly.")


def test_list_numbers_stay_in_the_text() -> None:
    assert (
        _texts("Summary: Kites fly.\n1. Person: How high?\n2. You: High.")[0][1] == "1.  How high?"
    )


def test_a_word_that_ends_in_a_label_names_a_speaker() -> None:
    parsed = parse_dialogue_original("Summary: Kites fly.\nTime: noon.\nYou: Yes.")
    assert parsed.dialogue.turns[0].speaker == "bot"
    assert not parsed.correct_order


def test_quoted_labels_are_deleted_from_the_text() -> None:
    raw = "Summary: Kites fly.\nPerson: Who said 'You: fly'?\nYou: I did."
    assert _texts(raw)[0] == ("person", "Who said ' fly'?")


def test_a_closing_note_becomes_a_turn() -> None:
    assert _texts(_PLAIN + "\n(Word count: 12)")[-1] == ("person", "(Word count: 12)")


def test_two_questions_running_break_the_order() -> None:
    parsed = parse_dialogue_original("Summary: Kites fly.\nPerson: How?\nPerson: Why?\nYou: So.")
    assert not parsed.correct_order
    assert parsed.rejection is not None
    assert parsed.rejection.code == "same_speaker_twice"


@pytest.mark.parametrize(
    ("raw", "roles"),
    [
        ("Summary: S.\nPerson 1: Q?\nPerson 2: A.", ["person", "bot"]),
        ("Summary: S.\nPerson 2: Q?\nYou: A.", ["person", "bot"]),
        ("Summary: S.\nPerson 2: Q?\nPerson 1: A.", ["person", "bot"]),
    ],
)
def test_numbered_persons_are_told_apart_by_who_comes_first(raw: str, roles: list[str]) -> None:
    assert [speaker for speaker, _ in _texts(raw)] == roles


def test_the_first_bot_line_is_the_summary_when_none_is_labelled() -> None:
    parsed = parse_dialogue_original("Me: Kites fly.\nOther person: How high?\nMe: High.")
    assert parsed.dialogue.summary == "Kites fly."
    assert [turn.speaker for turn in parsed.dialogue.turns] == ["person", "bot"]


def test_a_person_line_ends_the_search_and_all_lines_are_turns() -> None:
    parsed = parse_dialogue_original("Person: How high?\nYou: High.")
    assert parsed.dialogue.summary == ""
    assert len(parsed.dialogue.turns) == 2
    assert parsed.rejection is None


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("Summary: S.", "too_few_turns"),
        ("Summary: S.\nPerson: Q?\nYou: A.\nPerson: Q?", "odd_turn_count"),
        ("Summary: S.\nYou: A.\nPerson: Q?", "wrong_order"),
        ("", "too_few_turns"),
    ],
)
def test_the_filter_rejects_odd_counts_and_speakers_out_of_place(raw: str, code: str) -> None:
    rejection = parse_dialogue_original(raw).rejection
    assert rejection is not None
    assert rejection.code == code


def test_one_pair_passes_the_filter() -> None:
    assert parse_dialogue_original("Summary: S.\nPerson: Q?\nYou: A.").rejection is None


def test_a_label_alone_on_its_line_is_joined_to_its_text() -> None:
    assert _texts("Summary:\nS.\n\nPerson:\nQ?\n\nYou:\nA.") == [("person", "Q?"), ("bot", "A.")]
