"""Chance that can be repeated: numbers drawn from a hash of what they are for."""

from __future__ import annotations

import hashlib

_RANGE = 2**64


def draw(seed: int, *what: object) -> float:
    """A number from 0 up to (not including) 1, the same for the same seed and `what`."""
    text = "\x1f".join((str(seed), *map(str, what)))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    # The division may round up to 1.0 for the very last values.
    return min(int.from_bytes(digest, "big") / _RANGE, 1.0 - 2.0**-53)


def pick(seed: int, count: int, *what: object) -> int:
    """A position from 0 to `count` - 1."""
    return int(draw(seed, *what) * count)
