"""The command as a process: its first line, its ends, its complaints."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fake_asking import ask, chat_body, post

from generator.values import Completion

PROGRAM = """
import argparse, sys
from generator.commands import fake_server
from generator.errors import DialogsmithError
parser = argparse.ArgumentParser()
fake_server.add_arguments(parser)
try:
    sys.exit(fake_server.run(parser.parse_args()))
except DialogsmithError as error:
    sys.stderr.write(f"dialogsmith: {error}\\n")
    sys.exit(error.exit_code)
"""


def _started(*options: str, **environ: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    )


@contextmanager
def _running(*options: str, **environ: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on a free port, and its base URL."""
    with _started("--port", "0", "--max-seconds", "60", *options, **environ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_it_prints_its_address_answers_and_ends_cleanly(number):
    with _running() as (process, base_url):
        assert base_url.startswith("http://127.0.0.1:")
        assert base_url.endswith("/v1")
        assert isinstance(ask(base_url), Completion)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert out == ""
    assert "1 requests, 1 answered" in err
    assert "Traceback" not in err


def test_it_ends_although_a_client_hangs():
    with _running("--fault", "hang") as (process, base_url):
        host, port = base_url.removeprefix("http://").removesuffix("/v1").split(":")
        with socket.create_connection((host, int(port))) as client:
            body = json.dumps(chat_body()).encode()
            client.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: "
                + str(len(body)).encode() + b"\r\n\r\n" + body
            )  # fmt: skip
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in err


def test_it_ends_by_itself_after_so_many_requests(tmp_path):
    log = tmp_path / "log.jsonl"
    options = ("--max-requests", "3", "--log", str(log), "--fault", "server_error*1")
    with _running(*options) as (process, base_url):
        statuses = [post(base_url, chat_body()).status for _ in range(3)]
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert statuses == [500, 200, 500]
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [entry["answered"] for entry in entries] == [False, True, False]
    assert [entry["number"] for entry in entries] == [1, 2, 3]


def test_it_ends_by_itself_after_so_long():
    with _started("--port", "0", "--max-seconds", "0.3") as process:
        process.communicate(timeout=20)
    assert process.returncode == 0


def test_the_options_reach_the_server(tmp_path):
    script = tmp_path / "answers.jsonl"
    script.write_text('{"text": "From the file."}\n')
    plan = tmp_path / "plan.jsonl"
    plan.write_text('{"fault": "quota", "from": 2, "to": 2}\n')
    options = (
        "--script", str(script), "--schedule", str(plan), "--strict", "--model", "mine",
        "--context", "50", "--api-key-env", "REHEARSAL_KEY", "--refuse-with", "422",
        "--latency", "uniform:0,0.01", "--no-system", "--no-choices", "--rpm", "9", "--seed", "4",
    )  # fmt: skip
    with _running(*options, REHEARSAL_KEY="sk-rehearsal") as (process, base_url):
        bearer = {"authorization": "Bearer sk-rehearsal"}
        assert post(base_url, chat_body()).status == 401
        answer = post(base_url, {**chat_body(), "model": "mine#slow:0.01"}, **bearer)
        assert answer.text == "From the file."
        statuses = [
            post(base_url, {"model": "mine", **body}, **bearer).status
            for body in (
                {"messages": [{"role": "user", "content": "x" * 400}]},
                {"messages": [{"role": "user", "content": "x"}], "n": 2},
                {"messages": [{"role": "system", "content": "x"}]},
                {"messages": [{"role": "user", "content": "x"}], "odd": 1},
            )
        ]
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=20)
    assert statuses == [400, 422, 400, 422]
    assert "sk-rehearsal" not in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--host", "0.0.0.0"], "binds to 127.0.0.1 only", id="host"),
        pytest.param(["--fault", "rate_limt"], "did you mean rate_limit", id="fault"),
        pytest.param(["--latency", "quick"], "--latency quick", id="latency"),
        pytest.param(["--script", "missing.jsonl"], "cannot be read", id="script"),
        pytest.param(["--schedule", "missing.jsonl"], "cannot be read", id="schedule"),
        pytest.param(["--api-key-env", "NO_SUCH_KEY"], "is not set", id="key"),
        pytest.param(["--log", "missing/log.jsonl"], "cannot be written", id="log"),
        pytest.param(["--port", "70000"], "is not a port", id="port"),
        pytest.param(["--max-seconds", "0"], "more than 0", id="seconds"),
        pytest.param(["--rpm", "0"], "is not 1 or more", id="rpm"),
    ],
)
def test_wrong_use_is_one_clear_message(options, said):
    with _started("--port", "0", *options) as process:
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_port_that_is_taken():
    with _running() as (_, base_url):
        port = base_url.removesuffix("/v1").rpartition(":")[2]
        with _started("--port", port) as second:
            _, err = second.communicate(timeout=20)
    assert second.returncode == 2
    assert f"port {port} of 127.0.0.1 cannot be used" in err
