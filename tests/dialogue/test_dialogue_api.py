"""The parts a caller holds: settings, vocabulary, checks, thinking, refusals, the printed form."""

from __future__ import annotations

import pytest

import parsers.dialogue as api
from parsers.dialogue import (
    DEFAULT_VOCABULARY,
    PARSER_CODES,
    Dialogue,
    Rejection,
    Turn,
    Vocabulary,
    check_dialogue,
    format_dialogue,
    is_refusal,
    parse_dialogue,
    strip_thinking,
)

_GOOD = "Summary: Ants share work.\nPerson: How?\nYou: By smell.\nPerson: Always?\nYou: Mostly."


def _parsed(raw: str) -> Dialogue:
    result = parse_dialogue(raw)
    assert isinstance(result, Dialogue), result
    return result


def _code(result: Dialogue | Rejection | None) -> str | None:
    return result.code if isinstance(result, Rejection) else None


def test_public_names_are_all_there() -> None:
    assert sorted(api.__all__, key=str.casefold) == sorted(set(api.__all__), key=str.casefold)
    for name in api.__all__:
        assert getattr(api, name) is not None


def test_codes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PARSER_CODES["new"] = "x"  # type: ignore[index]
    assert all(line.endswith(".") for line in PARSER_CODES.values())


@pytest.mark.parametrize(("least", "code"), [(1, None), (2, None), (3, "too_few_turns")])
def test_min_pairs_sets_how_many_pairs_are_needed(least: int, code: str | None) -> None:
    assert _code(parse_dialogue(_GOOD, min_pairs=least)) == code


@pytest.mark.parametrize(
    ("ending", "reason", "code"),
    [
        ("They mostly share the work by smell and by touch", None, "truncated"),
        ("They mostly share the work by smell and by touch", "stop", None),
        ("They mostly share the work by smell and by touch", "length", "truncated"),
        ("They do", None, None),
        ("They do", "length", "truncated"),
        ("They do.", "length", None),
        ("They share the", "stop", "truncated"),
        ("They share work, food,", "stop", "truncated"),
    ],
)
def test_the_finish_reason_weighs_a_doubtful_end(
    ending: str, reason: str | None, code: str | None
) -> None:
    raw = f"Summary: Ants share work.\nPerson: How?\nYou: By smell.\nPerson: Always?\nYou: {ending}"
    assert _code(parse_dialogue(raw, finish_reason=reason)) == code


def test_a_budget_spent_before_the_answer_is_truncation() -> None:
    raw = _GOOD + "\nPerson: And in winter?"
    assert _code(parse_dialogue(raw)) == "odd_turn_count"
    assert _code(parse_dialogue(raw, finish_reason="length")) == "truncated"


def test_words_can_be_added_by_role() -> None:
    raw = "要点：蚂蚁分工。\n看官：怎么分？\n掌柜：靠气味。\n看官：总是吗？\n掌柜：大多如此。"
    assert _code(parse_dialogue(raw)) == "missing_summary"
    words = DEFAULT_VOCABULARY.with_labels(summary=("要点",), person=("看官",), bot=("掌柜",))
    result = parse_dialogue(raw, vocabulary=words)
    assert isinstance(result, Dialogue)
    assert result.summary == "蚂蚁分工。"


def test_added_words_win_over_the_built_in_meaning() -> None:
    raw = _GOOD.replace("Person", "Bot").replace("You", "User")
    assert _code(parse_dialogue(raw)) is not None
    words = DEFAULT_VOCABULARY.with_labels(person=("Bot",), bot=("User",))
    result = parse_dialogue(raw, vocabulary=words)
    assert isinstance(result, Dialogue)
    assert [turn.speaker for turn in result.turns] == ["person", "bot", "person", "bot"]


def test_patterns_hold_what_no_list_can() -> None:
    raw = _GOOD.replace("Person", "Rev-17b").replace("You", "Rebuttal 3/4")
    words = DEFAULT_VOCABULARY.with_patterns(person=(r"rev-\d+\w",), bot=(r"rebuttal \d/\d",))
    assert isinstance(parse_dialogue(raw, vocabulary=words), Dialogue)


def test_bad_patterns_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="not valid"):
        DEFAULT_VOCABULARY.with_patterns(person=("(",))
    with pytest.raises(ValueError, match="no such role"):
        DEFAULT_VOCABULARY.with_patterns(narrator=("x",))


def test_vocabularies_are_values() -> None:
    one = DEFAULT_VOCABULARY.with_labels(person=("Reviewer",))
    assert one == DEFAULT_VOCABULARY.with_labels(person=("Reviewer",))
    assert one != DEFAULT_VOCABULARY
    assert Vocabulary() == DEFAULT_VOCABULARY


