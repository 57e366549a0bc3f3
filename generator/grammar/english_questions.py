"""Questions that an English sentence answers, made by turning its main clause around.

"The queue receives new objects." answers "What does the queue receive?" and
"How does the queue receive new objects?". A sentence that the rules do not
understand gives no question, and is then not offered as an answer while
others are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from generator.grammar.english_clauses import NUMBER, Clause, take_apart
from generator.grammar.english_verbs import base_of
from generator.grammar.english_words import (
    AUTHORS,
    BE,
    DETERMINERS,
    OPENING_WORDS,
    PERSONAL,
    PREPOSITIONS,
    bare,
    is_adverb,
)
from generator.grammar.questions import QuestionForm

_AFTER_VERB = frozenset({"on", "to", "with", "from", "of", "into", "for", "by", "as", "through"})
_REASON = re.compile(r"\b(?:because|since|so that|to avoid|in order to|due to)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:when|whenever|until|as soon as"
    r"|(?:after|before|once|during) (?:the|an?|each|every|it|they|we|this)(?= )"
    r"|(?:after|within|every) (?:[\w-]+ )?(?:second|minute|hour|day|week|month|year|run)s?)\b",
    re.IGNORECASE,
)
# A reason or time after one of these belongs to an inner clause, not to what is asked about.
_INNER = re.compile(r"\b(?:that|which|who|how|whether)\b", re.IGNORECASE)
# "How does the set contain …?" has no answer: these verbs say what, not how.
_STATIVE = re.compile(
    "achieve|ask|belong|compare|consist|contain|cost|cover|depend|differ|evaluate|exceed|favou?r"
    "|find|give|have|hold|include|indicate|introduce|know|lack|last|lie|lose|mean|miss|need"
    "|outperform|plan|present|propose|publish|reach|receive|rely|require|rest|send|share|show"
    "|suggest|take|tend|use|want|win|yield"
)
_NEVER_NAMES = AUTHORS | PERSONAL | DETERMINERS | OPENING_WORDS
_COPULAR = frozenset({"stay", "remain"})
# A question may hold this part of its answer's words, so that it does not simply repeat it.
_MAX_SHARE = 0.65
_MAX_START_SHARE = 0.8


def english_questions(
    sentence: str, names: frozenset[str] = frozenset()
) -> tuple[QuestionForm, ...]:
    """The question forms that `sentence` answers; empty when the rules do not understand it.

    `names` are the words that keep their capital letter inside a question.
    """
    clause = take_apart(sentence, names)
    if clause is None or clause.verb in _COPULAR:
        return ()
    words = len(sentence.split())
    if clause.auxiliary in BE and not clause.verb:
        # "X is a …", "X is 14 bytes", "X is that …"
        forms = [QuestionForm("what", f"What {clause.auxiliary} {clause.subject}")]
    else:
        forms = _verb_questions(clause, sentence)
    return tuple(
        _shortened(form, words)
        for form in forms
        if len(form.start.split()) - 2 <= _MAX_START_SHARE * words
    )


def is_about_pronoun(sentence: str) -> bool:
    """Whether the sentence's subject is "it", "this" or the like, clear only beside others."""
    clause = take_apart(sentence, frozenset())
    return clause is not None and clause.about_pronoun


def names_in(sentences: Sequence[str]) -> frozenset[str]:
    """The names, as far as one can tell.

    They are capitalised where no sentence begins, or begin more than one
    sentence and stand nowhere in small letters.
    """
    inside = {bare(token) for sentence in sentences for token in sentence.split()[1:]}
    first = Counter(bare(sentence.split()[0]) for sentence in sentences if sentence.strip())
    often = {
        word
        for word, count in first.items()
        if count > 1 and word.lower() not in inside and word.lower() not in _NEVER_NAMES
    }
    return frozenset(word for word in inside if word[:1].isupper()) | often


def _verb_questions(clause: Clause, sentence: str) -> list[QuestionForm]:
    core = f"{clause.auxiliary} {clause.subject} {clause.verb}"
    if clause.has_inner and not clause.rest and clause.auxiliary not in BE:
        return [QuestionForm("what", f"What {core}")]
    forms = _what_questions(clause, core)
    chunks = _chunks(clause.rest)
    if _has_object(clause) or _has_infinitive(clause):
        if not chunks:
            return forms
        # Without it "How does it keep?" and "When does it need?" are no questions.
        core, chunks = core + chunks[0], chunks[1:]
    reason = _REASON.search(sentence)
    if reason is not None and _INNER.search(sentence, 0, reason.start()) is None:
        forms.append(QuestionForm("how", f"Why {core}", chunks))
    if _says_when(sentence):
        forms.append(QuestionForm("how", f"When {core}", chunks))
    if not _STATIVE.fullmatch(clause.verb):
        forms.append(QuestionForm("how", f"How {core}", chunks))
    return forms


def _what_questions(clause: Clause, core: str) -> list[QuestionForm]:
    following = clause.rest[0].lower() if clause.rest else ""
    second = clause.rest[1] if len(clause.rest) > 1 else ""
    forms = []
    if _has_infinitive(clause):
        forms.append(QuestionForm("what", f"What {core} to do"))
    elif following in _AFTER_VERB:
        forms.append(QuestionForm("what", f"What {core} {following}"))
    elif _has_object(clause):
        forms.append(QuestionForm("what", f"What {core}"))
    if NUMBER.fullmatch(following) and second.endswith("s"):
        forms.append(QuestionForm("what", f"How many {second} {core}"))
    return forms


def _has_object(clause: Clause) -> bool:
    is_passive = clause.auxiliary in BE
    return bool(clause.rest) and not is_passive and clause.rest[0].lower() not in PREPOSITIONS


def _has_infinitive(clause: Clause) -> bool:
    return (
        clause.rest[:1] == ("to",) and len(clause.rest) > 1 and base_of(clause.rest[1]) is not None
    )


def _says_when(sentence: str) -> bool:
    """Whether a time belongs to the main clause: nothing else stands between them."""
    time = _TIME.search(sentence)
    if time is None:
        return False
    between = sentence[: time.start()]
    return _INNER.search(between) is None and re.search(r"[,;:]|\band\b", between) is None


def _chunks(rest: tuple[str, ...]) -> tuple[str, ...]:
    """The words in pieces, noun phrases with their prepositions: a question may end after any."""
    chunks: list[str] = []
    piece: list[str] = []
    for word in rest:
        if piece and word.lower() in PREPOSITIONS and not _is_open(piece[-1]):
            chunks.append(" " + " ".join(piece))
            piece = []
        piece.append(word)
    while piece and _is_open(piece[-1]):
        piece.pop()
    if piece:
        chunks.append(" " + " ".join(piece))
    return tuple(chunks)


def _is_open(word: str) -> bool:
    """Whether a question cannot end after the word."""
    return word.lower() in DETERMINERS | PREPOSITIONS or is_adverb(word)


def _shortened(form: QuestionForm, answer_words: int) -> QuestionForm:
    words = form.words
    while words and len((form.start + "".join(words)).split()) > 2 + _MAX_SHARE * answer_words:
        words = words[:-1]
    return QuestionForm(form.kind, form.start, words, form.end)
