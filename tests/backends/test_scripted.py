"""Prepared answers: chosen by the request alone."""

import asyncio
import json

import pytest

from generator.backends import complete_sample, make_backend
from generator.backends.script_file import read_script
from generator.backends.scripted import FAULTS, Answer, Fault, ScriptedBackend
from generator.errors import RateLimited, RequestRefused, ServerFault, WrongUse
from generator.values import Message, Request, Usage


def _request(text, *before):
    return Request(messages=(*(Message("user", part) for part in before), Message("user", text)))


def _backend(*lines, **arguments):
    content = "\n".join(json.dumps(line) for line in lines).encode()
    return ScriptedBackend(read_script(content, "script"), **arguments)


def _ask(backend, request, sample=0):
    return asyncio.run(complete_sample(backend, request, sample))


def test_an_answer_is_given_whole():
    line = {
        "text": "你好 \ud800",
        "finish_reason": "length",
        "usage": {"prompt_tokens": 3, "completion_tokens": 0},
    }
    completion = _ask(_backend(line), _request("Hello"))
    assert completion.text == "你好 �"
    assert completion.finish_reason == "length"
    assert completion.usage == Usage(3, 0, None)


@pytest.mark.parametrize(
    ("match", "request_", "fits"),
    [
        pytest.param({"contains": "cat"}, _request("a cat sat"), True, id="contains"),
        pytest.param({"contains": "cat"}, _request("dog", "cat"), True, id="earlier message"),
        pytest.param({"contains": ["a", "z"]}, _request("abc"), False, id="all parts"),
        pytest.param({"contains": "猫"}, Request(prompt="一只猫"), True, id="a prompt"),
        pytest.param({"regex": r"c.t$"}, _request("a cut"), True, id="regex"),
        pytest.param({"regex": r"^cut"}, _request("a cut"), False, id="regex fails"),
        pytest.param({"equals": "cat"}, _request("cat", "dog"), True, id="equals the last"),
        pytest.param({"equals": "cat"}, _request("dog", "cat"), False, id="not the last"),
        pytest.param({"equals": ""}, Request(prompt=""), True, id="equals nothing"),
        pytest.param({"contains": "a", "regex": "b"}, _request("a"), False, id="both must hold"),
    ],
)
def test_matching(match, request_, fits):
    backend = _backend({"match": match, "text": "special"}, {"text": "default"})
    assert _ask(backend, request_).text == ("special" if fits else "default")


def test_the_first_line_that_matches_answers():
    backend = _backend(
        {"match": {"contains": "a"}, "text": "one"}, {"match": {"contains": "b"}, "text": "two"}
    )
    assert _ask(backend, _request("ab")).text == "one"


def test_by_hash_every_line_that_matches_has_its_turn():
    lines = [{"match": {"contains": "a"}, "text": text} for text in ("one", "two", "three")]
    backend = _backend({"settings": {"choose": "hash"}}, *lines, {"text": "default"})
    texts = {_ask(backend, _request(f"a{n}")).text for n in range(60)}
    assert texts == {"one", "two", "three"}


def test_answers_depend_on_the_request_and_not_on_the_order():
    lines = [{"text": str(n)} for n in range(7)]
    requests = [_request(f"question {n}") for n in range(80)]

    async def all_of(backend, order):
        answers = await asyncio.gather(*(backend.complete(requests[n]) for n in order))
        return {n: answer.text for n, answer in zip(order, answers, strict=True)}

    forward = asyncio.run(all_of(_backend(*lines), range(80)))
    backward = asyncio.run(all_of(_backend(*lines), range(79, -1, -1)))
    assert forward == backward
    assert set(forward.values()) == {str(n) for n in range(7)}


def test_samples_of_one_request_have_answers_of_their_own():
    backend = _backend(*({"text": str(n)} for n in range(7)))
    texts = [_ask(backend, _request("again"), sample).text for sample in range(40)]
    assert len(set(texts)) == 7
    assert asyncio.run(backend.complete(_request("again"))).text == texts[0]


def test_nothing_fits():
    backend = _backend({"match": {"contains": "x"}, "text": "y"})
    with pytest.raises(RequestRefused, match="no line of the script fits"):
        _ask(backend, _request("abc"))


@pytest.mark.parametrize("kind", FAULTS)
def test_every_fault_can_be_rehearsed(kind):
    with pytest.raises(FAULTS[kind], match="scripted"):
        _ask(_backend({"error": {"kind": kind}}), _request("a"))


@pytest.mark.parametrize("kind", ["rate_limited", "server_fault"])
def test_a_fault_may_say_how_long_to_wait(kind):
    backend = _backend({"error": {"kind": kind, "retry_after_s": 2.5}})
    with pytest.raises((RateLimited, ServerFault)) as raised:
        _ask(backend, _request("a"))
    assert raised.value.retry_after_s == 2.5


