"""What makes two calls the same call."""

import hashlib
import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.key import identify, request_hash, request_key
from generator.values import Constraint, Message, Request, Sampling

HELLO = (Message("user", "Hello"),)
DIFFERENT = {
    "plain": Request(messages=HELLO),
    "other text": Request(messages=(Message("user", "Hello "),)),
    "other role": Request(messages=(Message("system", "Hello"),)),
    "system before": Request(messages=(Message("system", ""), *HELLO)),
    "two messages": Request(messages=(Message("user", "Hel"), Message("user", "lo"))),
    "prompt": Request(prompt="Hello"),
    "empty prompt": Request(prompt=""),
    "temperature 0": Request(messages=HELLO, sampling=Sampling(temperature=0.0)),
    "temperature 1": Request(messages=HELLO, sampling=Sampling(temperature=1.0)),
    "top_p 1": Request(messages=HELLO, sampling=Sampling(top_p=1.0)),
    "max_tokens": Request(messages=HELLO, sampling=Sampling(max_tokens=1)),
    "seed 0": Request(messages=HELLO, sampling=Sampling(seed=0)),
    "seed 1": Request(messages=HELLO, sampling=Sampling(seed=1)),
    "stop": Request(messages=HELLO, sampling=Sampling(stop=("a", "b"))),
    "stop joined": Request(messages=HELLO, sampling=Sampling(stop=("ab",))),
    "extra": Request(messages=HELLO, sampling=Sampling(extra=(("seed", 0),))),
    "gbnf": Request(messages=HELLO, constraint=Constraint("gbnf", "{}")),
    "schema": Request(messages=HELLO, constraint=Constraint("json_schema", "{}")),
    "lone surrogate": Request(messages=(Message("user", "\ud800"),)),
    "its replacement": Request(messages=(Message("user", "�"),)),
    "Chinese": Request(messages=(Message("user", "你好"),)),
}


def test_different_requests_differ_and_keys_are_sha256():
    keys = {name: request_hash(request) for name, request in DIFFERENT.items()}
    assert len(set(keys.values())) == len(DIFFERENT)
    assert all(len(key) == 64 and int(key, 16) >= 0 for key in keys.values())


@pytest.mark.parametrize("request_", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_samples_and_endpoints_tell_keys_apart(request_):
    keys = {
        request_key(request_, endpoint=endpoint, sample=sample)
        for endpoint, sample in itertools.product(("a", "b"), (0, 1))
    }
    assert len(keys) == 4
    assert request_hash(request_, sample=0) != request_hash(request_, sample=1)
    assert request_hash(request_) not in keys


def test_equal_requests_are_equal_however_they_are_written():
    one = Sampling(temperature=1, top_p=1.0, extra=(("a", 1), ("b", {"y": 1, "x": 2})))
    two = Sampling(temperature=1.0, top_p=1, extra=(("b", {"x": 2, "y": 1}), ("a", 1)))
    assert request_hash(Request(messages=HELLO, sampling=one)) == request_hash(
        Request(messages=HELLO, sampling=two)
    )


def test_the_hash_never_changes_between_versions():
    """Stored runs are found by it: a new form of the key needs a new store, not a new test."""
    request = Request(
        messages=(Message("system", "Be brief."), Message("user", "你好 \ud83d\ude00")),
        sampling=Sampling(temperature=0.7, max_tokens=100, stop=("\n",)),
    )
    assert request_hash(request, sample=2) == HASH
    assert request_key(request, endpoint="openai:m@http://h/v1", sample=2) == KEY


HASH = "d5de006b554fe27376049ff111f886807f4f16ebe35e92f156dca73e235fd041"
KEY = "0c9e627039e843be7a4bb7b06a5eb7245e63b73925e53d95a6d175dfdb38d6ae"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_json_has_no_form_for(value):
    with pytest.raises(ValueError):
        request_hash(Request(messages=HELLO, sampling=Sampling(extra=(("x", value),))))


@settings(deadline=None, max_examples=100)
@given(st.text(st.characters(), max_size=40), st.text(st.characters(), max_size=40))
def test_any_text_has_a_key_of_its_own(one, two):
    keys = [request_hash(Request(prompt=text)) for text in (one, two)]
    assert (keys[0] == keys[1]) == (one == two)


ODD = Sampling(
    temperature=0.5, top_p=1, max_tokens=500, seed=7, extra=(("b", [1e16, {"z": 1, "a": "é"}]),)
)
KNOWN = {
    "signs that JSON escapes": (
        Request(
            (
                Message("system", 'a "quoted"\\ back\x7f\x00\x1f\b\f\r\n\t/</script>'),
                Message("user", "\ud800 \U0001f600 é"),
            ),
            sampling=ODD,
        ),
        "d2c7dfc8c618115abbe120dae5265ba05ba9309942e0f9430555d519dbbf1ff8",
        "920a16dd6fae5518afaf51e6a4538019cb7b6f2cd0c4aadc6415931d37fe325e",
    ),
    "a prompt with a grammar": (
        Request(prompt="Summary:\x7f", constraint=Constraint("gbnf", 'root ::= "a" | "é"')),
        "41a29a4dfe9c5b1587519a9beb9755e1ccb9f47df46f1ce3e64245c3b2a55792",
        "7a8b7f90531265d3313bc9be1d94c132e66390e3a0035d2d1aaa51e79ae7dddc",
    ),
    "a chat with a schema": (
        Request(
            (Message("user", "Hello"),),
            constraint=Constraint("json_schema", '{"type": "object"}'),
            sampling=Sampling(temperature=0),
        ),
        "a5d3504f613c32aef5d7a9254d6e8a82994ed7ff252166a5f80c3e4059dff9e5",
        "c5a08d9dfd66e74ce797f6e267fb32c8b1412808bcf60e188d8c812fbc39a466",
    ),
}


@pytest.mark.parametrize(("request_", "key", "hash_"), KNOWN.values(), ids=KNOWN.keys())
def test_keys_of_stored_runs_are_still_found(request_, key, hash_):
    found = identify(request_, endpoint="openai:mé@http://h/v1\x7f", sample=3)
    assert (found.key, found.request_hash) == (key, hash_)


TEXTS = st.text(st.characters(), max_size=40) | st.text(st.characters(max_codepoint=0x90))


@settings(deadline=None, max_examples=200)
@given(st.lists(TEXTS, min_size=1, max_size=5), st.none() | TEXTS, TEXTS, st.integers(0, 3))
def test_a_key_is_the_digest_of_plain_json(contents, body, endpoint, sample):
    messages = tuple(
        Message("user" if n % 2 else "assistant", content) for n, content in enumerate(contents)
    )
    constraint = None if body is None else Constraint("gbnf", body)
    request = Request(messages, sampling=Sampling(top_p=0.9), constraint=constraint)
    value = {
        "v": 1,
        "sample": sample,
        "sampling": {"top_p": 0.9},
        "messages": [[message.role, message.content] for message in messages],
        "endpoint": endpoint,
    }
    if body is not None:
        value["constraint"] = ["gbnf", body]
    plain = json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")
    assert identify(request, endpoint=endpoint, sample=sample).key == (
        hashlib.sha256(plain).hexdigest()
    )
