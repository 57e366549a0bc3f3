"""Numbers on the command line, each refused in words where it is none of its kind."""

from __future__ import annotations

import argparse
import math


def positive(text: str) -> int:
    """An argparse type: a whole number from 1."""
    return _count(text, 1)


def from_zero(text: str) -> int:
    """An argparse type: a whole number from 0."""
    return _count(text, 0)


def whole(text: str) -> int:
    """An argparse type: any whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def number(text: str) -> float:
    """An argparse type: any number that is finite."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return value


def _count(text: str, least: int) -> int:
    from generator.settings import MOST_COUNTED

    value = whole(text)
    if value < least:
        raise argparse.ArgumentTypeError(f"{text} is not {least} or more")
    if value > MOST_COUNTED:
        raise argparse.ArgumentTypeError(f"{text} is more than {MOST_COUNTED:,}")
    return value
