"""Takes the main clause of an English sentence apart: subject, verb, and what follows.

The rules know the auxiliaries and a list of verbs, no more. Where a word
could be a noun as well ("the test runs end"), they guess by its neighbours or
give up: a clause taken apart wrongly gives a broken question, a clause not
taken apart gives none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.grammar.english_verbs import base_of, is_participle
from generator.grammar.english_words import (
    AUTHORS,
    BE,
    CLAUSE_WORDS,
    DETERMINERS,
    HAVE,
    MODAL,
    OPENING_WORDS,
    PERSONAL,
    POINTING,
    PREPOSITIONS,
    bare,
    is_adverb,
)

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W_](?:[\w'’/+,-]*\w)?(?:\.\d+)?%?")
_MAX_SUBJECT = 8
_MAX_OPENING = 18


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: "the queue" / "does" / "receive" / ("new", "objects").

    `verb` is the base form, the participle after "is", or "" when "is" stands
    before a noun. `rest` are the words after the verb up to the first mark or
    further clause; `has_inner` says that such a clause follows the verb at
    once ("measures how often …"). `about_pronoun`: the subject is "it", "this
    step" or the like, clear only beside the sentence before.
    """

    subject: str
    auxiliary: str
    verb: str
    rest: tuple[str, ...]
    has_inner: bool
    about_pronoun: bool


def take_apart(sentence: str, names: frozenset[str]) -> Clause | None:
    """The main clause, or None if the rules do not understand it.

    `names` are the words that keep their capital letter inside a sentence.
    """
    tokens = _main_clause(sentence)
    for index in range(1, min(_MAX_SUBJECT, len(tokens) - 1)):
        if _WORD.fullmatch(tokens[index - 1]) is None or tokens[index].lower() in CLAUSE_WORDS:
            return None
        subject = _without_adverbs(tokens[:index])
        found = _verb_at(tokens, index, subject)
        if found is not None:
            return _clause(subject, found, names)
    return None


@dataclass(frozen=True, slots=True)
class _Verb:
    """A verb that was found: its auxiliary, base form, and the tokens from it on."""

    auxiliary: str
    base: str
    tokens: list[str]


def _main_clause(sentence: str) -> list[str]:
    """The words of the main clause on: an opening "In …," or "When …," is passed over."""
    tokens = sentence.rstrip(".!").split()
    first = tokens[0].lower().rstrip(",") if tokens else ""
    if first not in OPENING_WORDS and not is_adverb(first):
        return tokens
    for index, token in enumerate(tokens[:_MAX_OPENING]):
        if token.endswith(","):
            clause = tokens[index + 1 :]
            return clause if clause and clause[0].lower() not in CLAUSE_WORDS else []
        if index and token.lower() in ("we", "it", "they"):
            return tokens[index:]
    return []


def _verb_at(tokens: list[str], index: int, subject: list[str]) -> _Verb | None:
    """The clause's verb, if it stands at `index`."""
    token = tokens[index].lower()
    rest = tokens[index + 1 :]
    if token in BE:
        return _after_be(token, rest)
    if token in MODAL:
        following = rest[0].lower()
        auxiliary = "can" if token == "cannot" else token
        known = base_of(following)
        is_base = known is not None and known[1] == "base"
        return _Verb(auxiliary, following, rest) if is_base and token != "cannot" else None
    known = base_of(token)
    before = subject[-1].lower()
    if known is None or before in DETERMINERS | PREPOSITIONS:
        return None
    base, form = known
    if form == "past":
        is_verb = before in AUTHORS | PERSONAL or _begins_object(bare(rest[0]).lower())
        return _Verb("did", base, tokens[index:]) if is_verb else None
    if _is_noun_before_verb(token, rest):
        return None
    if form == "s" and not _is_plural(subject):
        return _Verb("does", base, tokens[index:])
    return _Verb("do", base, tokens[index:]) if form == "base" and _is_plural(subject) else None


def _after_be(token: str, rest: list[str]) -> _Verb | None:
    while len(rest) > 1 and is_adverb(bare(rest[0])):
        rest = rest[1:]
    following = bare(rest[0]).lower()
    if is_participle(following):
        return _Verb(token, following, rest)
    is_noun = following in DETERMINERS or following == "that" or NUMBER.match(following)
    return _Verb(token, "", []) if is_noun else None


def _is_plural(subject: list[str]) -> bool:
    """By the word that decides number: "number" in "the number of errors"."""
    head = subject[-1].lower()
    for index, word in enumerate(subject):
        if index and word.lower() in PREPOSITIONS:
            head = subject[index - 1].lower()
            break
    ends_plural = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return head in ("we", "they", "i", "people") or ends_plural


def _is_noun_before_verb(token: str, rest: list[str]) -> bool:
    """Whether a word that could be a verb is a noun: "runs" in "the runs are", "runs end the"."""
    following = bare(rest[0]).lower()
    if following in BE | MODAL | HAVE:
        return True
    next_verb = base_of(following)
    if next_verb is None or next_verb[1] == "past" or len(rest) < 2 or rest[0] != following:
        return False
    return token.endswith("s") and rest[1].lower() not in PREPOSITIONS | CLAUSE_WORDS


def _begins_object(word: str) -> bool:
    """Whether the word after "-ed" shows that this was the verb, and no participle."""
    return word in DETERMINERS or NUMBER.match(word) is not None


def _clause(subject: list[str], verb: _Verb, names: frozenset[str]) -> Clause | None:
    first = subject[0].lower()
    if not first[0].isalpha() or first in ("there", "here") or first.endswith("ing"):
        return None
    if len(subject) == 1 and first in AUTHORS:
        text = "the authors"
    else:
        words = ["the" if word.lower() in ("our", "my") else word for word in subject]
        is_name = words[0] in names or (len(words) > 1 and words[1] in names)
        if not is_name and (words[0][1:].islower() or len(words[0]) == 1):
            words[0] = words[0].lower()
        text = " ".join(words)
    after = verb.tokens[1].lower() if len(verb.tokens) > 1 else ""
    return Clause(
        text,
        verb.auxiliary,
        verb.base,
        _plain_words(verb.tokens),
        after in CLAUSE_WORDS,
        first in POINTING or (len(subject) == 1 and first in PERSONAL),
    )


def _without_adverbs(words: list[str]) -> list[str]:
    end = len(words)
    while end > 1 and is_adverb(words[end - 1]):
        end -= 1
    return words[:end]


def _plain_words(tokens: list[str]) -> tuple[str, ...]:
    """The words after the verb (the first token), adverbs at once after it left out."""
    words: list[str] = []
    if not tokens or tokens[0] != bare(tokens[0]):
        return ()
    for token in tokens[1:]:
        word = bare(token)
        if word.lower() in CLAUSE_WORDS or _WORD.fullmatch(word) is None:
            break
        if words or not is_adverb(word):
            words.append(word)
        if word != token:
            break
    return tuple(words)
