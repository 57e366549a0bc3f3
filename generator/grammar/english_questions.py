"""Questions that an English sentence answers, found by rules over its first clause.

The rules look for the clause's subject and verb, and turn them around: "The
queue receives new objects." answers "What does the queue receive?" and "How
does the queue receive new objects?". They know no grammar beyond a list of
verbs; a sentence they do not understand gives no question, and is then not
offered as an answer while others are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.grammar.english_verbs import base_of, is_participle
from generator.grammar.questions import QuestionForm

_BE = frozenset({"is", "are", "was", "were"})
_MODAL = frozenset({"can", "may", "must", "will", "should", "could", "might", "cannot"})
_NAMES_FOR_AUTHORS = frozenset({"we", "i"})
_PRONOUNS = frozenset(
    ("it", "they", "this", "these", "those", "that", "both", "each", "another", "one", "others")
)
_DETERMINERS = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "each", "every", "all", "both"),
        *("some", "any", "no", "its", "their", "our", "his", "her", "my", "your", "several"),
        *("many", "most", "few", "one", "two", "three", "four", "five", "six", "seven", "eight"),
        *("nine", "ten", "half", "more", "less"),
    )
)
_PREPOSITIONS = frozenset(
    (
        *("of", "in", "on", "at", "by", "for", "from", "with", "without", "to", "into", "onto"),
        *("over", "under", "per", "as", "than", "through", "across", "between", "among", "within"),
        *("against", "about", "after", "before", "during", "towards", "toward", "along", "around"),
    )
)
_OPENING_WORDS = _PREPOSITIONS | frozenset(
    (
        *("since", "because", "although", "though", "while", "whereas", "when", "if", "once"),
        *("until", "unless", "despite", "like", "unlike", "instead", "besides", "however", "thus"),
        *("therefore", "hence", "moreover", "furthermore", "first", "second", "third", "finally"),
        *("then", "also", "here", "there", "overall", "given", "using", "compared", "based"),
    )
)
_CLAUSE_WORDS = frozenset(
    (
        *("that", "which", "who", "whom", "whose", "where", "when", "because", "and", "or", "but"),
        *("nor", "if", "while", "so", "since", "until", "unless", "although", "whether", "once"),
        *("what", "how", "why", "yet", "whereas"),
    )
)
_ADVERBS = frozenset(
    (
        *("only", "also", "then", "always", "never", "often", "thus", "further", "first", "still"),
        *("just", "usually", "therefore", "now", "again", "already", "merely", "simply", "rarely"),
        *("alone", "itself", "themselves", "together", "hardly", "sometimes", "instead", "even"),
    )
)
_AFTER_VERB = frozenset(("on", "to", "with", "from", "of", "into", "for", "by", "as", "through"))
_REASON = re.compile(r"\b(?:because|since|so that|to avoid|in order to|due to)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:when|whenever|until|as soon as"
    r"|(?:after|before|once|during) (?:the|an?|each|every|it|they|we|this)(?= ))\b",
    re.IGNORECASE,
)
# "How does the set contain …?" has no answer: these verbs say what, not how.
_STATIVE = re.compile(
    "achieve|belong|consist|contain|cost|exceed|find|give|have|hold|include|indicate|introduce|know"
    "|lack|mean|need|outperform|plan|present|propose|reach|remain|require|show|suggest|take|tend"
    "|want|win|yield"
)
_WORD = re.compile(r"[^\W_](?:[\w'’/+,-]*\w)?(?:\.\d+)?%?")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_MAX_SUBJECT = 8
# A question may hold this part of its answer's words, so that it does not simply repeat it.
_MAX_SHARE = 0.65


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause taken apart: "the queue" / "does" / "receive" / ("new", "objects")."""

    subject: str
    auxiliary: str
    verb: str
    rest: tuple[str, ...]
    about_pronoun: bool


