"""Money and rates of whole runs, over the strict fake server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import write_papers, write_script

import generator
from generator.cli import main
from generator.fakeserver import FakeServer, FakeServerSettings, parse_fault, parse_latency

RECIPE = "paperpersichat-davinci"


def price_file(tmp_path: Path) -> Path:
    """A price of one dollar a thousand tokens, so that small runs cost something."""
    path = tmp_path / "prices.json"
    price = {"input": 1000.0, "output": 1000.0, "as_of": "2026-01", "source": "made up for a test"}
    path.write_text(json.dumps({"fake": price}))
    return path


def test_a_run_stops_before_it_could_cost_more_and_goes_on_with_more_money(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 12)
    prices = price_file(tmp_path)
    with FakeServer(FakeServerSettings(seed=1)) as server:
        model = f"openai:fake@{server.base_url}"
        run = tmp_path / "run"
        first = generator.generate(
            RECIPE, papers, out=run, model=model, prices=prices, max_cost=9.0, concurrency=4
        )
        assert isinstance(first.stopped, generator.RunStopped)
        spent = server.stats()
        used = spent["prompt_tokens"] + spent["completion_tokens"]
        assert 0 < used / 1000 <= 9.0
        assert first.counts["items"] > first.counts["accepted"] > 0
        answered = spent["answered"]
        again = generator.generate(
            RECIPE, papers, out=run, model=model, prices=prices, max_cost=900.0, concurrency=4
        )
        assert again.stopped is None
        assert server.stats()["answered"] == 12
    assert answered < 12
    line = json.loads((run / "provenance.jsonl").read_text().split("\n")[0])
    assert line["cost"] == pytest.approx(
        (line["tokens"]["prompt"] + line["tokens"]["completion"]) / 1000
    )


def test_what_was_spent_before_counts_when_a_run_is_resumed(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 12)
    with FakeServer(FakeServerSettings(seed=1)) as server:
        model = f"openai:fake@{server.base_url}"
        for _ in range(3):
            generator.generate(
                RECIPE, papers, out=tmp_path / "run", model=model, max_tokens_total=9000
            )
        stats = server.stats()
    assert stats["prompt_tokens"] + stats["completion_tokens"] <= 9000


def test_a_cap_without_a_price_is_refused_before_the_first_call(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 1)
    with FakeServer(FakeServerSettings()) as server:
        with pytest.raises(generator.WrongUse, match="price"):
            generator.generate(
                RECIPE, papers, out=tmp_path / "run", model=f"openai:fake@{server.base_url}",
                max_cost=1.0,
            )  # fmt: skip
        assert server.stats()["requests"] == 0
    assert not (tmp_path / "run").exists()


def test_a_dry_run_asks_nothing_and_writes_nothing(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 7)
    with FakeServer(FakeServerSettings()) as server:
        done = subprocess.run(
            [sys.executable, "-m", "generator.cli", "generate", RECIPE, str(papers), "--out",
             str(tmp_path / "run"), "--model", f"openai:fake@{server.base_url}", "--dry-run",
             "--prices", str(price_file(tmp_path))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert server.stats()["requests"] == 0
    assert done.returncode == 0, done.stderr
    assert "7 for 7 items" in done.stdout
    assert "$" in done.stdout
    assert not (tmp_path / "run").exists()


def test_an_unknown_price_is_shown_as_unknown(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 1)
    done = subprocess.run(
        [sys.executable, "-m", "generator.cli", "generate", "paperpersichat-selfplay", str(papers),
         "--out", str(tmp_path / "r"), "--model", "openai:some-model@http://127.0.0.1:9/v1",
         "--min-chars", "500", "--dry-run"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "unknown" in done.stdout, done.stderr
    assert "9 for 1 items" in done.stdout


def test_rate_limits_are_waited_for_and_cost_no_item(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 30)
    faults = (parse_fault("rate_limit_ms:30=0.4"),)
    with FakeServer(FakeServerSettings(seed=3, faults=faults)) as server:
        result = generator.generate(
            RECIPE, papers, out=tmp_path / "run", model=f"openai:fake@{server.base_url}"
        )
        assert server.stats()["by_status"]["429"] > 5
    assert result.counts["failed"] == 0
    assert result.counts["accepted"] + result.counts["rejected"] == 30


def test_every_cost_of_a_model_on_this_machine_is_nothing(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 1)
    script = write_script(tmp_path / "s.jsonl", {}, 1)
    generator.generate(RECIPE, papers, out=tmp_path / "run", model=f"scripted:{script}")
    line = json.loads((tmp_path / "run" / "provenance.jsonl").read_text())
    assert line["cost"] == 0.0


def test_a_preview_forecasts_the_run_by_what_its_calls_took(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 40)
    settings = FakeServerSettings(latency=parse_latency("fixed:0.4"))
    with FakeServer(settings) as server:
        done = subprocess.run(
            [sys.executable, "-m", "generator.cli", "preview", RECIPE, str(papers), "--model",
             f"openai:fake@{server.base_url}", "--prices", str(price_file(tmp_path))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        stats = server.stats()
    assert done.returncode == 0, done.stderr
    assert stats["requests"] == 1
    assert "40 for 40 items" in done.stdout
    assert f"answer tokens:  {40 * stats['completion_tokens']:,} to 60,000" in done.stdout
    assert "cost:           $" in done.stdout
    assert re.search(r"time: +about [2-9] s with 8 requests at once", done.stdout)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--rpm", "3"], "at least 2 min at the given --rpm or --tpm"),
        (["--target", "2"], "2 for 2 items"),
        (["--target", "2"], "--target 2 of 7 items"),
        (["--target", "9"], "7 for 7 items"),
    ],
)
def test_a_dry_run_knows_limits_and_targets(
    tmp_path: Path, options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 7)
    command = ["generate", RECIPE, str(papers), "--out", str(tmp_path / "run"), "--dry-run",
               "--model", "openai:fake@http://127.0.0.1:9/v1"]  # fmt: skip
    assert main([*command, *options]) == 0
    assert says in capsys.readouterr().out
