"""docs/limits-and-costs.md says what the code does."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

from generator.calling.adaptive import starting_level
from generator.calling.budget import Budget
from generator.calling.endpoint_limits import LimitSettings
from generator.calling.prices import Price, load_prices, read_prices
from generator.calling.retry import RetryPolicy
from generator.calling.token_estimates import estimate_tokens
from generator.calling.waits import Waits
from generator.settings import DEFAULT_CONCURRENCY

PAGE = (Path(__file__).parents[2] / "docs" / "limits-and-costs.md").read_text(encoding="utf-8")


def table(heading: str, first: str) -> dict[str, list[str]]:
    """The rows of the table under `heading` whose first column is called `first`."""
    text = PAGE.split(f"## {heading}\n", 1)[1].split(f"| {first} |", 1)[1].split("\n\n", 1)[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in text.splitlines()[2:]]
    return {row[0].strip("`"): row[1:] for row in rows}


def test_every_setting_is_listed_with_its_default() -> None:
    rows = {name.split()[0]: cells for name, cells in table("Settings", "setting").items()}
    limits = [f.name for f in dataclasses.fields(LimitSettings)]
    caps = [name for name in inspect.signature(Budget).parameters if name.startswith("max_")]
    expected = {"--" + name.replace("_", "-") for name in limits + caps} | {"--prices"}
    assert set(rows) == expected
    assert rows.pop("--concurrency")[1] == str(DEFAULT_CONCURRENCY)
    assert {cells[1] for cells in rows.values()} == {"none"}


def test_every_price_is_listed_as_it_is() -> None:
    rows = table("Prices", "model")
    models = load_prices().models
    assert list(rows) == list(models)
    for model, price in models.items():
        cached = "–" if price.cached_input is None else f"{price.cached_input:g}"
        assert rows[model] == [
            f"{price.input:g}", cached, f"{price.output:g}", price.as_of, price.source,
        ]  # fmt: skip


def test_every_key_of_a_price_file_is_listed_and_the_example_is_one() -> None:
    assert set(table("Prices", "key")) == {f.name for f in dataclasses.fields(Price)}
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    assert len(read_prices(example[1], "example")) == 3


@pytest.mark.parametrize(
    ("row", "characters"),
    [
        ("ASCII letters and blanks", "a" * 600),
        ("other ASCII", "7" * 600),
        ("Han, kana, hangul", "字" * 600),
        ("all others, for each byte", "ж" * 300),
    ],
)
def test_the_estimates_are_those_of_the_table(row: str, characters: str) -> None:
    estimate = estimate_tokens(characters)
    shares = [cell.split("/") for cell in table("What a budget counts", "characters")[row]]
    expected = [600 * int(share[0]) // int([*share, "1"][1]) for share in shares]
    assert [estimate.least, estimate.likely, estimate.most] == expected


def test_the_numbers_of_the_text_hold() -> None:
    assert starting_level(8) == 8
    assert starting_level(80) == 40
    policy = RetryPolicy()
    assert f"between 0 and {policy.first_wait_s:g} s, doubled each time, at most " in PAGE
    assert f"{policy.longest_wait_s:g} s. It holds no slot" in PAGE


def test_the_text_of_the_waits_is_as_shown() -> None:
    waits = Waits()
    with waits.waiting("429", 42.0, lambda: 17):
        assert f"`{waits.describe(0.0)}`" in PAGE
