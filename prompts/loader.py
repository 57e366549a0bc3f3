"""Loading and rendering of templates: strict about variables, values as data only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.exceptions import SecurityError

from prompts.errors import TemplateProblem
from prompts.files import list_names, read_source
from prompts.sandbox import LoopTooLong, NoneInOutput, prompt_environment, step_count_variable
from prompts.variants import Example, list_variants, load_example

_REFERENCES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)


@dataclass(frozen=True, slots=True)
class Template:
    """A checked template.

    `required` are the variables the caller must give. `example` is the worked
    example the template shows (its variable `example`, given by the loader), or
    None when it shows none; `opening` likewise, from `variants.json`.
    `source_hash` is the SHA-256 (hex) of all that shapes the prompt besides the
    values: template text, example, opening.
    """

    name: str
    path: str
    required: frozenset[str]
    source_hash: str
    example: Example | None = None
    opening: str = ""
    _lines: tuple[tuple[str, int], ...] = field(repr=False, default=())
    _template: jinja2.Template | None = field(repr=False, compare=False, default=None)

    def check(self, declared: Iterable[str]) -> None:
        """Raise `TemplateProblem` if a variable is used that is not among `declared`.

        Meant for the start of a run, before the first model call.
        """
        known = frozenset(declared)
        for name, line in self._lines:
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise TemplateProblem(
                    f"the variable '{name}' is not given to this template. "
                    f"Use one of: {listed}; or take '{name}' out.",
                    template=self.path,
                    line=line,
                    variable=name,
                )

    def render(self, **values: Any) -> str:
        """Put the values in, once and as they are; what they hold is never read as a template.

        Raises `TemplateProblem` when a variable is missing or None, when the
        template prints an undefined attribute, and when it tries what the
        sandbox forbids.
        """
        self.check(values)
        for name, line in self._lines:
            if values[name] is None:
                raise TemplateProblem(
                    f"the variable '{name}' is None. Give a text (it may be empty).",
                    template=self.path,
                    line=line,
                    variable=name,
                )
        given = {**values, "opening": self.opening, "example": self.example}
        assert self._template is not None
        try:
            return self._template.render({**given, **step_count_variable()})
        except NoneInOutput as error:
            raise self._problem(
                "a value printed here is None. Give a text (it may be empty).", error
            ) from error
        except (SecurityError, LoopTooLong) as error:
            raise self._problem(f"not allowed in a template: {error}.", error) from error
        except RecursionError as error:
            raise self._problem("a macro calls itself without end.", error) from error
        except jinja2.UndefinedError as error:
            raise self._problem(f"{error}. Correct the name, or give the value.", error) from error
        except (ArithmeticError, TypeError, ValueError, LookupError, jinja2.TemplateError) as error:
            # Whatever an expression of a user's template may raise is the template's fault.
            raise self._problem(f"cannot be rendered: {error}.", error) from error

    def _problem(self, problem: str, error: BaseException) -> TemplateProblem:
        line = _line_in(error.__traceback__, self.path)
        return TemplateProblem(problem, template=self.path, line=line)


def load_template(recipe: str, lang: str, name: str, *, overrides: Path | None = None) -> Template:
    """Load `<recipe>/<lang>/<name>.jinja`, the user's in `overrides` before the shipped one.

    Raises `TemplateProblem` when there is none, when its syntax is wrong, and
    when it refers to other templates: each stands alone, so that its hash says
    what was asked.
    """
    source = read_source(recipe, lang, name, suffix=".jinja", overrides=overrides)
    if source is None:
        there = ", ".join(list_names(recipe, lang, overrides=overrides)) or "none"
        raise TemplateProblem(
            f"no such template. There is for '{recipe}' in '{lang}': {there}.",
            template=f"{recipe}/{lang}/{name}.jinja",
        )
    path = str(source.path)
    environment = prompt_environment()
    try:
        tree = environment.parse(source.text, name, path)
        _refuse_references(tree, path)
        compiled = environment.template_class.from_code(
            environment,
            environment.compile(tree, name, path),
            # A plain dict: the usual chain of maps is walked anew at every rendering.
            dict(environment.globals),
        )
    except jinja2.TemplateSyntaxError as error:
        raise TemplateProblem(
            f"template syntax: {error.message}. To have '{{{{', '{{%' or '{{#' as plain text "
            "(LaTeX, code), put it between {% raw %} and {% endraw %}.",
            template=path,
            line=error.lineno,
        ) from error
    except RecursionError as error:
        raise TemplateProblem("is nested too deeply.", template=path) from error
    used: set[str] = meta.find_undeclared_variables(tree)
    digest = hashlib.sha256(source.text.encode("utf-8"))
    example: Example | None = None
    if "example" in used:
        example = load_example(recipe, lang, overrides=overrides)
        digest.update(b"\0" + example.source_text.encode("utf-8", "surrogatepass"))
    opening = ""
    if "opening" in used:
        opening = _opening(recipe, lang, name, overrides=overrides)
        digest.update(b"\0" + opening.encode("utf-8", "surrogatepass"))
    required = frozenset(used - {"example", "opening"})
    lines = tuple(sorted((variable, _first_line(tree, variable)) for variable in required))
    return Template(
        name=name,
        path=path,
        required=required,
        source_hash=digest.hexdigest(),
        example=example,
        opening=opening,
        _lines=lines,
        _template=compiled,
    )


def _opening(recipe: str, lang: str, name: str, *, overrides: Path | None) -> str:
    for variant in list_variants(recipe, lang, overrides=overrides):
        if variant.name == name:
            return variant.opening
    raise TemplateProblem(
        f"the template uses 'opening', but variants.json has no entry '{name}'.",
        template=f"{recipe}/{lang}/{name}.jinja",
        variable="opening",
    )


def _refuse_references(tree: nodes.Template, path: str) -> None:
    for reference in tree.find_all(_REFERENCES):
        raise TemplateProblem(
            "a template cannot include, import or extend another. Copy the text in.",
            template=path,
            line=reference.lineno,
        )


def _first_line(tree: nodes.Template, variable: str) -> int:
    return min(node.lineno for node in tree.find_all(nodes.Name) if node.name == variable)


def _line_in(traceback: TracebackType | None, path: str) -> int | None:
    """The deepest line of the template file in a traceback (Jinja maps its frames to it)."""
    line: int | None = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
