"""The README and the pages say what is so: commands, links, public names, the order of imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import generator
from generator.cli import COMMANDS, command_module

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_readme_lists_every_command(name: str) -> None:
    assert f"| `dialogsmith {name}" in README
    assert callable(command_module(name).run)


def test_the_readme_lists_no_command_that_is_not_there() -> None:
    listed = set(re.findall(r"^\| `dialogsmith ([a-z-]+)", README, re.MULTILINE))
    assert listed == set(COMMANDS)


def test_the_readme_has_exactly_two_commands_to_begin_with() -> None:
    section = README.split("## Two commands")[1].split("\n## ")[0]
    commands = re.findall(r"```bash\n(.*?)\n```", section, re.DOTALL)
    assert len(commands) == 2
    for command in commands:
        assert "\n" not in command
        assert (ROOT / command).is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_named_on_a_page_exist(page: Path) -> None:
    for named in re.findall(r"`((?:generator|parsers|prompts|benchmarks|docs)/[\w./-]+)`",
                            page.read_text(encoding="utf-8")):  # fmt: skip
        assert (ROOT / named).exists(), f"{page.name}: {named}"


def test_every_public_name_is_there() -> None:
    for name in generator.__all__:
        assert getattr(generator, name) is not None
    assert sorted(generator.__all__) == generator.__all__


def python_files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("package", ["parsers", "prompts"])
def test_imports_run_one_way(package: str) -> None:
    for path in python_files(package):
        for name in imported(path):
            assert name.split(".")[0] != "generator", path


@pytest.mark.parametrize("package", ["parsers", "generator/filters", "generator/grammar"])
def test_what_is_pure_reaches_for_nothing_outside(package: str) -> None:
    outside = {"os", "time", "random", "socket", "subprocess", "asyncio", "threading", "openai",
               "sqlite3", "pathlib", "urllib", "http", "datetime"}  # fmt: skip
    for path in python_files(package):
        assert not {n.split(".")[0] for n in imported(path)} & outside, path


def test_the_store_knows_nothing_of_what_is_above_it() -> None:
    above = ("generator.calling", "generator.recipes", "generator.run", "generator.commands")
    for path in python_files("generator/store"):
        assert not [n for n in imported(path) if n.startswith(above)], path
