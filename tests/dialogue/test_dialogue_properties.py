"""What must hold for any text whatever: no exception, nothing invented, print and parse agree."""

from __future__ import annotations

import html

import pytest
from dialogue_cases import OWN_CASES, read_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.dialogue import (
    PARSER_CODES,
    Dialogue,
    Rejection,
    check_dialogue,
    format_dialogue,
    is_refusal,
    parse_dialogue,
    parse_dialogue_original,
    strip_thinking,
)

_MARKS = frozenset("<[(（&")
"""Where these occur, tags and cues may have been taken out of the middle of a text."""
_RAWS = [case["raw"] for case in read_cases(OWN_CASES)]

_PIECES = st.sampled_from(
    [
        "Summary:",
        "Person:",
        "You:",
        "Person 1:",
        "Q1:",
        "A1:",
        "摘要：",
        "用户：",
        "助手：",
        "Mia:",
        "Tom:",
        "**Person:**",
        "- You:",
        "### Summary",
        "\n",
        "\n\n",
        " ",
        "?",
        ".",
        "？",
        "a list",
        "What is it",
        "<think>",
        "</think>",
        "<Person1>",
        "</Person1>",
        "<Person2>",
        "</Person2>",
        "```",
        "```json\n",
        "{",
        "}",
        "[",
        "]",
        '"',
        '"text":',
        '"speaker": "person",',
        '"summary": "x",',
        ",",
        ":",
        "：",
        "|",
        "|---|",
        "---",
        "* * *",
        "(",
        ")",
        "[name]",
        "...",
        "Note:",
        "Dialogue 1",
        "Thanks!",
        "</s>",
        "<|im_start|>user\n",
        "<br>",
        "&lt;",
        "\\n",
        "\r\n",
        "\u2028",
        "\u200b",
        "\ufeff",
        "\ud800",
        "\x00",
        "speaker: bot\n",
        "text: hi\n",
        "'",
        "“",
        "”",
        "*",
        "**",
        "#",
        "1.",
        "[00:01]",
        "I'm sorry, I can't",
    ]
)
_MESSY = st.lists(st.one_of(_PIECES, st.text(max_size=12)), max_size=40).map("".join)
_CUT = st.builds(lambda raw, at: raw[: int(len(raw) * at)], st.sampled_from(_RAWS), st.floats(0, 1))
_SPLICED = st.builds(
    lambda a, b, at, piece: a[: int(len(a) * at)] + piece + b[int(len(b) * at) :],
    st.sampled_from(_RAWS),
    st.sampled_from(_RAWS),
    st.floats(0, 1),
    _PIECES,
)
_ANY_RAW = st.one_of(_MESSY, _CUT, _SPLICED, st.text(max_size=200))


def _content(dialogue: Dialogue) -> tuple[str, list[tuple[str, str]]]:
    return dialogue.summary, [(turn.speaker, turn.text) for turn in dialogue.turns]


@settings(deadline=None, max_examples=600)
@given(raw=_ANY_RAW, finish_reason=st.sampled_from([None, "stop", "length"]))
def test_any_text_gives_a_sound_dialogue_or_a_known_code(
    raw: str, finish_reason: str | None
) -> None:
    result = parse_dialogue(raw, finish_reason=finish_reason)
    if isinstance(result, Rejection):
        assert result.code in PARSER_CODES
        assert result.span is None or 0 <= result.span[0] <= result.span[1] <= len(raw)
    else:
        assert check_dialogue(result) is None
        assert [turn.speaker for turn in result.turns] == ["person", "bot"] * (
            len(result.turns) // 2
        )
        assert len(result.turns) >= 4


@settings(deadline=None, max_examples=400)
@given(raw=_ANY_RAW)
def test_nothing_is_invented(raw: str) -> None:
    result = parse_dialogue(raw)
    dialogue = result if isinstance(result, Dialogue) else result.partial
    if dialogue is None:
        return
    source = "".join(_letters(raw)) + "\n" + "".join(filter(str.isalnum, raw))
    for text in (dialogue.summary, *(turn.text for turn in dialogue.turns)):
        for line in text.split("\n"):
            assert _comes_from(
                [letter for letter in line if letter.isalnum()],
                source,
                marked=not _MARKS.isdisjoint(raw),
            )
    for turn in dialogue.turns:
        if turn.span is not None:
            assert raw[slice(*turn.span)] == turn.text


def _comes_from(letters: list[str], source: str, *, marked: bool) -> bool:
    """Whether the letters stand in the source together, or in order when marks may part them."""
    if "".join(letters) in source:
        return True
    remaining = iter(source)
    return marked and all(letter in remaining for letter in letters)


def _letters(text: str) -> list[str]:
    """The letters and digits once markup, escapes and cues are resolved, all in order."""
    plain = html.unescape(text).replace("\\n", " ").replace("\\t", " ")
    return [letter for letter in plain if letter.isalnum()]


