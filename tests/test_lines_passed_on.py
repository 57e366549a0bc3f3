"""What a store keeps is written without being decoded, to the byte as if it had been."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.json_text import JsonText
from generator.shapes import dump_line, dump_record
from generator.store.rows import to_json

TEXTS = st.text(st.characters(), max_size=12) | st.sampled_from(
    ['"', "\\", '\\"', "\\\\", '": "', "a,b:c", "\x00\x01\x02", "\u2028", "\ud800", "\x7f", "true"]
)
NUMBERS = st.one_of(
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 1e-4, 9.9e-5, 1e-7, 1e15, 1e16, 123456789012345680.0, 0.1, 5e-324]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=5)


def kept(value: dict[str, Any]) -> JsonText:
    """The object as the store keeps it."""
    return JsonText(to_json(value).encode())


@settings(deadline=None, max_examples=300)
@given(value=OBJECTS)
def test_a_line_is_that_of_the_decoded_record(value: dict[str, Any]) -> None:
    stored = kept(value)
    decoded = json.loads(stored.text)
    line = (dump_record(decoded) + "\n").encode()
    assert dump_line(decoded) == line
    assert dump_line(stored) == line
    around = {"id": "x", "measures": stored, "more": [stored]}
    plain = {"id": "x", "measures": decoded, "more": [decoded]}
    assert dump_line(around) == (dump_record(plain) + "\n").encode()


@settings(deadline=None, max_examples=100)
@given(value=OBJECTS, name=TEXTS)
def test_an_object_kept_as_text_reads_as_the_object(value: dict[str, Any], name: str) -> None:
    stored = kept(value)
    decoded = json.loads(stored.text)
    assert stored.get(name, "absent") == decoded.get(name, "absent")
    assert dict(stored) == decoded
    assert len(stored) == len(decoded)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"text": "false, true: 1e9"}, id="words-and-numbers-within-a-text"),
        pytest.param({"a": 1e22, "b": [1e-9, True]}, id="exponents"),
        pytest.param({"a": 2**64, "b": -(2**63)}, id="beyond-64-bits"),
        pytest.param({"say": 'he said "\\"'}, id="quotation-marks"),
    ],
)
def test_lines_that_two_encoders_would_write_differently(value: dict[str, Any]) -> None:
    assert dump_line(kept(value)) == (dump_record(value) + "\n").encode()
