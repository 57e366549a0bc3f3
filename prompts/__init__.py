"""The prompt templates, one folder a recipe and one sub-folder a language, and their loader.

    prompts/<recipe>/<lang>/<name>.jinja     a template
    prompts/<recipe>/<lang>/variants.json    how each variant is asked
    prompts/<recipe>/<lang>/example.json     the worked example that few-shot templates show

A folder of one's own with the same layout overrides the shipped files one by one.
"""

from __future__ import annotations

from prompts.errors import TemplateProblem
from prompts.loader import Template, load_template
from prompts.variants import Example, ExampleTurn, Variant, list_variants, load_example

__all__ = [
    "Example",
    "ExampleTurn",
    "Template",
    "TemplateProblem",
    "Variant",
    "list_variants",
    "load_example",
    "load_template",
]
