"""Output constraints for backends that enforce them: GBNF grammars and a JSON schema. Pure.

A grammar of free lines gives a small model's answer its form and nothing
else: it loops inside perfect labels. The sentence grammar is made from the
segment instead: summary and answers can only be the segment's own sentences,
and each answer stands before its question, so that the model writes a
question to a text it has just read (the idea of Dialog Inpainting, Dai et
al., 2022). The dialogue parser puts the question first again.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from generator.values import Constraint
from parsers.sentences import is_cjk, split_sentences

Lang = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class TooFewSentences:
    """The text has `usable` sentences fit for an answer, and `needed` are needed."""

    usable: int
    needed: int


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of the lines, each with its colon; `{n}` is the number of the pair, from 1."""

    summary: str
    answer: str
    question: str
    space: str


LABELS: dict[str, Labels] = {
    "en": Labels("Summary:", "Answer {n}:", "Question {n}:", " "),
    "zh": Labels("摘要：", "回答{n}：", "问题{n}：", ""),
}
_QUESTION_STARTS = (
    ("What", "Which"),
    ("How",),
    ("Why", "When", "Where"),
    ("Does", "Is", "Are", "Can"),
)
# A sentence fit for an answer, in characters. Longer ones are lists and formulas more than prose.
_EN_LENGTH = (40, 320)
_ZH_LENGTH = (12, 120)
_CHOICES = 4


def sentence_grammar(text: str, lang: Lang, pairs: int = 4) -> Constraint | TooFewSentences:
    """A GBNF grammar whose summary and answers are sentences of `text`, each answer first.

    The answer it allows has this form (English; Chinese with 摘要：, 回答1：, 问题1：):

        Summary: <one or two sentences>
        Answer 1: <a sentence>
        Question 1: <a free question>?
        …

    The text is cut into `pairs` stretches of sentences, and each answer is
    taken from the next one. Gives `TooFewSentences` when fewer than `pairs` + 1
    sentences are fit for it.
    """
    usable = usable_sentences(text)
    if len(usable) < pairs + 1:
        return TooFewSentences(len(usable), pairs + 1)
    labels = LABELS[lang]
    summary, *stretches = _stretches(usable, pairs)
    rules = [
        "root ::= summary " + " ".join(f"pair{n}" for n in range(1, pairs + 1)),
        f"summary ::= {gbnf_literal(labels.summary + labels.space)} "
        f"{_alternatives(summary)} {gbnf_literal(chr(10))}",
    ]
    for n, stretch in enumerate(stretches, start=1):
        answer = labels.answer.format(n=n) + labels.space
        question = labels.question.format(n=n) + labels.space
        end = "" if n == pairs else gbnf_literal("\n")
        rules.append(
            f"pair{n} ::= {gbnf_literal(answer)} {_alternatives(stretch)} "
            f"{gbnf_literal(chr(10) + question)} question{n} {end}"
        )
        rules.append(_question_rule(n, lang))
    return Constraint("gbnf", "\n".join(rules) + "\n")


def dialogue_json_schema(pairs: int = 4) -> Constraint:
    """A JSON schema: `{"summary": str, "turns": [{"speaker": "person" | "bot", "text": str}]}`.

    For servers that take `response_format` of type `json_schema`; every key is
    required and no other allowed, as strict servers ask.
    """
    turn = {
        "type": "object",
        "properties": {
            "speaker": {"type": "string", "enum": ["person", "bot"]},
            "text": {"type": "string"},
        },
        "required": ["speaker", "text"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "turns": {"type": "array", "items": turn, "minItems": 2 * pairs, "maxItems": 2 * pairs},
        },
        "required": ["summary", "turns"],
        "additionalProperties": False,
    }
    return Constraint("json_schema", json.dumps(schema, ensure_ascii=False))


def free_grammar(lang: Lang, pairs: int = 4) -> Constraint:
    """A GBNF grammar with labels and free lines: form only, the content is the model's own."""
    labels = LABELS[lang]
    person, bot = ("Person: ", "Bot: ") if lang == "en" else ("提问者：", "回答者：")
    return Constraint(
        "gbnf",
        f"root ::= {gbnf_literal(labels.summary + labels.space)} summary "
        f"({gbnf_literal(person)} question {gbnf_literal(bot)} answer){{{pairs}}}\n"
        'summary ::= [^ \\n] [^\\n]{40,400} "\\n"\n'
        'question ::= [^ \\n?？] [^\\n?？]{6,160} [?？] "\\n"\n'
        'answer ::= [^ \\n] [^\\n]{1,240} "\\n"\n',
    )


def usable_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text` that can stand as an answer, in order, without repeats."""
    return tuple(dict.fromkeys(s for s in split_sentences(text) if _is_usable(s)))


def gbnf_literal(text: str) -> str:
    """`text` as a quoted GBNF literal. Raises `ValueError` for lone surrogates.

    Quotes, backslashes and everything invisible are escaped, so that neither a
    text nor an editor can end the literal early.
    """
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise ValueError(f"a lone surrogate (U+{code:04X}) cannot be part of a grammar")
    if character == " " or (code > 0x20 and character.isprintable()):
        return character
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _alternatives(texts: Sequence[str]) -> str:
    return "(" + " | ".join(gbnf_literal(text) for text in texts) + ")"


def _question_rule(n: int, lang: Lang) -> str:
    starts = _alternatives(_QUESTION_STARTS[(n - 1) % len(_QUESTION_STARTS)])
    if lang == "zh":
        return f'question{n} ::= [^?？\\n]{{4,40}} "？"'
    return f'question{n} ::= {starts} " " [^?\\n]{{12,110}} "?"'


def _stretches(sentences: Sequence[str], pairs: int) -> list[list[str]]:
    first, rest = sentences[: max(1, len(sentences) // (pairs + 2))], None
    rest = sentences[len(first) :]
    cut = [round(i * len(rest) / pairs) for i in range(pairs + 1)]
    return [list(first[:_CHOICES])] + [
        list(rest[cut[i] : cut[i + 1]][:_CHOICES]) for i in range(pairs)
    ]


def _is_usable(sentence: str) -> bool:
    wide = sum(map(is_cjk, sentence))
    shortest, longest = _ZH_LENGTH if 2 * wide > len(sentence) else _EN_LENGTH
    letters = sum(character.isalpha() for character in sentence)
    return (
        shortest <= len(sentence) <= longest
        and sentence[-1] in ".!。！"
        and 3 * letters >= 2 * len(sentence)
        and not any(unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn") for c in sentence)
    )
