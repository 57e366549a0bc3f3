"""Plausible answers without a model: sentences of the prompt, and questions to them. Pure.

Good enough for the project's own parser and filters to accept, so that a
rehearsal runs through every stage; of no use as a corpus.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from generator.fakeserver.draws import pick
from generator.fakeserver.made_citations import made_for_documents
from generator.fakeserver.schema_answers import SchemaTexts, instance_of
from generator.fakeserver.sentences import Lang, language_of, topics_of, usable_sentences, words_of
from generator.values import Message, Request

PAIRS = 4

_DIALOGUE = re.compile(r"\bdialog(?:ue)?\b|\bconversation between\b|对话", re.IGNORECASE)
_ASKING = re.compile(r"\bask(?:s|ing)?\b[^.\n]{0,80}\bquestions?\b|提出|提问|追问", re.IGNORECASE)
_SUMMARY = re.compile(
    r"\bsummari[sz]e\b|\bsummary of\b|\bshort summary\b|概括|总结|摘要", re.IGNORECASE
)
_OPENING = re.compile(r"(?:Summary|摘要) ?[:：]\s*\Z")
_INSTRUCTION = 600
"""Characters of the first message in which the instruction is looked for."""

_LABELS: Mapping[Lang, tuple[str, str, str]] = MappingProxyType(
    {
        "en": ("Summary: ", "Person: ", "You: "),
        "zh": ("摘要：", "对方：", "你："),
    }
)
_QUESTIONS: Mapping[Lang, tuple[str, ...]] = MappingProxyType(
    {
        "en": (
            "What does the text say about {a} and {b}?",
            "How do {a} and {b} come into it?",
            "Could you explain the part on {a} or {b}?",
            "Why are {a} and {b} mentioned there?",
            "Is there more to know about {a} or {b}?",
        ),
        "zh": (
            "关于“{a}”，文中是怎么说的？",
            "“{a}”这一点能具体说说吗？",
            "为什么要提到“{a}”？",
            "“{a}”是怎么回事？",
            "文中还讲了哪些与“{a}”有关的内容？",
        ),
    }
)
_NO_TOPIC: Mapping[Lang, tuple[str, ...]] = MappingProxyType(
    {
        "en": (
            "What else is there to say?",
            "Could you tell me more?",
            "How does that work?",
            "Why is that so?",
        ),
        "zh": ("还有什么可以说的吗？", "能再多讲一点吗？", "这是怎么做到的？", "为什么会这样？"),
    }
)
_MISSING: Mapping[Lang, str] = MappingProxyType(
    {
        "en": "There is not enough information in the text to answer that.",
        "zh": "文中没有提供足够的信息来回答这个问题。",
    }
)
_SMALL_TALK: Mapping[Lang, tuple[str, ...]] = MappingProxyType(
    {
        "en": (
            "That is a good point, and I see it the same way.",
            "I am glad to hear that, thank you for telling me.",
            "It is a fine day to talk about small things.",
        ),
        "zh": (
            "说得有道理，我也这么看。",
            "很高兴听到这些，谢谢你告诉我。",
            "今天很适合聊聊小事。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class _Material:
    """What an answer is made from."""

    seed: int
    digest: str
    lang: Lang
    sentences: tuple[str, ...]

    def pick(self, count: int, *what: object) -> int:
        return pick(self.seed, count, self.digest, *what)


def made_answer(request: Request, digest: str, seed: int, choice: int = 0) -> str:
    """The answer to a request; `digest` is the request's hash, `choice` numbers the choices.

    By the instruction: a dialogue with a summary and four pairs, a question, a
    summary, JSON by the request's schema, or one sentence; English or Chinese.
    """
    contents = [message.content for message in request.messages] or [request.prompt or ""]
    source = contents[0] if len(contents) > 1 else contents[-1]
    material = _Material(
        seed, f"{digest}/{choice}", language_of(source), usable_sentences("\n\n".join(contents[:2]))
    )
    about_documents = made_for_documents(
        contents[-1], language_of(contents[-1]), lambda count: material.pick(count, "document")
    )
    if about_documents is not None:
        return about_documents
    instruction = source[:_INSTRUCTION]
    if request.constraint is not None and request.constraint.kind == "json_schema":
        return _json(material, request.constraint.body)
    if _DIALOGUE.search(instruction) and not _has_history(request.messages):
        return _dialogue(material, opened=_OPENING.search(contents[-1][-40:]) is not None)
    if _ASKING.search(instruction):
        return _question_turn(material, request.messages)
    if _SUMMARY.search(instruction):
        return _summary(material)
    return _sentence(material, request.messages)


def _has_history(messages: tuple[Message, ...]) -> bool:
    return any(message.role == "assistant" for message in messages)


def _dialogue(material: _Material, *, opened: bool) -> str:
    label, person, bot = _LABELS[material.lang]
    summary, pairs = _summary(material), _pairs(material)
    lines = [f" {summary}" if opened else f"{label}{summary}"]
    for question, answer in pairs:
        lines += [f"{person}{question}", f"{bot}{answer}"]
    return "\n".join(lines) + "\n"


def _summary(material: _Material) -> str:
    """The first sentence, and one more where there are enough."""
    given = material.sentences
    if not given:
        return _MISSING[material.lang]
    kept = [given[0]] if len(given) < PAIRS + 3 else [given[0], given[1]]
    return ("" if material.lang == "zh" else " ").join(kept)


def _pairs(material: _Material) -> list[tuple[str, str]]:
    """Questions and answers in reading order, each answer a sentence of its own."""
    given = material.sentences
    rest = given[2:] if len(given) >= PAIRS + 3 else given[1:] or given
    start = material.pick(max(1, len(rest) - PAIRS + 1), "start")
    chosen = rest[start : start + PAIRS]
    first = material.pick(len(_QUESTIONS[material.lang]), "question")
    pairs = [
        (_question(sentence, material.lang, first + n), sentence)
        for n, sentence in enumerate(chosen)
    ]
    others, missing = _NO_TOPIC[material.lang], _MISSING[material.lang]
    return pairs + [(others[n], missing) for n in range(len(pairs), PAIRS)]


def _question(sentence: str, lang: Lang, form: int) -> str:
    topics = topics_of(sentence, lang)
    forms = _QUESTIONS[lang]
    if len(topics) < (1 if lang == "zh" else 2):
        return _NO_TOPIC[lang][form % len(_NO_TOPIC[lang])]
    return forms[form % len(forms)].format(a=topics[0], b=topics[-1])


def _question_turn(material: _Material, messages: tuple[Message, ...]) -> str:
    """A question about something in the prompt, in another form than the one before."""
    asked = sum(message.role == "assistant" for message in messages)
    last = usable_sentences(messages[-1].content) if messages else ()
    given = last or material.sentences
    form = asked + pick(material.seed, len(_QUESTIONS[material.lang]), *material.sentences)
    if not given:
        return _NO_TOPIC[material.lang][form % len(_NO_TOPIC[material.lang])]
    return _question(given[material.pick(len(given), "question")], material.lang, form)


def _sentence(material: _Material, messages: tuple[Message, ...]) -> str:
    """The sentence nearest to what was asked last, and not yet said."""
    said = "\n".join(message.content for message in messages if message.role == "assistant")
    fresh = [sentence for sentence in material.sentences if sentence not in said]
    if not fresh:
        if material.sentences:
            return _MISSING[material.lang]
        talk = _SMALL_TALK[material.lang]
        return talk[material.pick(len(talk), "talk")]
    if len(messages) < 2:
        return fresh[material.pick(len(fresh), "sentence")]
    wanted = words_of(messages[-1].content)
    return max(fresh, key=lambda sentence: len(wanted & words_of(sentence)))


def _json(material: _Material, schema_text: str) -> str:
    pairs = _pairs(material)
    texts = SchemaTexts(
        summary=_summary(material),
        questions=tuple(question for question, _ in pairs),
        answers=tuple(answer for _, answer in pairs),
    )
    schema: Any = json.loads(schema_text)
    return json.dumps(instance_of(schema, texts), ensure_ascii=False)
