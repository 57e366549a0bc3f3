"""The Jinja environment that every template runs in: strict, sandboxed, bounded.

Templates may come from a stranger's folder, so they run in Jinja's immutable
sandbox (no underscored attributes, no changing of what they are given). The
sandbox bounds `range` but neither nested loops nor string repetition; both are
bounded here too. It cannot bound every way to use memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from jinja2 import StrictUndefined, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_LOOP_STEPS = 200_000
MAX_REPEATED = 1_000_000
_STEPS = "_loop_steps"


class NoneInOutput(ValueError):
    """A template printed None, which would have become the word "None" in a prompt."""


class LoopTooLong(ValueError):
    """Loops and calls of one rendering took more than `MAX_LOOP_STEPS` steps together."""


class PromptEnvironment(ImmutableSandboxedEnvironment):
    """Sandbox with bounded loops and bounded repetition."""

    intercepted_binops = frozenset(["*", "**"])

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Refuse repetitions and powers that would fill the memory."""
        if operator == "**":
            raise SecurityError("'**' is not available in templates")
        for repeated, times in ((left, right), (right, left)):
            if isinstance(repeated, str | list | tuple) and (
                isinstance(times, int) and len(repeated) * times > MAX_REPEATED
            ):
                raise SecurityError(f"a repetition longer than {MAX_REPEATED} is not allowed")
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Count every call: macros calling themselves twice would never end otherwise."""
        _steps_of(context).add()
        return super().call(context, function, *args, **kwargs)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        for loop in template.find_all(nodes.For):
            loop.iter = nodes.Filter(
                loop.iter, "bounded_steps", [], [], None, None, lineno=loop.lineno
            )
        return template


class StepCount:
    """How many loop steps and calls one rendering has taken."""

    def __init__(self) -> None:
        self.steps = 0

    def add(self) -> None:
        """Count one step; raises `LoopTooLong` past the bound."""
        self.steps += 1
        if self.steps > MAX_LOOP_STEPS:
            raise LoopTooLong(f"its loops and calls take more than {MAX_LOOP_STEPS} steps")


def _steps_of(context: Context) -> StepCount:
    # `parent` holds what the rendering was given: a template's own `set` cannot reach it.
    count: StepCount = context.parent[_STEPS]
    return count


@pass_context
def _bounded_steps(context: Context, values: Iterable[Any]) -> Iterator[Any]:
    count = _steps_of(context)
    for value in values:
        count.add()
        yield value


def _refuse_none(value: Any) -> Any:
    if value is None:
        raise NoneInOutput
    return value


def _to_json(value: Any, indent: int | None = None) -> str:
    """JSON for a prompt: characters as they are, no HTML escapes, no NaN."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)


def step_count_variable() -> dict[str, StepCount]:
    """A fresh counter under the name the loops look it up by; one for each rendering."""
    return {_STEPS: StepCount()}


def prompt_environment() -> PromptEnvironment:
    """A new environment with the fixed settings of this package."""
    environment = PromptEnvironment(
        undefined=StrictUndefined,
        # A prompt is no HTML. Escaping would turn ' < & in papers into &#39; &lt; &amp; and the
        # model would read and repeat those. Nothing rendered here is ever shown as markup.
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_refuse_none,
        cache_size=0,
    )
    environment.filters["tojson"] = _to_json
    environment.filters["bounded_steps"] = _bounded_steps
    return environment
