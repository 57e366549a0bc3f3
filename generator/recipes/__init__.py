"""The recipes there are, by name; each is imported only when it is used."""

from __future__ import annotations

import importlib
from importlib import metadata

from generator.errors import WrongUse
from generator.recipes.model import Recipe

ENTRY_POINTS = "dialogsmith.recipes"

_SHIPPED = {
    "paperpersichat-davinci": "generator.recipes.davinci",
    "paperpersichat-selfplay": "generator.recipes.selfplay",
    "truthreader": "generator.recipes.truthreader",
}


def recipe_names() -> tuple[str, ...]:
    """Names of the shipped recipes and of those that installed packages add."""
    added = (point.name for point in metadata.entry_points(group=ENTRY_POINTS))
    return (*_SHIPPED, *sorted(set(added) - _SHIPPED.keys()))


def get_recipe(name: str) -> Recipe:
    """The recipe of that name. Raises `WrongUse` naming those there are."""
    if name in _SHIPPED:
        recipe: Recipe = importlib.import_module(_SHIPPED[name]).RECIPE
        return recipe
    for point in metadata.entry_points(group=ENTRY_POINTS, name=name):
        try:
            loaded: Recipe = point.load()
        except Exception as error:
            raise WrongUse(
                f"the recipe {name!r} of the package {point.value!r} cannot be loaded: {error!r}"
            ) from None
        return loaded
    raise WrongUse(f"there is no recipe {name!r}; there are: {', '.join(recipe_names())}")
