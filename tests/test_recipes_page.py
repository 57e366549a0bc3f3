"""docs/recipes.md names every recipe, role and setting, as they are."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from generator.recipes import get_recipe, recipe_names

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "recipes.md").read_text("utf-8")


@pytest.mark.parametrize("name", recipe_names())
def test_a_recipe_is_described_with_its_roles_and_numbers(name: str) -> None:
    assert f"## `{name}`" in PAGE
    section = PAGE.split(f"## `{name}`")[1].split("\n## ")[0]
    recipe = get_recipe(name)
    for role in recipe.roles:
        assert f"| `{role.name}` |" in section
    assert f"{recipe.segments.budget:,} characters" in section
    assert f"at least {recipe.segments.min_chars:,}" in section
    sampling = recipe.roles[0].sampling
    assert f"temperature {sampling.temperature}" in section
    assert f"{sampling.max_tokens:,}" in section


@pytest.mark.parametrize("name", recipe_names())
def test_the_settings_of_a_recipe_are_listed(name: str) -> None:
    options = get_recipe(name).options_type
    if options is None:
        return
    for field in fields(options):
        if field.name != "filters":
            flag = f"--{field.name.replace('_', '-')}"
            assert flag in PAGE or f"recipe.{field.name}" in PAGE, field.name
