"""The quick reader of one-line turns gives what the general reader gives, or gives up."""

from __future__ import annotations

import pytest
from dialogue_cases import OWN_CASES, SHARED_CASES, read_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.dialogue import DEFAULT_VOCABULARY, parse_dialogue
from parsers.dialogue.labels import LabelReader
from parsers.dialogue.one_line import read_one_line_turns
from parsers.dialogue.plain import read_plain

_RAWS = [case["raw"] for path in (OWN_CASES, SHARED_CASES) for case in read_cases(path)]


def _gives_up_or_agrees(text: str) -> bool:
    """Whether the quick reader read the text, and then as the general one does."""
    quick = read_one_line_turns(text, LabelReader(DEFAULT_VOCABULARY))
    if quick is not None:
        assert quick == read_plain(text, LabelReader(DEFAULT_VOCABULARY))
    return quick is not None


@pytest.mark.parametrize(
    ("summary", "asker", "teller"),
    [
        ("Summary: ", "Person: ", "You: "),
        ("**Summary:** ", "**Person:** ", "**You:** "),
        ("**Summary**: ", "**Person**: ", "**You**: "),
        ("Summary: ", "Q: ", "A: "),
        ("Summary: ", "Q1: ", "A1: "),
        ("摘要：", "提问者：", "作者："),
        ("- Summary: ", "- User: ", "- Assistant: "),
        ("", "Mia: ", "Tom: "),
        ("You (summary): ", "Person: ", "You: "),
        ("[Summary]: ", "[Person]: ", "[You]: "),
    ],
)
@pytest.mark.parametrize("between", ["\n", "\n\n", "\n \n"], ids=["line", "blank", "space"])
def test_common_styles_are_read_quickly_and_alike(
    summary: str, asker: str, teller: str, between: str
) -> None:
    lines = [
        f"{summary or teller}Kites fly (high) & far.",
        f"{asker}How high do they fly?",
        f'{teller}"Very high," says the text',
        f"{asker}12 metres?",
        f"{teller}Two things: strings & wind.",
    ]
    assert _gives_up_or_agrees(between.join(lines) + between)


def test_recorded_structures_are_read_alike_and_many_quickly() -> None:
    assert sum(map(_gives_up_or_agrees, _RAWS)) > 100


_HEADS = st.sampled_from(
    "Summary,Person,You,Q,A,User,Assistant,Mia,Tom,**Person,**You,**Summary,**You**,- Person,"
    "Q1,A1,Person 1,Person 2,Speaker A,You (summary),[Person],(You),摘要,用户,助手,提问者,作者,"
    "问,Topic,Note,Title,Dialogue,End,i. You,a) Person,10,[00:01] You,Person [00:01],YOU,person,"
    "The answer,> You,1. You,System,Narrator,Question,Answer,#,,Person of note".split(",")
)
_COLONS = st.sampled_from(
    [": ", ": ", ": ", ":", "：", ":** ", " : ", "︰", ":  ", ": **", "://", " - ", "\n"]
)
_SAID = st.sampled_from(
    "What is it?|A list.|Summary: a list.|You: a list|it|It is, they say, 7: 3|(nods)|(nods) Yes.|"
    "“Quoted.”|*Yes.*|**Yes.**|`a`|the You: b.|i. Summary: b|b) [Person] c|1. [You] c.|a <b>b</b>."
    "|x &amp; y.|Step 1|Yes\n\nNote: no.|two\nlines.|?|.|[name]|…|好。|问：什么？|Ends in a colon:"
    "|Thanks!|You said: no|Person|12:30 is late.|a: b|好︰的||Di: b|ends with a quote.”".split("|")
)
_LINES = st.builds("{}{}{}".format, _HEADS, _COLONS, _SAID)
_BREAKS = st.sampled_from(["\n", "\n", "\n\n", "\n \n", "\n\t\n", " ", "\n---\n", "\n```\n"])
_TEXTS = st.lists(st.tuples(_LINES, _BREAKS), min_size=2, max_size=9).map(
    lambda pieces: "".join(line + end for line, end in pieces)
)
_WORDS = st.sampled_from(["How is it?", "It is so.", "Why", "It is, then, a tile:", "12 m."])
_TURNS = st.lists(
    st.tuples(
        st.one_of(_WORDS, _WORDS, _WORDS, _SAID), st.sampled_from(["\n", "\n", "\n\n", "\n \n"])
    ),
    min_size=3,
    max_size=7,
)
_PAIRS = st.one_of(
    st.sampled_from(
        [
            ("Person: ", "You: "),
            ("**Q:** ", "**A:** "),
            ("Q1: ", "A1: "),
            ("问：", "答："),
            ("Mia: ", "Tom: "),
        ]
    ),
    st.tuples(st.builds("{}{}".format, _HEADS, _COLONS), st.just("You: ")),
)
_SPEAKING = st.builds(
    lambda opening, pair, turns: (
        opening + "".join(pair[at % 2] + text + end for at, (text, end) in enumerate(turns))
    ),
    st.sampled_from(["", "\n", "Summary: x.\n", "**Summary:** x y.\n", "摘要：好。\n\n"]),
    _PAIRS,
    _TURNS,
)


@settings(deadline=None, max_examples=400)
@given(text=st.one_of(_TEXTS, _SPEAKING))
def test_any_lines_are_read_alike(text: str) -> None:
    _gives_up_or_agrees(text)
    assert parse_dialogue(text) is not None