def english_questions(sentence: str) -> tuple[QuestionForm, ...]:
    """The question forms that `sentence` answers; empty when the rules do not understand it."""
    clause = _take_apart(sentence)
    if clause is None:
        return ()
    words = len(sentence.split())
    is_be = clause.auxiliary in _BE and not clause.verb
    forms = _be_questions(clause) if is_be else _verb_questions(clause, sentence)
    short = tuple(_shortened(form, words) for form in forms)
    return tuple(form for form in short if _share(form, words) <= _MAX_SHARE or words >= 12)


def is_about_pronoun(sentence: str) -> bool:
    """Whether the sentence's subject is "it", "this" or the like, clear only beside others."""
    clause = _take_apart(sentence)
    return clause is not None and clause.about_pronoun


def _be_questions(clause: _Clause) -> tuple[QuestionForm, ...]:
    """For "X is a …", "X is 14 bytes" and "X is that …"."""
    return (QuestionForm("what", f"What {clause.auxiliary} {clause.subject}"),)


def _verb_questions(clause: _Clause, sentence: str) -> tuple[QuestionForm, ...]:
    core = f"{clause.auxiliary} {clause.subject} {clause.verb}"
    forms: list[QuestionForm] = []
    following = clause.rest[0].lower() if clause.rest else ""
    is_passive = clause.auxiliary in _BE
    has_object = not (is_passive or following in _ADVERBS | _PREPOSITIONS or not following)
    if following in _AFTER_VERB:
        forms.append(QuestionForm("what", f"What {core} {following}"))
    elif has_object:
        forms.append(QuestionForm("what", f"What {core}"))
    if len(clause.rest) > 1 and _NUMBER.fullmatch(following) and clause.rest[1].endswith("s"):
        forms.append(QuestionForm("what", f"How many {clause.rest[1]} {core}"))
    chunks = _chunks(clause.rest)
    if has_object and chunks:
        # Without its object "How does it keep?" is no question.
        core, chunks = core + chunks[0], chunks[1:]
    elif has_object:
        return tuple(forms)
    if _REASON.search(sentence):
        forms.append(QuestionForm("how", f"Why {core}", chunks))
    if _TIME.search(re.split(r"[;:]|, (?:and|so|but)\b", sentence, maxsplit=1)[0]):
        forms.append(QuestionForm("how", f"When {core}", chunks))
    if not _STATIVE.fullmatch(clause.verb):
        forms.append(QuestionForm("how", f"How {core}", chunks))
    return tuple(forms)


def _take_apart(sentence: str) -> _Clause | None:
    tokens = _main_clause(sentence)
    for index in range(1, min(_MAX_SUBJECT, len(tokens) - 1)):
        before = tokens[index - 1]
        if before.endswith((",", ";", ":")) or _WORD.fullmatch(before) is None:
            return None
        token = tokens[index].lower()
        if token in _CLAUSE_WORDS:
            return None
        subject = _without_adverbs(tokens[:index])
        found = _verb_at(tokens, index, subject[-1].lower())
        if found is not None:
            auxiliary, verb, rest = found
            return _clause(subject, auxiliary, verb, rest)
    return None


def _verb_at(tokens: list[str], index: int, before: str) -> tuple[str, str, tuple[str, ...]] | None:
    """The auxiliary, the verb ("" for plain "is") and what follows, if the verb is at `index`."""
    token = tokens[index].lower()
    rest = tokens[index + 1 :]
    following = _bare(rest[0]).lower()
    if token in _BE:
        while len(rest) > 1 and (following in _ADVERBS or following.endswith("ly")):
            rest = rest[1:]
            following = _bare(rest[0]).lower()
        if is_participle(following) and following not in _ADVERBS:
            return token, following, _plain_words(rest)
        is_noun = following in _DETERMINERS or following == "that" or _NUMBER.match(following)
        return (token, "", ()) if is_noun else None
    if token in _MODAL:
        auxiliary = "can" if token == "cannot" else token
        known = base_of(following)
        return (auxiliary, following, _plain_words(rest)) if known is not None else None
    known = base_of(token)
    if known is None or before in _DETERMINERS or before in _PREPOSITIONS:
        return None
    base, form = known
    is_plural = before in ("we", "they", "i") or (
        before.endswith("s") and not before.endswith(("ss", "us", "is"))
    )
    next_verb = base_of(following)
    if form == "s" and not is_plural:
        # "The sample counts grow": a noun before its verb, as far as one can tell.
        is_doubtful = next_verb is not None and next_verb[1] == "base" and before not in _PRONOUNS
        return None if is_doubtful else ("does", base, _plain_words([token, *rest]))
    before_form = base_of(before)
    if form == "base" and is_plural and (before_form is None or before_form[1] != "s"):
        return "do", base, _plain_words([token, *rest])
    if form == "past" and (before in _NAMES_FOR_AUTHORS | _PRONOUNS or _is_object(following)):
        return "did", base, _plain_words([token, *rest])
    return None


