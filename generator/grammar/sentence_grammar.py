"""The grammar made from a segment: its sentences answer, and each is followed by its question.

A grammar of free lines gives a small model's answer its form and nothing else:
it loops inside perfect labels. Here summary and answers can only be the
segment's own sentences, each answer from the next stretch of the text, and
each answer stands before its question, so that the question is to a text that
was just read (the idea of Dialog Inpainting, Dai et al., 2022). The dialogue
parser puts the question first again.

The model chooses the sentences and, of the questions that fit the sentence,
kind and length; a sentence that the question rules do not understand is
offered only where there is no other, with a free question.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from generator.grammar import chinese_questions, english_questions
from generator.grammar.gbnf import literal, one_of, one_of_texts
from generator.grammar.questions import QuestionForm
from generator.values import Constraint
from parsers.sentences import is_cjk, split_sentences

Lang = Literal["en", "zh"]

# A sentence fit for an answer, in characters; longer ones are lists and formulas more than prose.
_WORDS_LENGTH = (40, 320)
_CJK_LENGTH = (12, 120)
_CHOICES = 4
_FREE_QUESTIONS = {
    "en": 'freequestion ::= ("What" | "How" | "Which") (" " [A-Za-z] [A-Za-z\'-]{0,15}){3,9} "?"',
    "zh": 'freequestion ::= ("什么" | "如何" | "为什么") [一-鿿]{4,20} "？"',
}


@dataclass(frozen=True, slots=True)
class TooFewSentences:
    """The text has `usable` sentences fit for an answer, but `needed` are needed."""

    usable: int
    needed: int


@dataclass(frozen=True, slots=True)
class _Answer:
    """A sentence that may answer, and the questions to it; none when the rules know none."""

    sentence: str
    forms: tuple[QuestionForm, ...]
    about_pronoun: bool


def sentence_grammar(text: str, lang: Lang, pairs: int = 4) -> Constraint | TooFewSentences:
    """A GBNF grammar whose summary and answers are sentences of `text`, each answer first.

    What it allows has this form (Chinese: 摘要：, 回答1：, 问题1：, with no space):

        Summary: <one or two sentences>
        Answer 1: <a sentence>
        Question 1: <a question>?
        Answer 2: …

    Gives `TooFewSentences` when fewer than `pairs` + 1 sentences are fit for it.
    """
    usable = usable_sentences(text)
    if len(usable) < pairs + 1:
        return TooFewSentences(len(usable), pairs + 1)
    names = english_questions.names_in(usable)
    answers = [_answer(sentence, names) for sentence in usable]
    lead = max(1, len(answers) // (pairs + 2))
    stretches = _different_questions(_stretches(answers[lead:], pairs))
    return Constraint("gbnf", "\n".join(_rules(_summary(answers[:lead], lang), stretches, lang)))


def usable_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text` that can stand as an answer, in order, without repeats."""
    return tuple(dict.fromkeys(s for s in split_sentences(text) if _is_usable(s)))


def _rules(summary_sentences: str, stretches: list[list[_Answer]], lang: Lang) -> list[str]:
    summary, answer, question = (
        ("Summary: ", "Answer {n}: ", "Question {n}: ")
        if lang == "en"
        else ("摘要：", "回答{n}：", "问题{n}：")
    )
    pair_names = [f"pair{n}" for n in range(1, len(stretches) + 1)]
    rules = [
        f"root ::= {literal(summary)} {summary_sentences} "
        + " ".join(f"{literal(chr(10))} {name}" for name in pair_names)
    ]
    needs_free = False
    for n, (name, stretch) in enumerate(zip(pair_names, stretches, strict=True), start=1):
        choices = []
        for candidate in stretch:
            lines = f"{answer.format(n=n)}{candidate.sentence}\n{question.format(n=n)}"
            needs_free = needs_free or not candidate.forms
            questions = (
                one_of(form.expression() for form in candidate.forms)
                if candidate.forms
                else "freequestion"
            )
            choices.append(f"{literal(lines)} {questions}")
        rules.append(f"{name} ::= {one_of(choices)}")
    return [*rules, _FREE_QUESTIONS[lang], ""] if needs_free else [*rules, ""]


def _answer(sentence: str, names: frozenset[str]) -> _Answer:
    if _is_mostly_cjk(sentence):
        forms = chinese_questions.chinese_questions(sentence)
        return _Answer(sentence, forms, chinese_questions.is_about_pronoun(sentence))
    forms = english_questions.english_questions(sentence, names)
    return _Answer(sentence, forms, english_questions.is_about_pronoun(sentence))


def _summary(lead: Sequence[_Answer], lang: Lang) -> str:
    """One of the first sentences, and one of those after them if the text has enough."""
    clear = [answer.sentence for answer in lead if not answer.about_pronoun]
    sentences = clear or [answer.sentence for answer in lead]
    half = (len(sentences) + 1) // 2
    first = one_of_texts(sentences[:half][:_CHOICES])
    if half == len(sentences):
        return first
    space = literal(" ") if lang == "en" else ""
    return f"{first} {space} {one_of_texts(sentences[half:][:_CHOICES])}"


def _stretches(answers: Sequence[_Answer], pairs: int) -> list[list[_Answer]]:
    """What may be each pair's answer, in the order of the text."""
    asked = [answer for answer in answers if answer.forms]
    pool = asked if len(asked) >= pairs else answers
    cuts = [index * len(pool) // pairs for index in range(pairs + 1)]
    return [_best(pool[cuts[i] : cuts[i + 1]]) for i in range(pairs)]


def _different_questions(stretches: list[list[_Answer]]) -> list[list[_Answer]]:
    """The same without the questions that an earlier pair may ask already.

    Of the others, odd pairs ask for things and even ones for ways and reasons, where both can be.
    """
    asked: set[str] = set()
    result = []
    for n, stretch in enumerate(stretches, start=1):
        wanted = "what" if n % 2 else "how"
        kept = []
        for answer in stretch:
            new = tuple(form for form in answer.forms if form.start not in asked)
            forms = tuple(form for form in new if form.kind == wanted) or new
            kept.append(_Answer(answer.sentence, forms, answer.about_pronoun))
        asked.update(form.start for answer in kept for form in answer.forms)
        result.append([answer for answer in kept if answer.forms] or kept)
    return result


def _best(stretch: Sequence[_Answer]) -> list[_Answer]:
    asked = [answer for answer in stretch if answer.forms]
    clear = [answer for answer in asked if not answer.about_pronoun]
    return list(clear or asked or stretch)[:_CHOICES]


def _is_usable(sentence: str) -> bool:
    shortest, longest = _CJK_LENGTH if _is_mostly_cjk(sentence) else _WORDS_LENGTH
    letters = sum(character.isalpha() for character in sentence)
    return (
        shortest <= len(sentence) <= longest
        and sentence[-1] in ".!。！"
        and 3 * letters >= 2 * len(sentence)
        and not any(unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn") for c in sentence)
    )


def _is_mostly_cjk(sentence: str) -> bool:
    return 2 * sum(map(is_cjk, sentence)) > len(sentence)
