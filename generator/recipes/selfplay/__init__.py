"""`paperpersichat-selfplay`: a bot that sees the text and a person that sees only a summary."""

from generator.recipes.selfplay.options import SelfPlayOptions
from generator.recipes.selfplay.recipe import RECIPE

__all__ = ["RECIPE", "SelfPlayOptions"]
