"""Time grows with the length of the text, whatever the text is made of."""

from __future__ import annotations

import gc
import time

import pytest

from parsers.dialogue import parse_dialogue, parse_dialogue_original

_SMALL, _LARGE = 25_000, 100_000

_HOSTILE = {
    "labels": "Person: a?\n",
    "pairs": "Person: a b c?\nYou: d e f.\n",
    "names": "Mia: hello there.\nTom: hello?\n",
    "brackets": "[",
    "bracket words": "[a]",
    "less-than": "<",
    "tags": "<a>",
    "closing tags": "</a>",
    "turn tags": "<Person1>a</Person1><Person2>b</Person2>",
    "open turn tags": "<Person1>",
    "quotes": '"',
    "nested arrays": "[",
    "nested objects": '{"a":',
    "array of objects": '[{"a":"b"},',
    "tuples": "('a','b'),",
    "open fences": "```\n",
    "thoughts": "<think>\n",
    "closed thoughts": "</think>\n",
    "mentions of thoughts": "x <think> ",
    "colons": ":",
    "one line": "a",
    "spaces": " ",
    "blank lines": "\n",
    "dashes": "a - ",
    "stars": "* ",
    "headings": "# x\n",
    "pipes": "|",
    "table rows": "| a |\n",
    "times": "[00:01]",
    "numbers": "1. ",
    "entities": "&amp;",
    "backslashes": "\\",
    "escaped lines": "\\nPerson: a",
    "carriage returns": "\r",
    "invisible": "\u200b",
    "inline labels": "Person: a? You: b. ",
    "fields": "- speaker: a\n  text: b\n",
    "special tokens": "<|im_start|>user\na<|im_end|>",
    "stage lines": "[x]\n",
    "cues": "[laughs]",
    "notes": "\n\nNote: x",
    "loop of words": "a b c d e f ",
    "ideographs": "好",
    "slots": "[your name ",
    "surrogates": "\ud800",
}


def _seconds(text: str) -> float:
    # What else lives in the process must not be searched for garbage meanwhile.
    gc.collect()
    gc.disable()
    begin = time.process_time()
    parse_dialogue(text)
    spent = time.process_time() - begin
    gc.enable()
    return spent


@pytest.mark.slow
@pytest.mark.parametrize("piece", _HOSTILE.values(), ids=_HOSTILE.keys())
@pytest.mark.parametrize(
    "opening", ["", "Summary: x\nPerson: q?\nYou: "], ids=["bare", "in a turn"]
)
def test_four_times_the_text_takes_far_less_than_sixteen_times_as_long(
    piece: str, opening: str
) -> None:
    small = opening + piece * (_SMALL // len(piece))
    large = opening + piece * (_LARGE // len(piece))
    # what takes less than 10 ms cannot be told from noise; a busy machine gets a second run
    assert any(_seconds(large) < 8 * max(_seconds(small), 0.01) for _ in range(2))


@pytest.mark.parametrize("deep", ["[", '{"a":', "[[", '{"turns":['])
def test_depth_is_no_trap(deep: str) -> None:
    assert parse_dialogue(deep * 50_000) is not None
    assert parse_dialogue_original(deep * 50_000) is not None


def test_a_long_honest_turn_is_accepted() -> None:
    answer = " ".join(f"Part {number} says {number * 7}." for number in range(20_000))
    raw = (
        f"Summary: A long study.\nPerson: What does it say?\nYou: {answer}\nPerson: All?\nYou: Yes."
    )
    result = parse_dialogue(raw)
    assert not hasattr(result, "code"), result
