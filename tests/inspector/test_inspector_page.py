"""`docs/inspector.md` lists every address, key and parameter, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from browsing import Browser

from generator.inspector.app import routes
from generator.inspector.keys import KEYS
from generator.inspector.pages import STATIC, Pages
from generator.inspector.traits import FACETS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "inspector.md").read_text(encoding="utf-8")


def _upper(parameter: re.Match[str]) -> str:
    return parameter.group(1).upper()


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def test_every_address_is_listed(page: Browser) -> None:
    made = Pages(page.inspector.opened_run, page.inspector.token, ())
    paths = {
        re.sub(r"\{(\w+)(:\w+)?\}", lambda m: m.group(1).upper(), r.path) for r in routes(made)
    }
    listed = set(re.findall(r"^\| `(?:GET|POST) ([^`]+)`", section("Views"), re.MULTILINE))
    assert listed == paths


def test_every_key_is_listed() -> None:
    cells = re.findall(r"^\| (`.*?`) \|", section("Keys"), re.MULTILINE)
    assert {key for cell in cells for key in re.findall(r"`([^`]+)`", cell)} == {
        key.key for key in KEYS
    }


def test_every_key_is_heard_by_the_script() -> None:
    script = (STATIC / "keys.js").read_text(encoding="utf-8")
    heard = set(re.findall(r"^    \"?([a-z-]+)\"?: (?:\(|toggle)", script, re.MULTILINE))
    assert {key.action for key in KEYS} == heard


def test_every_filter_is_listed() -> None:
    for facet in FACETS:
        assert f"`{facet}`" in section("Views")


def test_the_scripts_ask_nobody_else() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        foreign = re.findall(r"https?://[^\s\"']+", text)
        assert set(foreign) <= {"http://www.w3.org/2000/svg"}, path.name
