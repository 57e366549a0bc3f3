"""Answers from an earlier run."""

import asyncio

import pytest

from generator.backends import complete_sample, make_backend
from generator.calling.key import request_hash
from generator.errors import CallFailed, NotInRun, WrongUse
from generator.values import Capabilities, Completion, Message, Request

HELLO = Request(messages=(Message("user", "Hello \ud800"),))


class Run:
    """Stored calls in a dict."""

    def __init__(self, calls, capabilities=None):
        self.capabilities = capabilities
        self._calls = calls

    def lookup(self, request_hash):
        return self._calls.get(request_hash)


def _replay(run):
    opened = []

    def open_run(path):
        opened.append(path)
        return run

    backend = make_backend("replay:outputs/run1", environ={}, open_run=open_run)
    assert opened == ["outputs/run1"]
    return backend


def test_a_stored_answer_comes_back_unchanged():
    first = Completion("Hi.", "stop", model="m", latency_s=1.0, notes=("x",))
    second = Completion("Hi again.", "length")
    calls = {
        request_hash(HELLO, sample=0): first,
        request_hash(HELLO, sample=1): second,
    }
    backend = _replay(Run(calls))
    assert asyncio.run(backend.complete(HELLO)) is first
    assert asyncio.run(complete_sample(backend, HELLO, 1)) is second


def test_a_request_the_run_did_not_hold():
    with pytest.raises(NotInRun, match="not in the replayed run outputs/run1") as raised:
        asyncio.run(_replay(Run({})).complete(HELLO))
    assert isinstance(raised.value, CallFailed)
    assert raised.value.code == "not_in_run"


def test_capabilities_are_those_of_the_run():
    declared = Capabilities(frozenset({"completion"}), follows_instructions=False)
    assert _replay(Run({}, declared)).capabilities == declared
    assert _replay(Run({})).capabilities.prompt_forms == {"chat", "completion"}


@pytest.mark.parametrize("spec", ["replay", "replay:run@http://h"])
def test_a_replay_needs_a_run(spec):
    with pytest.raises(WrongUse, match="name the run directory"):
        make_backend(spec, environ={}, open_run=lambda path: Run({}))


def test_a_replay_needs_a_reader_of_runs():
    with pytest.raises(WrongUse, match="nothing to replay"):
        make_backend("replay:run", environ={})
