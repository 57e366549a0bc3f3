"""`truthreader`: questions over several documents, answers with checked citations, refusals."""

from generator.recipes.truthreader.options import TruthReaderOptions
from generator.recipes.truthreader.recipe import RECIPE

__all__ = ["RECIPE", "TruthReaderOptions"]