def test_each_request_meets_a_fault_so_many_times_then_its_answer():
    backend = _backend({"error": {"kind": "server_fault"}, "times": 2}, {"text": "done"})

    async def outcomes(order):
        seen = []
        for text in order:
            try:
                seen.append((text, (await backend.complete(_request(text))).text))
            except ServerFault:
                seen.append((text, "fault"))
        return seen

    once = asyncio.run(outcomes("abababa"))
    assert once[:4] == [("a", "fault"), ("b", "fault"), ("a", "fault"), ("b", "fault")]
    assert once[4:] == [("a", "done"), ("b", "done"), ("a", "fault")]


def test_latency_passes_before_the_answer():
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    backend = _backend({"text": "a", "latency_s": 1.5}, sleep=sleep)
    assert _ask(backend, _request("a")).latency_s == 1.5
    assert slept == [1.5]


def test_answers_from_python():
    def answers(request):
        last = request.messages[-1].content
        if last == "fail":
            return Answer(fault=Fault("rate_limited", 3.0))
        return None if last == "nothing" else last.upper()

    backend = ScriptedBackend(answers)
    assert _ask(backend, _request("hi")).text == "HI"
    with pytest.raises(RateLimited):
        _ask(backend, _request("fail"))
    with pytest.raises(RequestRefused):
        _ask(backend, _request("nothing"))
    assert _ask(ScriptedBackend(["only"]), _request("x")).text == "only"
    assert _ask(ScriptedBackend([Answer("an answer")]), _request("x")).text == "an answer"


def test_a_script_declares_capabilities():
    settings = {
        "prompt_forms": ["completion"],
        "constraints": ["gbnf"],
        "follows_instructions": False,
        "context_tokens": 2048,
    }
    capabilities = _backend({"settings": settings}, {"text": "a"}).capabilities
    assert capabilities.prompt_forms == {"completion"}
    assert capabilities.constraints == {"gbnf"}
    assert capabilities.follows_instructions is False
    assert capabilities.context_tokens == 2048


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(b"{", "not JSON", id="cut"),
        pytest.param(b"[1]", "not a JSON object", id="a list"),
        pytest.param(b'{"text": "\xff"}', "not UTF-8", id="bytes"),
        pytest.param(b"[" * 100_000, "deep", id="deep"),
        pytest.param(b"{}", "either text or error", id="empty"),
        pytest.param(b'{"text": "a", "error": {"kind": "bad_key"}}', "either", id="both"),
        pytest.param(b'{"text": 5}', "text: ", id="a number"),
        pytest.param(b'{"text": "a", "txet": "b"}', "txet: ", id="unknown key"),
        pytest.param(b'{"text": "a", "match": {}}', "needs contains", id="empty match"),
        pytest.param(b'{"text": "a", "match": {"regex": "("}}', "regular expression", id="regex"),
        pytest.param(b'{"error": {"kind": "boom"}}', "rate_limited", id="unknown kind"),
        pytest.param(b'{"text": "a", "times": 2}', "error only", id="times of a text"),
        pytest.param(b'{"text": "a", "latency_s": -1}', "latency_s", id="negative"),
        pytest.param(b'{"text": "a", "latency_s": NaN}', "latency_s", id="NaN"),
        pytest.param(b'{"settings": {"choose": "last"}}', "choose", id="settings"),
        pytest.param(b'{"settings": {}}', "before all answers", id="settings late"),
    ],
)
def test_a_bad_line_is_named(line, words):
    first = b'{"text": "fine"}\n\n'
    if b"choose" in line:
        first = b"\n\n"
    with pytest.raises(WrongUse) as raised:
        read_script(first + line + b"\n", "answers.jsonl")
    assert str(raised.value).startswith("answers.jsonl:3: ")
    assert words in str(raised.value)


def test_an_empty_script():
    with pytest.raises(WrongUse, match="no answers"):
        read_script(b"\n \n", "answers.jsonl")


def test_a_script_by_its_spec(tmp_path):
    path = tmp_path / "回答.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "from the file"}\r\n')
    backend = make_backend(f"scripted:{path}", environ={})
    assert _ask(backend, _request("a")).text == "from the file"
    assert backend.spec == f"scripted:{path}"
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    assert make_backend(f"scripted:{copy}", environ={}).endpoint == backend.endpoint
    copy.write_text('{"text": "changed"}', encoding="utf-8")
    assert make_backend(f"scripted:{copy}", environ={}).endpoint != backend.endpoint


@pytest.mark.parametrize("spec", ["scripted", "scripted:missing/file.jsonl", "scripted:x@http://h"])
def test_a_script_that_is_not_there(spec):
    with pytest.raises(WrongUse, match=r"scripted|missing"):
        make_backend(spec, environ={})
