"""docs/fake-server.md lists every fault and every option, and its examples can be read."""

import argparse
import re
from dataclasses import fields
from pathlib import Path

from generator.commands import fake_server
from generator.fakeserver import FAULTS, count_tokens, parse_fault, parse_latency, read_schedule
from generator.fakeserver.journal import KEPT_ENTRIES, Entry

PAGE = (Path(__file__).parents[2] / "docs" / "fake-server.md").read_text(encoding="utf-8")
ROWS = {
    cells[0].strip("`"): cells
    for line in PAGE.splitlines()
    if len(cells := [cell.strip() for cell in line.strip("|").split(" | ")]) == 5
    and cells[0].startswith("`")
}


def test_every_fault_is_listed_and_no_other():
    assert list(ROWS) == list(FAULTS)


def test_the_rows_say_what_the_catalogue_says():
    for name, (_, argument, does, ends_as, drawn_by) in ROWS.items():
        fault = FAULTS[name]
        assert does.startswith(fault.does), name
        assert ends_as.strip("`") == fault.ends_as, name
        assert drawn_by == fault.drawn_by, name
        assert argument.startswith(fault.argument) or not argument, name
        assert bool(argument) == bool(fault.argument), name
        assert ("(chat only)" in does) == fault.chat_only, name
        if fault.default:
            assert f"({fault.default:g})" in argument, name


def test_every_option_is_listed():
    parser = argparse.ArgumentParser(add_help=False)
    fake_server.add_arguments(parser)
    shown = [a.option_strings[0] for a in parser._actions if a.help != argparse.SUPPRESS]
    assert shown
    assert not [option for option in shown if f"`{option}" not in PAGE]


def test_every_key_of_the_log_is_listed():
    table = PAGE.split("## The log", 1)[1]
    assert not [field.name for field in fields(Entry) if f"`{field.name}`" not in table]
    assert f"{KEPT_ENTRIES:,}" in PAGE


def test_the_examples_can_be_read():
    for spec in re.findall(r"--fault (\S+)", PAGE):
        if not spec.startswith("NAME"):
            parse_fault(spec.strip("`"))
    for spec in re.findall(r"--latency (\S+:\S+)", PAGE):
        parse_latency(spec)
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    assert len(read_schedule(block[1].encode(), "page")) == 3


def test_the_token_rule_of_the_page():
    assert "every four bytes" in PAGE.replace("\n", " ")
    assert count_tokens("caches 缓存") == 2 + 2
