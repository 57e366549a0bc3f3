"""Values arrive whole, however the bytes between two processes are cut."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.interpreting.frames import FrameBuffer, framed, read_frame

VALUES = st.lists(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary(max_size=300)),
    max_size=6,
)


@settings(deadline=None, max_examples=80)
@given(values=VALUES, cuts=st.lists(st.integers(min_value=1, max_value=40), min_size=1))
def test_a_buffer_gives_what_was_framed_however_it_is_cut(
    values: list[object], cuts: list[int]
) -> None:
    stream = io.BytesIO(b"".join(framed(value) for value in values))
    buffer, found, turn = FrameBuffer(), [], 0
    while piece := stream.read(cuts[turn % len(cuts)]):
        found += buffer.feed(piece)
        turn += 1
    assert found == values


@settings(deadline=None, max_examples=60)
@given(values=VALUES, lost=st.integers(min_value=1, max_value=4))
def test_a_stream_gives_whole_values_and_then_its_end(values: list[object], lost: int) -> None:
    whole = b"".join(framed(value) for value in values)
    stream = io.BytesIO(whole + framed("torn off")[:-lost])
    assert [read_frame(stream) for _ in values] == values
    with pytest.raises(EOFError):
        read_frame(stream)
