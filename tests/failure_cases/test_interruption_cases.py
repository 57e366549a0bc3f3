"""Ctrl+C, kills and full disks, with real signals and real refusals of the operating system."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest
from whole_runs import (
    VIEWS,
    fake_server,
    generate_command,
    lines,
    open_store,
    run,
    views,
    write_papers,
)

import generator

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals, pipes and limits of POSIX")


def accepted(out: Path) -> int:
    """Accepted items in the store so far; 0 before there is one."""
    try:
        store = open_store(out)
    except generator.StoreFault:
        return 0
    try:
        return store.counts()["accepted"]
    finally:
        store.close()


@pytest.mark.slow
def test_a_second_ctrl_c_gives_up_what_hangs_and_leaves_valid_files(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 8)
    out = tmp_path / "run"
    with fake_server(schedule=[{"fault": "hang", "from": 3, "to": 4}]) as server:
        arguments = generate_command(server, papers, out, "--concurrency", 2)
        process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while process.poll() is None and (accepted(out), server.stats()["in_flight"]) != (2, 2):
            time.sleep(0)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        told = process.stderr.readline() + process.stderr.readline()
        assert "once more gives that up" in told
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 130, errors
        assert "run the same command again" in errors
        assert "Traceback" not in errors
        store = open_store(out)
        assert store.counts()["accepted"] == len(lines(out / "dialogues.jsonl")) == 2
        store.close()
        assert all(lines(out / view) is not None for view in VIEWS)
        assert run(server, papers, out).counts["accepted"] == 8
        # Two answers before the signal, two requests that hung, and the other six.
        assert server.stats()["requests"] == 2 + 2 + 6


@pytest.mark.slow
def test_a_kill_while_the_files_are_written_leaves_the_old_ones_whole(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12)
    out = tmp_path / "run"
    with fake_server() as server:
        run(server, papers, out, limit=3)
        before = views(out)
        # The new file is written into a pipe, which stands still until somebody reads.
        pipe = out / ".dialogues.jsonl.tmp"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = subprocess.Popen(
            generate_command(server, papers, out, "--quiet"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        ready, _, _ = select.select([reading], [], [], 60)
        assert ready
        assert os.read(reading, 100)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        os.close(reading)
        pipe.unlink()
        assert views(out) == before
        spent = server.stats()["requests"]
        assert run(server, papers, out).counts["accepted"] == 12
        assert server.stats()["requests"] == spent == 12
        run(server, papers, tmp_path / "whole")
    assert views(out) == views(tmp_path / "whole")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_while_a_file_is_written_leaves_the_old_one_whole(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 6)
    out = tmp_path / "run"
    with fake_server() as server:
        run(server, papers, out, limit=3)
        before = (out / "dialogues.jsonl").read_bytes()
        (out / ".dialogues.jsonl.tmp").symlink_to("/dev/full")
        with pytest.raises(generator.StoreFault, match="No space left"):
            run(server, papers, out)
        assert (out / "dialogues.jsonl").read_bytes() == before
        assert run(server, papers, out).counts["accepted"] == 6
        assert server.stats()["requests"] == 6
        run(server, papers, tmp_path / "whole")
    assert views(out) == views(tmp_path / "whole")
