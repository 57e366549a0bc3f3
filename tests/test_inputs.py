"""Files, folders and standard input: which are read, in which order, and what goes wrong."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from generator.errors import WrongUse
from generator.inputs import (
    INPUT_CODES,
    SourcedPaper,
    SourcedUnread,
    iter_papers,
)
from generator.inputs_seen import fingerprint_inputs


def record(title: str) -> str:
    return json.dumps({"title": title, "sections": [{"heading": "Results", "text": title}]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files at three depths, hidden ones among them."""
    (tmp_path / "b" / "deep").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    files = {
        "c.jsonl": f"{record('c1')}\n\n{{torn\n{record('c2')}\n",
        "a.json": record("a"),
        "b/one.json": record("b1"),
        "b/deep/two.json": record("b2"),
        "b/._one.json": "mac",
        ".hidden": "no",
        ".git/config.json": record("never"),
        "LICENSE": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "d.gz").write_bytes(gzip.compress(record("d").encode()))
    return tmp_path


def told(results: list[SourcedPaper | SourcedUnread], root: Path) -> list[tuple[str, str]]:
    """Say of each result where it came from (below root) and what it is."""
    return [
        (
            one.source.removeprefix(f"{root.as_posix()}/"),
            f"{one.paper.title}:{one.line}"
            if isinstance(one, SourcedPaper)
            else f"{one.unread.code}:{one.unread.line}",
        )
        for one in results
    ]


IN_ORDER = [
    ("LICENSE", "empty_input:None"),
    ("a.json", "a:1"),
    ("b/deep/two.json", "b2:1"),
    ("b/one.json", "b1:1"),
    ("c.jsonl", "c1:1"),
    ("c.jsonl", "bad_json:3"),
    ("c.jsonl", "c2:4"),
    ("d.gz", "d:1"),
]


def test_folder_is_walked_in_sorted_order_without_hidden_entries(folder: Path) -> None:
    assert told(list(iter_papers([folder])), folder) == IN_ORDER


def test_paths_may_be_strings_and_keep_the_form_they_were_given_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    sources = [one.source for one in iter_papers(["a.json", "./b", Path("b/../d.gz")])]
    assert sources == ["a.json", "b/deep/two.json", "b/one.json", "b/../d.gz"]


def test_a_hidden_file_named_outright_is_read(folder: Path) -> None:
    [one] = iter_papers([folder / ".git" / "config.json"])
    assert isinstance(one, SourcedPaper)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a.json", "a.json"], ["a.json"]),
        (["b", "b/one.json"], ["b/deep/two.json", "b/one.json"]),
        (["b/one.json", "b"], ["b/one.json", "b/deep/two.json"]),
        (["b/deep", "b"], ["b/deep/two.json", "b/one.json"]),
        (["b", "b/deep", "b/../b"], ["b/deep/two.json", "b/one.json"]),
        (["link.json", "a.json"], ["link.json"]),
    ],
    ids=["twice", "file-in-folder", "folder-of-file", "sub-folder", "same-folder", "link"],
)
def test_a_file_reached_twice_is_read_once(
    folder: Path, given: list[str], expected: list[str]
) -> None:
    (folder / "link.json").symlink_to(folder / "a.json")
    results = list(iter_papers([folder / name for name in given]))
    assert [os.path.relpath(one.source, folder) for one in results] == expected


def test_links_that_lead_round_or_nowhere(folder: Path) -> None:
    (folder / "b" / "up").symlink_to(folder)
    (folder / "b" / "zdead").symlink_to(folder / "gone")
    results = told(list(iter_papers([folder / "b"])), folder)
    assert results == [
        ("b/deep/two.json", "b2:1"),
        ("b/one.json", "b1:1"),
        ("b/zdead", "unreadable_file:None"),
    ]


def test_what_would_block_is_left_out(folder: Path) -> None:
    os.mkfifo(folder / "b" / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "b" / "sock"))
        assert len(list(iter_papers([folder / "b"]))) == 2


def test_standard_input_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(f"{record('in')}\n".encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    results = told(list(iter_papers(["-", folder / "a.json", "-"])), folder)
    assert results == [("-", "in:1"), ("a.json", "a:1")]
    assert not stdin.closed


def test_an_unreadable_file_is_reported_and_the_rest_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_open = open

    def refusing_open(path: object, mode: str = "r", **more: object) -> object:
        if str(path).endswith("one.json"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, mode, **more)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", refusing_open)
    results = list(iter_papers([folder / "b"]))
    assert told(results, folder) == [
        ("b/deep/two.json", "b2:1"),
        ("b/one.json", "unreadable_file:None"),
    ]
    unread = results[1]
    assert isinstance(unread, SourcedUnread)
    assert unread.unread.code in INPUT_CODES
    assert "Permission denied" in unread.unread.detail


def test_a_fault_in_the_middle_of_a_file_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            if not data:
                raise OSError(5, "Input/output error")
            return data

    content = f"{record('good')}\n".encode() * 2
    monkeypatch.setattr("builtins.open", lambda *_, **__: Failing(content))
    codes = [one.unread.code for one in iter_papers([folder / "a.json"])
             if isinstance(one, SourcedUnread)]  # fmt: skip
    assert codes == ["unreadable_file"]


@pytest.mark.parametrize("name", ["gone.json", "gone/deep.json"])
def test_a_missing_path_is_named_before_anything_is_read(folder: Path, name: str) -> None:
    with pytest.raises(WrongUse, match=name):
        iter_papers([folder / "a.json", folder / name])
    with pytest.raises(WrongUse, match=name):
        fingerprint_inputs([folder / name])


def test_a_folder_without_files_and_no_path_at_all(tmp_path: Path) -> None:
    (tmp_path / "empty" / "more").mkdir(parents=True)
    (tmp_path / "empty" / ".hidden").write_text("x", encoding="utf-8")
    with pytest.raises(WrongUse, match="no files"):
        iter_papers([tmp_path / "empty"])
    with pytest.raises(WrongUse, match="no input"):
        iter_papers([])


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names of any bytes")
def test_a_name_that_is_no_unicode_is_still_printable(tmp_path: Path) -> None:
    odd = os.fsdecode(os.path.join(os.fsencode(tmp_path), b"bad\xff.json"))
    Path(odd).write_text(record("odd"), encoding="utf-8")
    [one] = iter_papers([tmp_path])
    assert isinstance(one, SourcedPaper)
    assert one.source.encode().endswith("bad\ufffd.json".encode())
    assert len(fingerprint_inputs([tmp_path])) == 64


def test_fingerprint_depends_on_the_order_and_not_on_the_place(
    folder: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "elsewhere" / "papers"
    moved.parent.mkdir()
    (folder / "b").rename(moved)
    first = fingerprint_inputs([moved, folder / "a.json"])
    assert first != fingerprint_inputs([folder / "a.json", moved])
    moved.rename(folder / "b")
    assert first == fingerprint_inputs([folder / "b", folder / "a.json"])


@pytest.mark.parametrize("change", ["content", "name", "more", "less"])
def test_fingerprint_tells_every_change(folder: Path, change: str) -> None:
    before = fingerprint_inputs([folder])
    if change == "content":
        (folder / "a.json").write_text(record("A"), encoding="utf-8")
    elif change == "name":
        (folder / "a.json").rename(folder / "aa.json")
    elif change == "more":
        (folder / "new.json").write_text("", encoding="utf-8")
    else:
        (folder / "a.json").unlink()
    after = fingerprint_inputs([folder])
    assert len(after) == 64
    assert after != before
