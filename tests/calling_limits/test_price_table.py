"""Prices: where they come from, how a model finds its own, and files of the user's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator.calling.prices import FREE, Price, PriceTable, dollars, load_prices, read_prices
from generator.errors import WrongUse
from generator.values import Usage


def test_every_price_of_the_project_has_a_date_and_a_source() -> None:
    for model, price in load_prices().models.items():
        assert re.fullmatch(r"20\d\d(-\d\d){0,2}", price.as_of or ""), model
        assert price.source, model
        assert 0 < price.input <= price.output, model
        assert price.cached_input is None or 0 < price.cached_input < price.input, model


@pytest.mark.parametrize(
    ("spec", "like"),
    [
        ("openai:gpt-4o-mini", "gpt-4o-mini"),
        ("openai:gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("openai:gpt-4o-mini@http://127.0.0.1:8000/v1", "gpt-4o-mini"),
        ("openai:claude-haiku-4-5-20251001@https://api.anthropic.com/v1", "claude-haiku-4-5"),
        ("openai-completions:davinci-002", "davinci-002"),
        ("openai:gpt-4o-2024-11-20", "gpt-4o"),
        ("openai:gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
    ],
)
def test_a_model_is_found_by_its_name_then_without_its_date(spec: str, like: str) -> None:
    table = load_prices()
    assert table.price_of(spec) == table.models[like]


@pytest.mark.parametrize(
    "spec",
    ["openai:my-own-model@http://127.0.0.1:8000/v1", "openai:gpt-4o-mini-audio", "azure:deployed",
     "openai:gpt-3.5-turbo-0301", "elsewhere:model"],
)  # fmt: skip
def test_what_is_not_in_the_table_is_unknown_and_not_free(spec: str) -> None:
    assert load_prices().price_of(spec) is None


@pytest.mark.parametrize("spec", ["embedded", "embedded:/m/model.gguf", "scripted:answers.jsonl",
                                  "replay:outputs/run1"])  # fmt: skip
def test_what_asks_no_service_is_free(spec: str) -> None:
    assert load_prices().price_of(spec) == FREE


def test_cached_prompt_tokens_are_among_the_prompt_tokens() -> None:
    price = Price(input=2.0, cached_input=0.5, output=10.0)
    assert price.cost_of(Usage(1_000_000, 100_000, 400_000)) == pytest.approx(1.2 + 0.2 + 1.0)
    assert price.cost_of(Usage(1_000_000, 0)) == pytest.approx(2.0)
    assert price.cost_of(Usage(100, 0, 500)) == pytest.approx(100 * 0.5 / 1e6)


def test_without_a_price_for_cached_tokens_they_cost_as_others() -> None:
    assert Price(2.0, 10.0).cost_of(Usage(1_000_000, 0, 900_000)) == pytest.approx(2.0)


@pytest.mark.parametrize("usage", [Usage(), Usage(5, None), Usage(None, 5)])
def test_the_cost_of_unknown_usage_is_unknown(usage: Usage) -> None:
    assert Price(2.0, 10.0).cost_of(usage) is None


def test_a_users_file_goes_over_the_table_entry_by_entry(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    spec = "openai:gpt-4o@http://127.0.0.1:9/v1"
    entries = {
        "gpt-4o-mini": {"input": 9, "output": 9.5, "as_of": "2026-11-30", "source": "the bill"},
        "自己的模型": {"input": 0, "output": 0},
        spec: {"input": 1, "output": 1},
    }
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(entries, ensure_ascii=False).encode())
    table = load_prices(path)
    assert table.price_of("openai:gpt-4o-mini") == Price(9.0, 9.5, None, "2026-11-30", "the bill")
    assert table.price_of("openai:自己的模型") == Price(0.0, 0.0)
    assert table.price_of(spec) == Price(1.0, 1.0)
    assert table.price_of("openai:gpt-4o") == load_prices().price_of("openai:gpt-4o")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", ":1: is not JSON"),
        ("", ":1: is not JSON"),
        ('{"m": {"input": 1,\n "output": }}', ":2: is not JSON"),
        ("[]", "expected an object"),
        ('{"m": 3}', "m: expected an object"),
        ('{"m": {"input": 1}}', "m.output: is missing"),
        ('{"m": {"output": 1}}', "m.input: is missing"),
        ('{"m": {"input": 1, "output": 1, "inputs": 1}}', "m.inputs: unknown"),
        ('{"m": {"input": "1", "output": 1}}', "m.input: '1' is not a number"),
        ('{"m": {"input": true, "output": 1}}', "m.input: True is not a number"),
        ('{"m": {"input": null, "output": 1}}', "m.input: None is not a number"),
        ('{"m": {"input": -1, "output": 1}}', "m.input: -1 is not a price"),
        ('{"m": {"input": NaN, "output": 1}}', "m.input: nan is not a price"),
        ('{"m": {"input": 1e999, "output": 1}}', "m.input: inf is not a price"),
        ('{"m": {"input": 1, "output": 1, "cached_input": -2}}', "m.cached_input: -2"),
        ('{"m": {"input": 1, "output": 1, "as_of": "May"}}', "m.as_of: 'May' is not a date"),
        ('{"m": {"input": 1, "output": 1, "source": 5}}', "m.source: 5 is not a text"),
        ('{"m": {"input": 1, "output": 1}, "m": {"input": 2, "output": 2}}', "'m' stands"),
        ('{"m": {"input": 1, "input": 2, "output": 1}}', "'input' stands there twice"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"m": {"input": ' + "9" * 5000 + ', "output": 1}}', "cannot be read as JSON"),
    ],
)  # fmt: skip
def test_a_wrong_price_file_is_named_with_the_place(text: str, where: str) -> None:
    with pytest.raises(WrongUse) as wrong:
        read_prices(text, "my.json")
    assert str(wrong.value).startswith("my.json")
    assert where in str(wrong.value)


def test_a_price_file_that_is_not_there_or_no_text_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="no such file"):
        load_prices(tmp_path / "absent.json")
    with pytest.raises(WrongUse, match="cannot be read"):
        load_prices(tmp_path)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrongUse, match="not UTF-8"):
        load_prices(tmp_path / "binary.json")


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0.0, "$0"), (12.3, "$12.30"), (1234.5, "$1,234.50"), (0.15, "$0.15"), (0.0042, "$0.0042"),
     (0.00001234, "$0.000012"), (1.0, "$1.00")],
)  # fmt: skip
def test_small_amounts_keep_their_digits(amount: float, text: str) -> None:
    assert dollars(amount) == text


def test_an_empty_table_knows_no_price() -> None:
    assert PriceTable({}).price_of("openai:gpt-4o") is None
