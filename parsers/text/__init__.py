"""Language measures on plain text: tokens, content words, overlap, repetition, refusals.

Pure functions for any script. English and Chinese have word lists and phrase
patterns; every other language gets the same measures without them. Time grows
linearly with the length of the text.
"""

from __future__ import annotations
