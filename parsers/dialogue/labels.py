"""Reads what stands before a colon: whose label it is, or that it is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from .names import name_shape
from .numbers import CHINESE_DIGITS, NUMBER_WORDS, ROMAN, read_number
from .vocabulary import Kind, Vocabulary, fold_label

LONGEST_LABEL = 48
"""Labels longer than this many characters are sentences."""

SPEAKING: frozenset[Kind] = frozenset(
    {"person", "bot", "question", "answer", "asker", "teller", "speaker", "name"}
)
"""Kinds that can announce a turn."""

SIDES: Mapping[Kind, Literal["person", "bot"]] = MappingProxyType(
    {"person": "person", "question": "person", "bot": "bot", "answer": "bot"}
)
"""The role of the kinds that settle it by themselves."""


class Label(NamedTuple):
    """A label as read.

    `base` is the folded word, `ident` what tells two of the same word apart ("1", "b"), `number`
    the same as a number, `summary` whether the label says that a summary follows, `faint`
    whether it is a name only if it keeps coming back.
    """

    base: str
    kind: Kind
    ident: str = ""
    number: int | None = None
    summary: bool = False
    faint: bool = False


_EDGES = " \t\u00a0\u3000\u200b\u200e\u200f\ufeff*_~`\"“”„«»'‘’#\\|-–—•="
_OPENERS = "([（【{<〈《「『〔［"
_CLOSERS = ")]）】}>〉》」』〕］"
_ASIDE = re.compile(r"([^(（\[【]{1,40})[(（\[【]([^)）\]】]{1,40})[)）\]】]\s*\.?")
_ORDINAL = re.compile(
    r"第\s?(\d{1,3}|[一二三四五六七八九十]{1,3})\s?(?:个|個|次|轮|輪)?\s?(\D{1,8})"
)
_FILLERS = frozenset(
    "the a an of paper article text short brief quick my your our by in document section one two "
    "three sentence sentences initial opening concise and this study research first utterance "
    "du de la des del do da di dell'articolo artículo artigo papier kurze kurz utterance's to for "
    "main".split()
)
_ROLE_NOUNS = frozenset({"person", "reader", "user", "assistant", "bot", "human"})
_ARTICLES = frozenset("a an the of to for in on with and or is are was by from this that".split())
_SAYING = frozenset(
    "said says asked asks answered answers replied replies responded responds wrote writes".split()
)
_PROFILE_WORDS = frozenset("persona personas background description bio traits character".split())
_TIME_TAIL = re.compile(r"[\s,|@-]+\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?$")
_ARTICLE = re.compile(r"^(?:the|an?) ")
_COUNTER_WORD = re.compile(r" (?:no|nr|number|num|nº|n°|n)\.?$")
_DASHED = re.compile(r"\s+[-–—|/]\s+|\s*[–—]\s*")
_SUMMARY_TAILS = ("总结", "摘要", "概述", "概要", "小结", "總結", "要約", "まとめ", "요약")


class LabelReader:
    """Reads labels by one vocabulary, remembering those it has seen; made anew for every text."""

    __slots__ = ("_kinds", "_patterns", "_seen", "_spellings")

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._kinds = vocabulary.kinds
        self._spellings = vocabulary.spellings
        self._patterns = vocabulary.expressions
        self._seen: dict[str, Label | None] = {}

    def read(self, head: str) -> Label | None:
        """The label `head` is, or None when it is the beginning of a sentence."""
        if head in self._seen:
            return self._seen[head]
        known = self._spellings.get(head)
        if known is None:
            label = self._analyse(head)
        else:
            word, kind = known
            label = Label(word, kind, "", None, kind == "summary")
        self._seen[head] = label
        return label

    def known(self, head: str) -> Label | None:
        """Like `read`, for words of the vocabulary alone."""
        label = self.read(head)
        return None if label is None or label.kind == "name" else label

    def _analyse(self, head: str) -> Label | None:
        if len(head) > LONGEST_LABEL + 24:
            return None
        plain = head.strip(_EDGES)
        while len(plain) > 2 and plain[0] in _OPENERS and plain[-1] in _CLOSERS:
            plain = plain[1:-1].strip(_EDGES)
        aside = ""
        if plain and plain[-1] in _CLOSERS and (parts := _ASIDE.fullmatch(plain)):
            plain, aside = parts[1].strip(_EDGES), parts[2].strip(_EDGES)
        plain = _TIME_TAIL.sub("", plain)
        comma = not aside and ", " in plain
        if comma:
            # "Alice, the author" is a name; "In short, the answer" begins a sentence
            plain, _, aside = plain.partition(", ")
            role = _ARTICLE.sub("", fold_label(aside))
            if self._kinds.get(role) not in SPEAKING:
                return None
        if len(plain) > LONGEST_LABEL:
            return None
        key = fold_label(plain).rstrip(".")
        if key and not key[0].isalnum():
            key = key.lstrip("".join(sign for sign in key if not sign.isalnum())) or key
        if not key:
            return None
        label = self._with_aside(self._classify(key, plain), aside)
        return None if comma and (label is None or label.kind == "topic") else label

    def _with_aside(self, label: Label | None, aside: str) -> Label | None:
        """What the word in parentheses adds: "You (summary)", "Jane (host)", "Speaker (A)"."""
        if label is None or not aside:
            return label
        if aside.isdecimal() and label.number is None and len(aside) < 4:
            return label._replace(number=int(aside), ident=label.ident or aside)
        hint = self._classify(fold_label(aside), aside)
        if hint is None:
            return label
        if label.kind in {"header", "topic", "dialogue"} and hint.kind in SPEAKING - {"name"}:
            return hint._replace(number=label.number if hint.number is None else hint.number)
        if hint.kind == "summary":
            return label._replace(summary=True)
        if label.kind in {"name", "speaker"} and hint.kind in SPEAKING - {"name"}:
            return label._replace(kind=hint.kind)
        return label

    def _classify(self, key: str, shown: str) -> Label | None:
        kind = self._kinds.get(key)
        if kind is not None:
            return Label(key, kind, summary=kind == "summary")
        for role, pattern in self._patterns:
            if pattern.fullmatch(key):
                return Label(key, role, summary=role == "summary")
        return (
            self._numbered(key)
            or self._about_summary(key)
            or self._qualified(key, shown)
            or self._dashed(key)
            or _named(key, shown)
        )

    def _numbered(self, key: str) -> Label | None:
        """A known word with a number or a letter: "Q1", "person 2", "speaker b", "第一问"."""
        if ordinal := _ORDINAL.fullmatch(key):
            found = self._kinds.get(ordinal[2].strip())
            return (
                Label(ordinal[2].strip(), found, ordinal[1], read_number(ordinal[1]))
                if found
                else None
            )
        stem = key.rstrip("0123456789")
        mark = key[len(stem) :]
        if not mark and key[-1] in CHINESE_DIGITS:
            stem = key.rstrip("一二三四五六七八九十")
            mark = key[len(stem) :]
        if not mark:
            stem, _, mark = key.rpartition(" ")
            if mark in NUMBER_WORDS or mark in ROMAN or (len(mark) == 1 and mark.isalpha()):
                pass
            elif key[-1].isascii() and key[-1].isalpha() and not key[:-1].isascii():
                stem, mark = key[:-1], key[-1]
            else:
                first, _, rest = key.partition(" ")
                if first not in NUMBER_WORDS and not first.rstrip("stndrh").isdigit():
                    return None
                stem, mark = rest, first.rstrip("stndrh") if first[0].isdigit() else first
        stem = _COUNTER_WORD.sub("", stem.rstrip(" #.-№°(")).rstrip()
        kind = self._kinds.get(stem)
        if kind is None or (len(mark) > 3 and mark not in NUMBER_WORDS):
            return None
        number = read_number(mark)
        return Label(stem, kind, mark if number is None else str(number), number, kind == "summary")

    def _dashed(self, key: str) -> Label | None:
        """Two known labels with a dash between: "turn 1 - person", "you – summary"."""
        parts = _DASHED.split(key, 1)
        if len(parts) != 2 or not all(parts):
            return None
        first, second = self._classify(parts[0], parts[0]), self._classify(parts[1], parts[1])
        if first is None or second is None or "name" in {first.kind, second.kind}:
            return None
        return merge_labels(first, second) or merge_labels(second, first)

    def _plainly(self, key: str) -> Label | None:
        """A known word, with or without a number."""
        kind = self._kinds.get(key)
        return Label(key, kind, summary=kind == "summary") if kind else self._numbered(key)

    def _about_summary(self, key: str) -> Label | None:
        """A phrase that says no more than "summary": "summary of the paper", "bot's summary"."""
        words = key.replace("'s", "").replace("-", " ").split()
        if len(words) > 1 and any(self._kinds.get(word) == "summary" for word in words):
            rest = [word for word in words if self._kinds.get(word) != "summary"]
            if all(word in _FILLERS or self._kinds.get(word) in SPEAKING for word in rest):
                return Label("summary", "summary", summary=True)
        if len(words) > 2 and words[1] in {"of", "for"} and self._kinds.get(words[0]) == "summary":
            return Label("summary", "summary", summary=True)
        if len(key) <= 10 and key.endswith(_SUMMARY_TAILS):
            return Label("summary", "summary", summary=True)
        return None

    def _qualified(self, key: str, shown: str) -> Label | None:
        """A known speaker with a word around: "user 1 profile", "the bot", "person asked"."""
        if (
            len(key) > 1
            and key[-1] in "问答说道問說"
            and key[:-1].removesuffix("回") in self._kinds
        ):
            return self._classify(key[:-1].removesuffix("回"), shown)
        words = key.replace("'s", "").replace("'", "").split()
        if len(words) < 2:
            return None
        if words[0] in {"the", "ai", "l", "der", "die", "el", "la", "il", "lo", "o"}:
            found = self._kinds.get(" ".join(words[1:]))
            if found in SPEAKING:
                return Label(" ".join(words[1:]), found)
        if words[-1] in _SAYING and len(words) <= 4:
            rest = " ".join(words[:-1])
            return self._classify(rest, " ".join(shown.split()[:-1]))
        tail = self._kinds.get(words[-1])
        nouns = tail in {"asker", "teller"} or words[-1] in _ROLE_NOUNS
        if tail is not None and nouns and len(words) <= 4 and _ARTICLES.isdisjoint(words):
            # "science journalist", "curious reader"
            return Label(key, tail) if all(map(str.isalpha, words)) else None
        if self._kinds.get(words[-1]) == "prompt" or words[-1] in _PROFILE_WORDS:
            start = self._kinds.get(words[0])
            if start in SPEAKING or start == "prompt":
                return Label(key, "prompt")
        for at in range(1, len(words)):
            # "person q1", "reader's question 2"
            side = self._kinds.get(" ".join(words[:at]))
            if side in SPEAKING:
                second = self._plainly(" ".join(words[at:]))
                merged = merge_labels(Label(" ".join(words[:at]), side), second) if second else None
                if merged is not None and second is not None and second.kind != "summary":
                    return merged
        return None


def merge_labels(first: Label, second: Label) -> Label | None:
    """The one label that two in a row make ("You: Summary:", "Turn 1: Person:"), or None."""
    if second.kind == "summary":
        if first.kind in SPEAKING:
            return first._replace(summary=True)
        return second if first.kind in {"header", "dialogue", "summary"} else None
    if second.kind not in SPEAKING or second.kind == "name":
        return first if first.base == second.base and first.kind == "name" else None
    if first.kind in {"header", "dialogue"}:
        return second._replace(number=first.number if second.number is None else second.number)
    if first.kind == "summary":
        return first
    number = first.number if second.number is None else second.number
    side, other = SIDES.get(first.kind), SIDES.get(second.kind)
    if side is not None and side == other:
        worded = first.kind in {"question", "answer"} and second.kind in {"person", "bot"}
        return (second if worded else first)._replace(number=number)
    if side is None and first.kind in SPEAKING and second.kind in {"question", "answer"}:
        return first._replace(number=number)
    return None


def _named(key: str, shown: str) -> Label | None:
    shape = name_shape(key, shown)
    return None if shape is None else Label(key, "name", faint=shape == "faint")
