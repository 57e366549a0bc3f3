"""Constraints for one turn of a conversation: a question in form, a sentence of the text."""

from __future__ import annotations

from collections.abc import Sequence

from generator.grammar import chinese_questions, english_questions
from generator.grammar.gbnf import literal, one_of, one_of_texts
from generator.grammar.questions import QuestionForm
from generator.grammar.sentence_grammar import Lang, TooFewSentences, usable_sentences
from generator.values import Constraint

_MOST_SENTENCES = 60
_CHOICES = 6
_OPENINGS: dict[Lang, tuple[tuple[str, ...], ...]] = {
    "en": (("What", "Which"), ("How",), ("Why",), ("Who", "Where", "When")),
    "zh": (("什么", "哪些"), ("如何", "怎样"), ("为什么",), ("谁", "何时", "多少")),
}


def question_form(lang: Lang, number: int) -> Constraint:
    """One short question. `number` counts the questions so far, from 0: each opens otherwise."""
    choices = _OPENINGS[lang]
    opening = one_of_texts(choices[number % len(choices)])
    if lang == "zh":
        return Constraint("gbnf", f'root ::= {opening} [一-鿿]{{4,24}} "？"\n')
    return Constraint(
        "gbnf", f'root ::= {opening} (" " [a-zA-Z] [a-zA-Z\'-]{{0,15}}){{3,12}} "?"\n'
    )


def question_about(
    said: Sequence[str], asked: Sequence[str], lang: Lang, number: int
) -> Constraint:
    """One question to the sentences `said` so far, the latest first, that was not `asked` yet.

    Where the question rules understand none of them, a question in form alone.
    """
    rules = chinese_questions if lang == "zh" else english_questions
    wanted = "how" if number % 2 else "what"
    forms: list[QuestionForm] = []
    names = english_questions.names_in(said)
    for sentence in reversed(said):
        if rules.is_about_pronoun(sentence):
            continue
        found = (
            chinese_questions.chinese_questions(sentence)
            if lang == "zh"
            else english_questions.english_questions(sentence, names)
        )
        forms += [f for f in found if not any(a.startswith(f.start) for a in asked)]
    chosen = [form for form in forms if form.kind == wanted] or forms
    if not chosen:
        return question_form(lang, number)
    return Constraint("gbnf", f"root ::= {one_of(f.expression() for f in chosen[:_CHOICES])}\n")


def answer_from_text(text: str, said: tuple[str, ...] = ()) -> Constraint | TooFewSentences:
    """One sentence of `text` that has not been `said` before, word for word."""
    sentences = [s for s in usable_sentences(text) if s not in said][:_MOST_SENTENCES]
    if not sentences:
        return TooFewSentences(0, 1)
    return Constraint("gbnf", f"root ::= {one_of_texts(sentences)}\n")


def summary_from_text(text: str, lang: Lang) -> Constraint | TooFewSentences:
    """Two sentences from the beginning of `text`, word for word, in their order."""
    sentences = usable_sentences(text)
    if len(sentences) < 2:
        return TooFewSentences(len(sentences), 2)
    lead = sentences[: max(2, len(sentences) // 3)]
    half = (len(lead) + 1) // 2
    space = literal("" if lang == "zh" else " ")
    return Constraint(
        "gbnf", f"root ::= {one_of_texts(lead[:half])} {space} {one_of_texts(lead[half:])}\n"
    )
