"""JSON that fits a schema, for requests with a `response_format`. Pure.

Knows what strict servers take: objects, arrays, enums, constants, `anyOf` and
references inside the schema. Texts are filled by the names of their properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_DEPTH = 12
_USUAL_ITEMS = 4
_MOST_ITEMS = 64
_ASKERS = frozenset(("person", "user", "human", "asker", "reader"))


@dataclass(frozen=True, slots=True)
class SchemaTexts:
    """What texts are filled with: a summary, questions, and as many answers."""

    summary: str
    questions: tuple[str, ...]
    answers: tuple[str, ...]


def instance_of(schema: Any, texts: SchemaTexts) -> Any:
    """A value that fits the schema, as far as the schema is one of those named above."""
    return _Filler(schema, texts).value(schema, "", 0, "", 0)


@dataclass(frozen=True, slots=True)
class _Filler:
    root: Any
    texts: SchemaTexts

    def value(self, schema: Any, name: str, index: int, speaker: str, depth: int) -> Any:
        """`index` is the position in the nearest list, `speaker` who talks in this object."""
        schema = self._resolved(schema)
        if depth > _DEPTH or not isinstance(schema, Mapping):
            return None
        if "const" in schema:
            return schema["const"]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return schema["enum"][index % len(schema["enum"])]
        for name_of_choice in ("anyOf", "oneOf", "allOf"):
            options = schema.get(name_of_choice)
            if isinstance(options, list) and options:
                return self.value(options[0], name, index, speaker, depth + 1)
        kind = schema.get("type", "object" if "properties" in schema else "string")
        kind = next((k for k in kind if k != "null"), "null") if isinstance(kind, list) else kind
        if kind == "object":
            return self._object(schema, index, depth)
        if kind == "array":
            return self._array(schema, name, depth)
        if kind == "string":
            return self._text(name, index, speaker)
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        return True if kind == "boolean" else None

    def _object(self, schema: Mapping[str, Any], index: int, depth: int) -> dict[str, Any]:
        properties = schema.get("properties")
        filled: dict[str, Any] = {}
        speaker = ""
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            filled[name] = self.value(inner, name, index, speaker, depth + 1)
            if name in ("speaker", "role", "from") and isinstance(filled[name], str):
                speaker = filled[name]
        return filled

    def _array(self, schema: Mapping[str, Any], name: str, depth: int) -> list[Any]:
        least, most = schema.get("minItems", 0), schema.get("maxItems", _MOST_ITEMS)
        count = max(least, min(most, _USUAL_ITEMS))
        return [
            self.value(schema.get("items", {}), name.removesuffix("s"), index, "", depth + 1)
            for index in range(min(count, _MOST_ITEMS))
        ]

    def _text(self, name: str, index: int, speaker: str) -> str:
        pair = (index // 2 if speaker else index) % len(self.texts.answers)
        if speaker:
            asks = speaker.lower() in _ASKERS
            return self.texts.questions[pair] if asks else self.texts.answers[pair]
        if "question" in name:
            return self.texts.questions[pair]
        return self.texts.summary if "summary" in name else self.texts.answers[pair]

    def _resolved(self, schema: Any) -> Any:
        for _ in range(_DEPTH):
            reference = schema.get("$ref") if isinstance(schema, Mapping) else None
            if not isinstance(reference, str) or not reference.startswith("#"):
                return schema
            schema = self.root
            for part in reference.lstrip("#/").split("/") if reference.lstrip("#/") else ():
                schema = schema.get(part) if isinstance(schema, Mapping) else None
        return schema
