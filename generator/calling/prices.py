"""What tokens cost: a small dated table, which a file of the user's goes over.

A price that is not known is `None` everywhere and shown as unknown, never as 0.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.backends.spec import parse_spec
from generator.errors import WrongUse
from generator.values import Usage

_FREE_BACKENDS = frozenset(("embedded", "scripted", "replay"))
_DATED = re.compile(r"-(?:20\d\d-\d\d-\d\d|20\d{6})$")
_AS_OF = re.compile(r"20\d\d(?:-\d\d(?:-\d\d)?)?")
_NUMBERS = ("input", "cached_input", "output")
_TEXTS = ("as_of", "source")
_PER = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens.

    `input` and `output` are prompt and answer tokens; `cached_input` is for
    prompt tokens the server had cached (None: no lower price is known, they
    count as `input`). `as_of` is the date of the price (YYYY, YYYY-MM or
    YYYY-MM-DD) and `source` where it stood.
    """

    input: float
    output: float
    cached_input: float | None = None
    as_of: str | None = None
    source: str | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """US dollars for one call; the cached tokens are among the prompt tokens."""
        cached = min(cached_tokens, prompt_tokens) if self.cached_input is not None else 0
        dollars = (
            (prompt_tokens - cached) * self.input
            + cached * (self.cached_input or 0.0)
            + completion_tokens * self.output
        )
        return dollars / _PER

    def cost_of(self, usage: Usage) -> float | None:
        """US dollars for what a server counted; None when it did not count."""
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return self.cost(
            usage.prompt_tokens, usage.completion_tokens, usage.cached_prompt_tokens or 0
        )


FREE = Price(0.0, 0.0, source="runs on this machine, or asks no model")


class PriceTable:
    """Prices by model name or by SPEC."""

    def __init__(self, prices: Mapping[str, Price]) -> None:
        self._prices = MappingProxyType(dict(prices))
        self._found: dict[str, Price | None] = {}

    @property
    def models(self) -> Mapping[str, Price]:
        """Every entry by its key."""
        return self._prices

    def price_of(self, spec: str) -> Price | None:
        """The price of what a SPEC names, or None when it is unknown.

        Looked up in this order: the whole SPEC, the model's name, the name
        without the date at its end (`-2024-07-18`, `-20240718`). Backends that
        ask no paid service are free, unless an entry names the SPEC.
        """
        if spec not in self._found:
            self._found[spec] = self._look_up(spec)
        return self._found[spec]

    def _look_up(self, spec: str) -> Price | None:
        parsed = parse_spec(spec)
        exact = self._prices.get(str(parsed))
        if exact is not None:
            return exact
        if parsed.backend in _FREE_BACKENDS:
            return FREE
        model = parsed.model or ""
        return self._prices.get(model) or self._prices.get(_DATED.sub("", model))


def load_prices(override: Path | None = None) -> PriceTable:
    """The table of this project, with the entries of a user's file laid over it.

    Raises `WrongUse` when the file cannot be read or an entry is wrong, with the
    file and the key.
    """
    own = resources.files("generator.calling").joinpath("prices.json").read_text("utf-8")
    prices = read_prices(own, "prices.json")
    if override is not None:
        try:
            text = override.read_text("utf-8-sig")
        except FileNotFoundError:
            raise WrongUse(f"--prices {override}: there is no such file") from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise WrongUse(f"--prices {override}: cannot be read ({reason})") from None
        except UnicodeDecodeError:
            raise WrongUse(f"--prices {override}: is not UTF-8 text") from None
        prices |= read_prices(text, str(override))
    return PriceTable(prices)


def read_prices(text: str, name: str) -> dict[str, Price]:
    """The entries of a price file. `name` is the file's, for messages; raises `WrongUse`."""
    try:
        value = json.loads(text, object_pairs_hook=lambda pairs: _no_repeats(pairs, name))
    except json.JSONDecodeError as error:
        raise WrongUse(f"{name}:{error.lineno}: is not JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"{name}: cannot be read as JSON ({type(error).__name__})") from None
    if not isinstance(value, dict):
        raise WrongUse(f'{name}: expected an object like {{"my-model": {_EXAMPLE}}}')
    return {model: _price(entry, f"{name}: {model}") for model, entry in value.items()}


_EXAMPLE = '{"input": 0.5, "output": 1.5}'


def _no_repeats(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise WrongUse(f"{name}: {key!r} stands there twice")
        found[key] = value
    return found


def _price(entry: Any, where: str) -> Price:
    if not isinstance(entry, dict):
        raise WrongUse(f"{where}: expected an object like {_EXAMPLE} (US dollars per 1M tokens)")
    for key in entry:
        if key not in _NUMBERS + _TEXTS:
            raise WrongUse(f"{where}.{key}: unknown; there are: {', '.join(_NUMBERS + _TEXTS)}")
    for key in ("input", "output"):
        if key not in entry:
            raise WrongUse(f"{where}.{key}: is missing (US dollars per 1M tokens)")
    numbers = {key: _number(entry[key], f"{where}.{key}") for key in _NUMBERS if key in entry}
    texts = {key: _text(entry[key], f"{where}.{key}") for key in _TEXTS if key in entry}
    as_of = texts.get("as_of")
    if as_of is not None and not _AS_OF.fullmatch(as_of):
        raise WrongUse(f"{where}.as_of: {as_of!r} is not a date (YYYY, YYYY-MM or YYYY-MM-DD)")
    return Price(
        input=numbers["input"],
        output=numbers["output"],
        cached_input=numbers.get("cached_input"),
        as_of=as_of,
        source=texts.get("source"),
    )


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongUse(f"{where}: {value!r} is not a number (US dollars per 1M tokens)")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and number >= 0):
        raise WrongUse(f"{where}: {value!r} is not a price (a number from 0)")
    return number


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise WrongUse(f"{where}: {value!r} is not a text")
    return value


def dollars(amount: float) -> str:
    """An amount in US dollars with as many decimals as it needs: `$12.30`, `$0.0042`."""
    if amount == 0:
        return "$0"
    if amount >= 1:
        return f"${amount:,.2f}"
    decimals = min(9, 1 - math.floor(math.log10(amount)))
    return f"${amount:.{max(2, decimals)}f}"
