"""Self-play on strict, faulty and small servers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from whole_runs import (
    SELF_PLAY,
    fake_server,
    first_reasons,
    hurried,
    lines,
    run,
    views,
    write_papers,
)

from generator.recipes.selfplay import SelfPlayOptions
from parsers.utterance import Utterance, parse_utterance

CALLS = 9
"""One summary, four questions and four answers."""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write_papers(tmp_path / "papers.jsonl", 2)


@pytest.mark.parametrize(
    ("server_is", "roles"),
    [
        pytest.param({"strict": True}, "as-given", id="roles in turn, opened by the user"),
        pytest.param({"strict": True, "system_allowed": False}, "fold-system", id="no system role"),
        pytest.param({"strict": True, "system_allowed": False}, "alternate", id="and alternating"),
    ],
)
def test_strict_servers_take_every_turn(
    papers: Path, tmp_path: Path, server_is: dict[str, Any], roles: str
) -> None:
    with fake_server(**server_is) as server:
        result = run(
            server, papers, tmp_path / "run", recipe=SELF_PLAY,
            sampling={"backend": {"roles": roles}},
        )  # fmt: skip
        assert server.stats()["by_status"] == {"200": 2 * CALLS}
    assert result.counts["accepted"] == 2


def test_a_fault_at_any_turn_is_retried_there_and_the_dialogue_goes_on(
    papers: Path, tmp_path: Path
) -> None:
    with fake_server("server_error*1") as bad:
        result = hurried(bad, papers, tmp_path / "run", recipe=SELF_PLAY)
        asked = Counter(entry.request for entry in bad.entries())
    with fake_server() as good:
        run(good, papers, tmp_path / "whole", recipe=SELF_PLAY)
    assert result.counts["accepted"] == 2
    assert list(asked.values()) == [2] * 2 * CALLS
    for name in ("dialogues.jsonl", "rejected.jsonl"):
        assert views(tmp_path / "run")[name] == views(tmp_path / "whole")[name]


@pytest.mark.parametrize(("policy", "accepted"), [("reject", 0), ("keep", 2)])
def test_a_dialogue_that_outgrows_the_context_ends_at_that_turn(
    papers: Path, tmp_path: Path, policy: Any, accepted: int
) -> None:
    with fake_server() as server:
        run(server, papers, tmp_path / "whole", recipe=SELF_PLAY)
        largest = sorted(entry.prompt_tokens for entry in server.entries())
    # Room for all but the largest prompt of each dialogue, the bot's last.
    with fake_server(context_tokens=largest[-3] + 512) as small:
        result = run(
            small, papers, tmp_path / "run", recipe=SELF_PLAY,
            options=SelfPlayOptions(on_failure=policy),
        )  # fmt: skip
    assert result.stopped is None
    assert result.counts["accepted"] == accepted
    if policy == "reject":
        assert list(first_reasons(tmp_path / "run").values()) == ["call/context_overflow"] * 2
        details = [line["reasons"][0]["detail"] for line in lines(tmp_path / "run/rejected.jsonl")]
        assert all(detail.startswith("turn 8 (bot): ") for detail in details)
    else:
        turns = [r["parsed_dialogue"]["turns"] for r in lines(tmp_path / "run/dialogues.jsonl")]
        assert [len(found) for found in turns] == [6, 6]


@pytest.mark.parametrize(
    ("said", "speaker", "text"),
    [
        pytest.param("User: What is a tide?", "person", "What is a tide?", id="its label"),
        pytest.param('"What is a tide?"', "person", "What is a tide?", id="in quotes"),
        pytest.param(
            'The person asks: "What is a tide?"', "person", "What is a tide?", id="narrated"
        ),
        pytest.param("助手：潮水会涨。", "bot", "潮水会涨。", id="a Chinese label"),
    ],
)
def test_what_is_not_said_is_no_part_of_a_turn(said: str, speaker: Any, text: str) -> None:
    heard = parse_utterance(said, speaker=speaker)
    assert isinstance(heard, Utterance)
    assert heard.text == text
