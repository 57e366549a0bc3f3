"""The command on a sample's page makes just that run again."""

from __future__ import annotations

import asyncio
import shlex
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from mixed_run import answer, write_inputs

from generator.cli import build_parser, main
from generator.commands.options import run_settings
from generator.inspector.reproducing import command_again
from generator.job import job_manifest, prepare_job
from generator.recipes import get_recipe
from generator.run_directory import RunDirectory


def settings_of(words: list[str]) -> dict[str, Any]:
    """The settings that a `generate` command asks for, as the manifest holds them."""
    options = build_parser("generate").parse_args(words)

    async def prepared() -> dict[str, Any]:
        async with AsyncExitStack() as stack:
            job = await prepare_job(run_settings(options, options.out), {}, stack)
            return job_manifest(job, "")

    return asyncio.run(prepared())


@pytest.mark.parametrize(
    ("recipe", "more"),
    [
        ("paperpersichat-davinci", ""),
        ("paperpersichat-davinci", "--seed 7 --per-paper one --budget 2000 --min-chars 500"),
        ("paperpersichat-davinci", "--parser original --on-overflow trim --segment-rule original"),
        ("paperpersichat-davinci", "--set writer.temperature=0.2 --set writer.stop=A,B"),
        ("paperpersichat-davinci", "--set filters.max_echo=0.7 --set filters.off=loop,echo"),
        ("paperpersichat-davinci", "--set backend.roles=fold-system --variant few-shot"),
        ("paperpersichat-davinci", "--set parser.person_labels=Reader,Lector"),
        ("paperpersichat-davinci", "--set 'parser.patterns=person:reviewer \\d{1,2}'"),
        ("paperpersichat-selfplay", "--rounds 3 --turn-retries 1 --on-failure keep"),
        ("paperpersichat-selfplay", "--set recipe.min_rounds=3 --set filters.max_leak_share=0.2"),
        ("paperpersichat-selfplay", "--lang zh --set bot.max_tokens=64 --set bot.top_p=none"),
    ],
)
def test_the_command_asks_for_the_same_settings(tmp_path: Path, recipe: str, more: str) -> None:
    folder = tmp_path / "it's here"
    folder.mkdir()
    write_inputs(folder, 3, answer)
    first = ["generate", recipe, str(folder / "papers.jsonl"), "--out", str(tmp_path / "run"),
             "--model", f"scripted:{folder / 'script.jsonl'}", *shlex.split(more)]  # fmt: skip
    manifest = settings_of(first)
    command = command_again(manifest, get_recipe(recipe), out=str(tmp_path / "again"), limit=2)
    words = shlex.split(command)
    assert words[0] == "dialogsmith"
    assert words[-2:] == ["--limit", "2"]
    assert settings_of(words[1:])["settings"] == manifest["settings"]


def test_the_stored_answers_give_the_same_records(
    mixed_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mixed_run.parent)
    manifest = RunDirectory(mixed_run).read_manifest()
    command = command_again(
        manifest, get_recipe(manifest["recipe"]), out=str(tmp_path / "again"), limit=20,
        replay=mixed_run,
    )  # fmt: skip
    assert main([*shlex.split(command)[1:], "--quiet"]) == 0
    again = (tmp_path / "again" / "dialogues.jsonl").read_text(encoding="utf-8")
    assert again
    assert (mixed_run / "dialogues.jsonl").read_text(encoding="utf-8").startswith(again)