@pytest.mark.parametrize(
    ("raw", "rest", "unclosed"),
    [
        ("<think>a</think>b", "b", False),
        ("<think>a<think>b</think>c</think>d", "d", False),
        ("a\n</think>\nB", "\nB", False),
        ("x\n<think>never", "x\n", True),
        (r"\<think\>a\</think\>b", "b", False),
        ("<thought>[1] {x}</thought>B", "B", False),
        ("say <think> aloud", "say <think> aloud", False),
        ("what does </think> do", "what does </think> do", False),
        ("no thoughts", "no thoughts", False),
        ("[THINK]a[/THINK]B", "B", False),
    ],
)
def test_thoughts_are_cut_out(raw: str, rest: str, unclosed: bool) -> None:
    stripped = strip_thinking(raw)
    assert stripped.text == rest
    assert (stripped.unclosed is not None) == unclosed
    removed = "".join(raw[start:end] for start, end in stripped.removed)
    assert len(removed) + len(rest) == len(raw)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot help with this.",
        "Sorry, but I can’t do that.",
        "As an AI model, I have no access to files.",
        "抱歉，我不能这样做。",
        "Je ne peux pas répondre.",
        "**I'm unable to continue.**",
    ],
)
def test_refusals_are_known(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The ants cannot see well, so they smell.",
        "It is not possible to tell.",
        "There is not enough information in the text.",
        "我们研究蚂蚁如何分工。",
        "I can explain: they smell.",
        "Unfortunately the nest was flooded in 2011, and the ants moved on.",
    ],
)
def test_answers_are_no_refusals(text: str) -> None:
    assert not is_refusal(text)


def _turns(*texts: str) -> tuple[Turn, ...]:
    return tuple(Turn("person" if at % 2 == 0 else "bot", text) for at, text in enumerate(texts))


@pytest.mark.parametrize(
    ("dialogue", "code"),
    [
        (Dialogue("S and more.", _turns("A?", "B.", "C?", "D.")), None),
        (Dialogue("", _turns("A?", "B.", "C?", "D.")), "missing_summary"),
        (Dialogue("S.", _turns("A?", "B.", "C?")), "odd_turn_count"),
        (Dialogue("S.", _turns("A?", "B.")), "too_few_turns"),
        (Dialogue("S.", ()), "too_few_turns"),
        (Dialogue("S.", _turns("A?", " ", "C?", "D.")), "empty_turn"),
        (Dialogue("S.", _turns("A?", "...", "C?", "D.")), "placeholder_text"),
        (Dialogue("S.", _turns("A?", "B.", "a?", "D.")), "duplicate_turns"),
        (Dialogue("S.", (Turn("bot", "B."), Turn("person", "A?"))), "wrong_order"),
        (Dialogue("S.", (Turn("person", "A?"), Turn("person", "B?"))), "same_speaker_twice"),
        (Dialogue("S.", _turns("It is.", "Is it?", "So it is.", "Why?")), "role_swap"),
        (Dialogue("S.", _turns("1. A? 2. B?", "C.", "D?", "E.")), "merged_questions"),
        (Dialogue("S.", _turns("A?", "no " * 30, "C?", "D.")), "degenerate_repetition"),
        (Dialogue("S.", _turns("A?", "\ufffd\ufffd", "C?", "D.")), "garbled_text"),
        (Dialogue("I cannot do this.", _turns("A?", "B.", "C?", "D.")), "refusal"),
    ],
)
def test_checks_work_on_any_dialogue(dialogue: Dialogue, code: str | None) -> None:
    assert _code(check_dialogue(dialogue)) == code


def test_the_printed_form_is_plain_when_it_can_be() -> None:
    assert format_dialogue(_parsed(_GOOD)) == (
        "Summary: Ants share work.\n\nPerson: How?\nBot: By smell.\nPerson: Always?\nBot: Mostly.\n"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "By smell.\nYou: is a word",
        '"By smell"',
        "(nods)",
        "**By** smell\n\nNote: so",
        "a <think> tag",
        "[1]",
    ],
)
def test_the_printed_form_survives_any_text(answer: str) -> None:
    dialogue = Dialogue("Ants share work.", _turns("How?", answer, "Always?", "Mostly."))
    again = _parsed(format_dialogue(dialogue))
    assert [turn.text for turn in again.turns] == [turn.text for turn in dialogue.turns]


def test_partial_shows_what_was_understood() -> None:
    result = parse_dialogue("Summary: Ants share work.\nPerson: How?\nPerson: Why?\nYou: So.")
    assert isinstance(result, Rejection)
    assert result.partial is not None
    assert result.partial.summary == "Ants share work."
    assert [turn.text for turn in result.partial.turns] == ["How?", "Why?", "So."]