@settings(deadline=None, max_examples=400)
@given(raw=_ANY_RAW)
def test_printed_dialogues_parse_back(raw: str) -> None:
    result = parse_dialogue(raw, min_pairs=1)
    if isinstance(result, Dialogue):
        again = parse_dialogue(format_dialogue(result), min_pairs=1)
        assert isinstance(again, Dialogue), again
        assert _content(again) == _content(result)


@pytest.mark.parametrize("raw", _RAWS[::3])
def test_accepted_cases_print_and_parse_back(raw: str) -> None:
    result = parse_dialogue(raw)
    if isinstance(result, Dialogue):
        again = parse_dialogue(format_dialogue(result))
        assert isinstance(again, Dialogue)
        assert _content(again) == _content(result)


@settings(deadline=None, max_examples=300)
@given(raw=_ANY_RAW)
def test_the_other_functions_never_fail(raw: str) -> None:
    stripped = strip_thinking(raw)
    assert len(stripped.text) <= len(raw)
    assert isinstance(is_refusal(raw), bool)
    parsed = parse_dialogue_original(raw)
    assert check_dialogue(parsed.dialogue) is None or check_dialogue(parsed.dialogue)


_WORD = st.sampled_from(
    "tidy maps index tile tree river storm signal model cell protein market vote garden".split()
)
_SENTENCE = st.builds(
    lambda words, number: " ".join([*words, str(number)]).capitalize(),
    st.lists(_WORD, min_size=3, max_size=8, unique=True),
    st.integers(0, 9999),
)
_STYLES = st.sampled_from(
    [
        ("{}: {}", "\n"),
        ("**{}:** {}", "\n\n"),
        ("**{}**: {}", "\n"),
        ("- {}: {}", "\n"),
        ("* **{}:** {}", "\n"),
        ("{}：{}", "\n"),
        ("### {}\n{}", "\n\n"),
        ("[{}]: {}", "\n"),
        ("{}:\n{}", "\n\n"),
        ("> {}: {}", "\n"),
        ("{} - {}", "\n"),
        ("  {}: {}", "\n"),
        ("<{0}>{1}</{0}>", "\n"),
        ("_{}_: {}", "\n"),
        ('{}: "{}"', "\n"),
        ("{}: {}</s>", "\n"),
        ("{}: {}", "\r\n"),
        ("{}: {}", "\r"),
        ("`{}`: {}", "\n"),
        ("{} : {}", "\n\n\n"),
    ]
)
_LABELS = st.sampled_from(
    [
        ("Summary", "Person", "You"),
        ("Summary", "User", "Assistant"),
        ("Abstract", "Reader", "Author"),
        ("Summary", "Q", "A"),
        ("Summary", "Question", "Answer"),
        ("摘要", "用户", "助手"),
        ("总结", "问", "答"),
        ("要約", "質問者", "回答者"),
        ("요약", "질문", "답변"),
        ("Резюме", "Вопрос", "Ответ"),
        ("Résumé", "Personne", "Vous"),
        ("Zusammenfassung", "Frage", "Antwort"),
        ("Resumen", "Usuario", "Asistente"),
        ("Resumo", "Pessoa", "Você"),
        ("Riassunto", "Utente", "Assistente"),
        ("Ada", "Ben", "Ada"),
        ("Speaker 1", "Speaker 2", "Speaker 1"),
        ("Summary", "Mina", "Otto"),
        ("教授", "学生", "教授"),
        ("ملخص", "سؤال", "جواب"),
    ]
)


@settings(deadline=None, max_examples=300)
@given(
    style=_STYLES,
    labels=_LABELS,
    summary=_SENTENCE,
    turns=st.lists(st.tuples(_SENTENCE, _SENTENCE), min_size=2, max_size=5, unique=True),
    opening=st.sampled_from(["", "Sure! Here is the dialogue:\n\n", "<think>Person: hm</think>\n"]),
)
def test_any_labels_in_any_style_parse_to_what_was_written(
    style: tuple[str, str],
    labels: tuple[str, str, str],
    summary: str,
    turns: list[tuple[str, str]],
    opening: str,
) -> None:
    pattern, between = style
    giver, asker, teller = labels
    texts = [(f"What of {q}?", f"It is {a}.") for q, a in turns]
    if len({text for pair in texts for text in pair}) < 2 * len(texts):
        return
    lines = [pattern.format(giver, f"{summary}.")]
    for question, answer in texts:
        lines += [pattern.format(asker, question), pattern.format(teller, answer)]
    result = parse_dialogue(opening + between.join(lines))
    assert isinstance(result, Dialogue), result
    assert result.summary == f"{summary}."
    assert [turn.text for turn in result.turns] == [text for pair in texts for text in pair]
