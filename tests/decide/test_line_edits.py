"""A few lines of a file are changed, and all others come out byte for byte."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.line_edits import LineEdit, copy_edited

LINES = st.lists(st.text("ab{\u2028é", max_size=5), max_size=12)
CHANGES = st.dictionaries(
    st.integers(0, 11), st.tuples(st.booleans(), st.none() | st.text("xy", max_size=3)), max_size=6
)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=LINES, changes=CHANGES, chunk=st.integers(1, 9))
def test_edits_do_what_a_list_of_lines_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str],
    changes: dict[int, tuple[bool, str | None]], chunk: int,
) -> None:  # fmt: skip
    monkeypatch.setattr("generator.line_edits._CHUNK", chunk)
    source, target = tmp_path / "lines", io.BytesIO()
    source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    edits, wanted = [], list[str]()
    for number, line in enumerate([*lines, None]):
        remove, text = changes.get(number, (False, None))
        edits += [LineEdit(number, remove and line is not None, text)] * (number in changes)
        wanted += [] if text is None else [text]
        wanted += [] if line is None or remove else [line]
    copy_edited(source, target, edits)
    found = target.getvalue().decode("utf-8")
    assert found.split("\n")[:-1] == wanted
    assert found.endswith("\n") == bool(wanted)


def test_a_file_that_is_too_short_is_noticed(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_text("one\n", encoding="utf-8")
    with pytest.raises(ValueError, match="fewer lines"):
        copy_edited(source, io.BytesIO(), [LineEdit(2, text="x")])
    with pytest.raises(ValueError, match="fewer lines"):
        copy_edited(source, io.BytesIO(), [LineEdit(1, remove=True)])
