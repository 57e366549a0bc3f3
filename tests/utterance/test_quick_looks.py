"""What a quick look at the words must never pass over: instructions, refusals, dashes as colons."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.dialogue.labels import LabelReader
from parsers.dialogue.lines import read_at
from parsers.dialogue.prompt_echo import is_prompt_echo
from parsers.dialogue.vocabulary import DEFAULT_VOCABULARY
from parsers.text.refusals import is_declining
from parsers.utterance import UtteranceFault, parse_utterance

INSTRUCTIONS = (
    "Please generate a short dialogue about the text.",
    "Your task is to write a conversation.",
    "SIMULATE THE DIALOG now",
    "Remember that you have access to the paper.",
    "You should be asking short questions.",
    "you should briefly answer them",
    "And you should write only one turn.",
    "Note that the other person sees only your summary.",
    "In the first utterance, you greet.",
    "in the first utterance write a summary",
    "You only see the following summary:",
    "请根据论文生成一段对话",
    "基於文本撰寫前先写對話",
    "你只能看到摘要",
    "你应该提问",
    "你可以看到论文",
)
REFUSALS = (
    "As an AI, this is beyond me.",
    "As a large language model it is not for me to say.",
    "Well, I'm just an AI model.",
    "I am only a language model, you see.",
    "I'm very sorry, but I can't do that.",
    "Sorry, I cannot comply.",
    "I cannot help with it.",
    "I can't assist.",
    "I won't participate.",
    "I am unable to engage.",
    "作为一个AI，这不合适。",
    "抱歉，我无法协助。",
)
WISHES = (
    "Could you provide the text?",
    "Please share the article with me first.",
    "Would you paste the whole passage here?",
    "Please upload your document.",
    "You may attach the paper.",
    "Send me the summary first.",
    "The article has been included, they say.",
    "No document was attached here.",
    "The passage to be shared is missing; any article is included.",
    "I do not see any text.",
    "I don’t have the article.",
    "I can't access the paper.",
    "I cannot see your document.",
    "请先提供文章",
    "您没有上传论文",
)


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_instructions_are_seen(text: str) -> None:
    assert is_prompt_echo(text)
    assert is_prompt_echo(f"The cache is full. {text} It stays so.")


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals_are_seen(text: str) -> None:
    assert is_declining(text)


@pytest.mark.parametrize("text", [*REFUSALS, *WISHES])
def test_a_model_that_will_not_play_its_part_is_seen(text: str) -> None:
    found = parse_utterance(text, "bot", finish_reason="stop")
    assert isinstance(found, UtteranceFault), found
    assert found.code == "refusal"


SIGNS = [" - ", " – ", " — ", " -- ", "–", "—", "|", "\t", "»", "→", "➜", "➔", "⇒", ">", ">>",
         "->", "=>", "# ", " = \""]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
def test_every_sign_that_may_stand_for_a_colon_is_read(sign: str) -> None:
    text = f"User{sign}How large is it?"
    found = read_at(text, 0, len(text), LabelReader(DEFAULT_VOCABULARY))
    assert found is not None, text
    assert found.form == "dash"
    assert text[found.start :].strip('"') == "How large is it?"


@settings(deadline=None, max_examples=200)
@given(st.sampled_from([*INSTRUCTIONS, *REFUSALS]), st.text(max_size=60))
def test_words_behind_change_nothing(text: str, more: str) -> None:
    look = is_prompt_echo if text in INSTRUCTIONS else is_declining
    assert look(f"{text}\n{more}")
