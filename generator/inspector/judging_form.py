"""The settings that judge a run as a form, and the changes that somebody makes in it. Pure."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode

from generator.judging import JudgingChanges
from generator.recipes.model import RecipeSettings
from generator.recipes.parser_words import ParserWords
from generator.recipes.reading import PARSERS
from generator.settings import known_codes

WORDS = tuple(f.name for f in fields(ParserWords))
_THRESHOLD, _SENT = "f.", "sent"


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold: its value in the run, the one that is tried (as typed), what it means."""

    name: str
    now: Any
    tried: str
    means: str
    whole: bool

    @property
    def changed(self) -> bool:
        return self.tried != shown_value(self.now)


@dataclass(frozen=True, slots=True)
class Switch:
    """One reject code that can be switched off."""

    code: str
    off_now: bool
    off_tried: bool


@dataclass(frozen=True, slots=True)
class WordList:
    """Labels or patterns, one a line, as they are in the run and as they are tried."""

    name: str
    now: tuple[str, ...]
    tried: tuple[str, ...]
    means: str


@dataclass(frozen=True, slots=True)
class JudgingForm:
    """Everything that can be changed, and whether anything is."""

    parser: str
    parser_now: str
    parsers: tuple[str, ...]
    thresholds: tuple[Threshold, ...]
    switches: tuple[Switch, ...]
    words: tuple[WordList, ...]

    def parameters(self) -> list[tuple[str, str]]:
        """The changes alone, as parameters that `form_of` reads back."""
        pairs = [] if self.parser == self.parser_now else [("parser", self.parser)]
        pairs += [(_THRESHOLD + t.name, t.tried) for t in self.thresholds if t.changed]
        pairs += [("off", s.code) for s in self.switches if s.off_tried and not s.off_now]
        pairs += [("on", s.code) for s in self.switches if s.off_now and not s.off_tried]
        for words in self.words:
            if words.tried != words.now:
                pairs += [(words.name, word) for word in words.tried or ("",)]
        return pairs

    def address(self, path: str, *more: tuple[str, str]) -> str:
        """A link to `path` with the changes."""
        pairs = [*self.parameters(), *more]
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def changes(self) -> JudgingChanges:
        """The changes as `what_if` and `refilter` take them. Raises `WrongUse` for a bad one."""
        filters: dict[str, Any] = {t.name: t.tried for t in self.thresholds if t.changed}
        if any(s.off_now != s.off_tried for s in self.switches):
            filters["off"] = tuple(s.code for s in self.switches if s.off_tried)
        return JudgingChanges(
            parser=None if self.parser == self.parser_now else self.parser,
            words={w.name: w.tried for w in self.words if w.tried != w.now},
            filters=filters,
        )


def form_of(settings: RecipeSettings, pairs: Iterable[tuple[str, str]]) -> JudgingForm:
    """The form over a run's settings, with the changes that an address or a sent form names.

    A sent form (parameter `sent`) lists all codes that are off; an address names those that
    are to be off and on beside what they are now. A label list is one a line, or repeated.
    """
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    own = getattr(settings.options, "filters", None)
    parser = (given.get("parser") or [settings.parser])[-1]
    return JudgingForm(
        parser=parser if parser in PARSERS else settings.parser,
        parser_now=settings.parser,
        parsers=tuple(PARSERS),
        thresholds=tuple(
            _threshold(group, f.name, docs, given)
            for group in (settings.filters, own)
            if group is not None
            for docs in (field_docs(type(group)),)
            for f in fields(group)
            if f.name != "off"
        ),
        switches=tuple(_switches(settings.filters.off, given)),
        words=tuple(_words(settings.parser_words, given)),
    )


def _threshold(
    group: Any, name: str, docs: Mapping[str, str], given: Mapping[str, list[str]]
) -> Threshold:
    now = getattr(group, name)
    typed = (given.get(_THRESHOLD + name) or [""])[-1].strip()
    return Threshold(name, now, typed or shown_value(now), docs.get(name, ""), isinstance(now, int))


def shown_value(value: Any) -> str:
    """A setting as it stands in a field."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _switches(off: frozenset[str], given: Mapping[str, list[str]]) -> Iterable[Switch]:
    named, on = set(given.get("off", [])), set(given.get("on", []))
    for code in sorted(known_codes()):
        tried = code in named
        if _SENT not in given:
            tried = (tried or code in off) and code not in on
        yield Switch(code, code in off, tried)


def _words(words: ParserWords, given: Mapping[str, list[str]]) -> Iterable[WordList]:
    means = {
        "person_labels": "Labels of the one who asks",
        "bot_labels": "Labels of the one who answers",
        "summary_labels": "Labels of the summary",
        "patterns": "Patterns for labels, ROLE:EXPRESSION, for example person:reviewer \\d+",
    }
    for name in WORDS:
        now: tuple[str, ...] = getattr(words, name)
        tried = now
        if name in given:
            lines = (line.strip() for value in given[name] for line in value.splitlines())
            tried = tuple(dict.fromkeys(line for line in lines if line))
        yield WordList(name, now, tried, means.get(name, name))


def field_docs(settings: type[Any]) -> dict[str, str]:
    """What stands below each field of a settings class, as one line: said once, in the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(settings))).body[0]
    docs: dict[str, str] = {}
    name = ""
    for node in body.body if isinstance(body, ast.ClassDef) else []:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
            and name
        ):
            docs[name], name = " ".join(node.value.value.replace("`", "").split()), ""
    return docs
