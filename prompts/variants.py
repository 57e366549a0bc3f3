"""How each variant of a recipe is asked, and the worked example that few-shot ones show."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeGuard

from prompts.errors import TemplateProblem
from prompts.files import list_names, read_source

VariantForm = Literal["chat", "completion"]
ConstraintName = Literal["sentences", "free", "json"]

_FORMS: tuple[VariantForm, ...] = ("chat", "completion")
_CONSTRAINTS: tuple[ConstraintName, ...] = ("sentences", "free", "json")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask a recipe's question.

    `name`: the template's. `form`: the rendered template is one user message
    ("chat") or a text to be continued ("completion"). `opening`: what the
    prompt ends with and the answer goes on from; the parser reads `opening`
    followed by the raw answer. `stop`: texts at which the server is to stop.
    `constraint`: what the answer must be kept to, None for nothing:
    "sentences" is the grammar made from the item's own text, "free" the
    grammar with free lines, "json" the JSON schema (see `generator.grammar`).
    """

    name: str
    form: VariantForm = "chat"
    opening: str = ""
    stop: tuple[str, ...] = ()
    constraint: ConstraintName | None = None


@dataclass(frozen=True, slots=True)
class ExampleTurn:
    """One utterance of the worked example; `speaker` is "person" or "bot"."""

    speaker: Literal["person", "bot"]
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """The worked example of a few-shot template.

    Filters compare a dialogue with it to find answers that repeat the example.
    `source_text` is the JSON file it was read from.
    """

    title: str
    text: str
    summary: str
    turns: tuple[ExampleTurn, ...]
    source_text: str


def list_variants(recipe: str, lang: str, *, overrides: Path | None = None) -> tuple[Variant, ...]:
    """The variants of a recipe in a language, in the order of `variants.json`.

    A recipe without that file has none: its templates are roles, not variants.
    Raises `TemplateProblem` when the file is malformed or names a template that
    is not there.
    """
    source = read_source(recipe, lang, "variants", suffix=".json", overrides=overrides)
    if source is None:
        return ()
    path = str(source.path)
    entries = _json_object(source.text, path)
    templates = list_names(recipe, lang, overrides=overrides)
    for name in entries:
        if name not in templates:
            raise TemplateProblem(
                f"names the variant '{name}', but there is no {name}.jinja beside it.",
                template=path,
            )
    return tuple(_variant(name, entry, path) for name, entry in entries.items())


def load_example(recipe: str, lang: str, *, overrides: Path | None = None) -> Example:
    """Read `<recipe>/<lang>/example.json`: `title`, `text`, `summary`, `turns[{speaker, text}]`.

    Raises `TemplateProblem` when it is missing or malformed.
    """
    source = read_source(recipe, lang, "example", suffix=".json", overrides=overrides)
    if source is None:
        raise TemplateProblem(
            "a template shows 'example', but this file is missing (see docs/templates.md).",
            template=f"{recipe}/{lang}/example.json",
        )
    path = str(source.path)
    entry = _json_object(source.text, path)
    turns = entry.get("turns")
    if not isinstance(turns, list) or not turns:
        raise TemplateProblem("'turns' must be a list of speaker and text.", template=path)
    return Example(
        title=_text(entry, "title", path),
        text=_text(entry, "text", path),
        summary=_text(entry, "summary", path),
        turns=tuple(_turn(turn, path) for turn in turns),
        source_text=source.text,
    )


def _turn(entry: Any, path: str) -> ExampleTurn:
    speaker = entry.get("speaker") if isinstance(entry, dict) else None
    if speaker not in ("person", "bot"):
        raise TemplateProblem("the speaker of a turn is 'person' or 'bot'.", template=path)
    return ExampleTurn("person" if speaker == "person" else "bot", _text(entry, "text", path))


def _variant(name: str, entry: Any, path: str) -> Variant:
    if not isinstance(entry, dict):
        raise TemplateProblem(f"the variant '{name}' must be an object.", template=path)
    unknown = set(entry) - {"form", "opening", "stop", "constraint"}
    if unknown:
        raise TemplateProblem(
            f"the variant '{name}' has the unknown key '{min(unknown)}'.", template=path
        )
    form = entry.get("form", "chat")
    constraint = entry.get("constraint")
    stop = entry.get("stop", [])
    if not _is_form(form):
        raise TemplateProblem(
            f"'form' of the variant '{name}' is one of: {', '.join(_FORMS)}.", template=path
        )
    if constraint is not None and not _is_constraint(constraint):
        raise TemplateProblem(
            f"'constraint' of the variant '{name}' is null or one of: {', '.join(_CONSTRAINTS)}.",
            template=path,
        )
    if not isinstance(stop, list) or not all(isinstance(text, str) and text for text in stop):
        raise TemplateProblem(f"'stop' of the variant '{name}' is a list of texts.", template=path)
    opening = _text(entry, "opening", path) if "opening" in entry else ""
    return Variant(name, form, opening, tuple(stop), constraint)


def _is_form(value: object) -> TypeGuard[VariantForm]:
    return value in _FORMS


def _is_constraint(value: object) -> TypeGuard[ConstraintName]:
    return value in _CONSTRAINTS


def _text(entry: dict[str, Any], key: str, path: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise TemplateProblem(f"'{key}' must be a text.", template=path)
    return value


def _json_object(text: str, path: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise TemplateProblem(f"is not valid JSON ({error}).", template=path, line=line) from error
    if not isinstance(value, dict):
        raise TemplateProblem("must hold one JSON object.", template=path)
    return value
