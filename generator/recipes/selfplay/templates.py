"""The templates of the self-play recipe, loaded and checked before the first call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator.recipes.selfplay.person import PersonTemplates
from prompts import Template, load_template


@dataclass(frozen=True, slots=True)
class Templates:
    """`summarizer` and `bot` take `text`; `correction` takes `fault`, the code of a faulty turn."""

    summarizer: Template
    bot: Template
    person: PersonTemplates
    correction: Template


def load_templates(recipe: str, lang: str, overrides: Path | None) -> Templates:
    """The user's templates in `overrides` before the shipped ones.

    Raises `TemplateProblem` for one that is missing, wrong, or uses what it is not given.
    """

    def load(name: str, *variables: str) -> Template:
        template = load_template(recipe, lang, name, overrides=overrides)
        template.check(variables)
        return template

    return Templates(
        summarizer=load("summarizer", "text"),
        bot=load("bot", "text"),
        person=PersonTemplates(load("person", "summary"), load("opening")),
        correction=load("correction", "fault"),
    )
