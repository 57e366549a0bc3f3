"""What makes two calls the same call."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.key import request_hash, request_key
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