def _is_object(word: str) -> bool:
    """Whether the word after "-ed" shows that this was the verb, and no participle."""
    return word in _DETERMINERS or _NUMBER.match(word) is not None


def _clause(subject: list[str], auxiliary: str, verb: str, rest: tuple[str, ...]) -> _Clause | None:
    first = subject[0].lower()
    if not first[0].isalpha() or first in ("there", "here"):
        return None
    if any(base_of(word) is not None and word.lower().endswith("ed") for word in subject[1:-1]):
        # Two verbs, and no knowing which one is the clause's.
        return None
    if len(subject) == 1 and first in _NAMES_FOR_AUTHORS:
        text = "the authors"
    else:
        words = ["the" if word.lower() in ("our", "my") else word for word in subject]
        if words[0][1:].islower() or len(words[0]) == 1:
            words[0] = words[0].lower()
        text = " ".join(words)
    return _Clause(text, auxiliary, verb, rest, first in _PRONOUNS)


def _main_clause(sentence: str) -> list[str]:
    """The words of the main clause on: an opening "In …," or "When …," is passed over."""
    tokens = sentence.rstrip(".!").split()
    first = tokens[0].lower().rstrip(",") if tokens else ""
    if first not in _OPENING_WORDS and not first.endswith("ly"):
        return tokens
    for index, token in enumerate(tokens[:18]):
        if token.endswith(","):
            return tokens[index + 1 :]
        if index and token.lower() in ("we", "it", "they"):
            return tokens[index:]
    return []


def _without_adverbs(words: list[str]) -> list[str]:
    end = len(words)
    while end > 1 and (words[end - 1].lower() in _ADVERBS or words[end - 1].endswith("ly")):
        end -= 1
    return words[:end]


def _plain_words(tokens: list[str]) -> tuple[str, ...]:
    """The words after the verb (the first token) up to the first mark or further clause."""
    words: list[str] = []
    if not tokens or tokens[0] != _bare(tokens[0]):
        return ()
    for token in tokens[1:]:
        word = _bare(token)
        if word.lower() in _CLAUSE_WORDS or _WORD.fullmatch(word) is None:
            break
        words.append(word)
        if word != token:
            break
    return tuple(words)


def _chunks(rest: tuple[str, ...]) -> tuple[str, ...]:
    """The words in pieces, noun phrases with their prepositions: a question may end after any."""
    chunks: list[str] = []
    piece: list[str] = []
    for word in rest:
        if piece and word.lower() in _PREPOSITIONS and not _is_open(piece[-1]):
            chunks.append(" " + " ".join(piece))
            piece = []
        piece.append(word)
    if piece and not _is_open(piece[-1]):
        chunks.append(" " + " ".join(piece))
    return tuple(chunks)


def _is_open(word: str) -> bool:
    """Whether a question cannot end after the word."""
    return word.lower() in _DETERMINERS | _PREPOSITIONS | _ADVERBS


def _shortened(form: QuestionForm, answer_words: int) -> QuestionForm:
    words = form.words
    while words and len((form.start + "".join(words)).split()) > 2 + _MAX_SHARE * answer_words:
        words = words[:-1]
    return QuestionForm(form.kind, form.start, words, form.end)


def _share(form: QuestionForm, answer_words: int) -> float:
    return (len(form.start.split()) - 2) / answer_words


def _bare(token: str) -> str:
    return token.rstrip(",;:)").lstrip("(")
