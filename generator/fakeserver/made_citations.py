"""Made answers for prompts with numbered documents: questions, cited answers, refusals, verdicts.

Known by what such a prompt must have whatever its wording: `[1] title` lines and a
labelled question at the end, a labelled statement at the end, or a labelled title
above a text. Pure; good enough to be accepted, of no use as a corpus.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from generator.fakeserver.sentences import Lang, topics_of, words_of
from parsers.sentences import split_sentences
from parsers.text.content import content_units

Pick = Callable[[int], int]
"""Gives a number from 0 up to the count, drawn for this request."""

_DOCUMENT = re.compile(r"^\[(\d)\] (.*)\n((?:(?!\[\d\] ).*\n?)*)", re.MULTILINE)
_ASKED = re.compile(r"\n(?:Question|Request|问题|请求)[:：] ?(.+)\Z")
_STATEMENT = re.compile(r"\n(?:Statement|陈述)[:：] ?(.+)\Z")
_TITLED = re.compile(r"^(?:Title: |标题：)(.+)\n", re.MULTILINE)
_REFUSES = re.compile(r"\bNone of the numbered documents\b|都不包含")
_REFUSAL: Mapping[Lang, str] = MappingProxyType(
    {
        "en": "I am sorry, but the documents do not mention {asked}. They are about {titles}.",
        "zh": "很抱歉，所给文档没有提到{asked}。这些文档主要介绍的是{titles}。",
    }
)
_QUESTIONS: Mapping[Lang, tuple[str, ...]] = MappingProxyType(
    {
        "en": (
            "What have {a} and {b} to do with {title}?",
            "How do {a} and {b} come into {title}?",
            "Why do {a} and {b} matter for {title}?",
        ),
        "zh": (
            "{title}与{a}有什么关系？",
            "{title}为什么要提到{a}？",
            "{title}中的{a}是怎么回事？",
        ),
    }
)


def made_for_documents(text: str, lang: Lang, pick: Pick) -> str | None:
    """The answer to such a prompt's last message; None for any other prompt."""
    statement = _STATEMENT.search(text)
    if statement is not None:
        return _verdict(text[: statement.start()], statement[1], lang)
    asked = _ASKED.search(text)
    if asked is not None:
        documents = [
            (int(n), title, body) for n, title, body in _DOCUMENT.findall(text[: asked.start()])
        ]
        if documents:
            return _answer(text, documents, asked[1], lang)
    title = _TITLED.search(text)
    return None if title is None else _question(text[title.end() :], title[1], lang, pick)


def _answer(text: str, documents: list[tuple[int, str, str]], asked: str, lang: Lang) -> str:
    if _REFUSES.search(text):
        titles = (" and " if lang == "en" else "、").join(title for _, title, _ in documents)
        return _REFUSAL[lang].format(asked=asked.strip("?？.。 "), titles=titles)
    wanted = content_units(asked)
    candidates = [
        (len(wanted & content_units(f"{title} {s}")), -n, s)
        for n, title, body in documents
        for s in split_sentences(body)
        if s[-1] in ".。" and "[" not in s
    ]
    if not candidates:
        return _REFUSAL[lang].format(asked=asked.strip("?？.。 "), titles=documents[0][1])
    _, number, sentence = max(candidates)
    return f"{sentence[:-1]}[{-number}]{sentence[-1]}"


def _question(body: str, title: str, lang: Lang, pick: Pick) -> str:
    forms = _QUESTIONS[lang]
    sentences = [s for s in split_sentences(body) if len(topics_of(s, lang)) > (lang == "en")]
    chosen = sentences[pick(len(sentences))] if sentences else body
    topics = topics_of(chosen, lang) or (title,)
    return forms[pick(len(forms))].format(a=topics[0], b=topics[-1], title=title)


def _verdict(passage: str, statement: str, lang: Lang) -> str:
    said = words_of(statement) | content_units(statement)
    known = words_of(passage) | content_units(passage)
    holds = len(said & known) * 2 >= len(said)
    return ("Yes" if holds else "No") if lang == "en" else ("是" if holds else "否")
