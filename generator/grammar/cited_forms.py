"""Constraints for answers over several documents: their own sentences with markers, or a refusal.

A model too small to follow the instruction is held to what the documents say:
it chooses which of the sentences nearest to the question answer it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.grammar.gbnf import literal, one_of_texts
from generator.grammar.sentence_grammar import Lang, TooFewSentences, usable_sentences
from generator.values import Constraint
from parsers.text.content import content_units

_CHOICES = 4
_MARKER = re.compile(r"\[\d")
_END = "?？.。!！ "
_SORRY: dict[Lang, tuple[str, ...]] = {
    "en": (
        "I am sorry, but the documents do not provide the information to answer “{question}”. "
        "They are about {titles}.",
        "Sorry, the given documents do not mention anything that answers “{question}”. "
        "What they cover is {titles}.",
    ),
    "zh": (
        "很抱歉，所给文档中没有提到能够回答“{question}”的相关信息。这些文档主要介绍的是{titles}。",
        "抱歉，文档中没有关于“{question}”的相关内容。它们讲述的是{titles}。",
    ),
}
_ON_A_SUBJECT: dict[Lang, tuple[str, ...]] = {
    "en": (
        "How does it come about that {title} works as it does?",
        "What should one know about {title} in practice?",
        "What is there to know about {title} and its use?",
    ),
    "zh": (
        "关于{title}有哪些值得了解的情况？",
        "{title}在实际中是怎么回事？",
        "{title}有什么特点，又有什么用处？",
    ),
}
_VERDICT: dict[Lang, tuple[str, str]] = {"en": ("Yes", "No"), "zh": ("是", "否")}


def cited_answer(
    documents: Sequence[str], question: str, lang: Lang
) -> Constraint | TooFewSentences:
    """One or two sentences of `documents`, word for word, each with its `[n]` before its end.

    Offered are those that share most with the question. `TooFewSentences` when none is fit.
    """
    asked = content_units(question)
    found = [
        (-len(asked & content_units(sentence)), number, place, sentence)
        for number, text in enumerate(documents, start=1)
        for place, sentence in enumerate(usable_sentences(text))
        if _MARKER.search(sentence) is None
    ]
    best = [
        f"{sentence[:-1]}[{number}]{sentence[-1]}"
        for _, number, _, sentence in sorted(found)[: 2 * _CHOICES]
    ]
    if not best:
        return TooFewSentences(0, 1)
    first, second = best[0::2], best[1::2]
    if not second:
        return Constraint("gbnf", f"root ::= {one_of_texts(first)}\n")
    space = "" if lang == "zh" else " "
    more = one_of_texts(space + sentence for sentence in second)
    return Constraint("gbnf", f"root ::= {one_of_texts(first)} ({more})?\n")


def subject_question(titles: Sequence[str], lang: Lang) -> Constraint | None:
    """A question on the subject that a title names; None where there is no title."""
    named = [title for title in titles if title]
    texts = [form.format(title=title) for title in named for form in _ON_A_SUBJECT[lang]]
    return Constraint("gbnf", f"root ::= {one_of_texts(texts)}\n") if texts else None


def refusal_form(titles: Sequence[str], question: str, lang: Lang) -> Constraint:
    """An apology that names what is missing and what the documents are about."""
    named = [title for title in dict.fromkeys(titles) if title] or [
        "other subjects" if lang == "en" else "其他主题"
    ]
    about = "、".join(named) if lang == "zh" else _listed(named)
    asked = question.strip(_END)
    return Constraint(
        "gbnf",
        f"root ::= {one_of_texts(s.format(question=asked, titles=about) for s in _SORRY[lang])}\n",
    )


def verdict_form(lang: Lang) -> Constraint:
    """Yes or no, and nothing else."""
    yes, no = _VERDICT[lang]
    return Constraint("gbnf", f"root ::= {literal(yes)} | {literal(no)}\n")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
