"""The one error of this package."""

from __future__ import annotations


class TemplateProblem(ValueError):
    """A template, its settings or the values for it are wrong.

    The message reads `file:line: what is wrong. What to do.`
    `template` is the file's path (or the name looked for), `line` is 1-based and
    None when the fault has no line, `variable` is the variable it is about.
    """

    def __init__(
        self,
        problem: str,
        *,
        template: str,
        line: int | None = None,
        variable: str | None = None,
    ) -> None:
        place = template if line is None else f"{template}:{line}"
        super().__init__(f"{place}: {problem}")
        self.template = template
        self.line = line
        self.variable = variable
