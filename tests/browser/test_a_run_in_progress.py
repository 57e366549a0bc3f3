"""The page while another process writes the run, and when the inspector itself is ended."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from mixed_run import answer, make_run, write_inputs
from served_run import DIALOGSMITH, inspected
from watched_pages import WatchedContext

BEGUN = 40


def test_a_page_stays_consistent_while_the_run_is_written(
    tmp_path: Path, opened: Callable[..., WatchedContext]
) -> None:
    from playwright.sync_api import Page, expect

    def places(page: Page) -> dict[str, int]:
        found = {}
        for place in ("items", "accepted", "rejected", "open"):
            number = page.locator(f"#count-{place}")
            found[place] = int(number.inner_text().replace(",", "")) if number.count() else 0
        return found

    write_inputs(tmp_path, 1000, lambda number: {**answer(number), "latency_s": 0.25})
    command = [
        DIALOGSMITH, "generate", "paperpersichat-davinci", "papers.jsonl", "--out", "growing",
        "--model", "scripted:script.jsonl", "--concurrency", "2", "--quiet",
    ]  # fmt: skip
    begin = [*command, "--limit", str(BEGUN), "--concurrency", str(BEGUN)]
    subprocess.run(begin, cwd=tmp_path, check=True)
    with inspected(tmp_path / "growing") as served:
        served.wait_until_indexed(BEGUN)
        page = opened(served.url).page()
        page.goto("/")
        before = places(page)
        assert before["items"] == BEGUN
        writing = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        try:
            line = page.locator("#progress-text")
            expect(line).to_contain_text("The run is being written")
            # What was shown stays until somebody asks for what is new.
            assert places(page) == before
            grown = before
            for _ in range(4):
                page.reload()
                now = places(page)
                assert now["items"] == now["accepted"] + now["rejected"] + now["open"]
                assert all(now[place] >= grown[place] for place in ("accepted", "rejected"))
                grown = now
            link = page.get_by_role("link", name="Show what is new")
            expect(link).to_be_visible(timeout=30_000)
            link.click()
            expect(page.locator("#count-items")).not_to_have_text(str(BEGUN))
            assert places(page)["items"] > BEGUN
        finally:
            writing.send_signal(signal.SIGINT)
            writing.communicate(timeout=60)
        assert writing.returncode in {3, 130}
        page.reload()
        assert re.search("not finished", page.locator(".headline").inner_text())
        page.goto("about:blank")


def test_ctrl_c_ends_the_inspector_and_an_open_page_says_so(
    tmp_path: Path, opened: Callable[..., WatchedContext]
) -> None:
    from playwright.sync_api import expect

    run = make_run(tmp_path, 12)
    with inspected(run) as served:
        served.wait_until_indexed(12)
        watched = opened(served.url)
        page = watched.page()
        page.goto("/")
        served.process.send_signal(signal.SIGINT)
        out, err = served.process.communicate(timeout=30)
        assert served.process.returncode == 0
        assert out == ""
        assert "Traceback" not in err
        assert err.rstrip().endswith("inspect: ended")
        expect(page.locator("#progress-text")).to_contain_text("The inspector has ended")
    # The browser notes on the console that nobody answers; nothing else may be there.
    assert [t for t in watched.troubles if "net::ERR" not in t] == []
    watched.troubles.clear()
