"""Input paths to papers: the edge where files, folders and standard input are read."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, TypeVar

from parsers.papers import LocatedPaper, Paper, Unread, read_located_papers

from .errors import WrongUse

__all__ = [
    "INPUT_CODES",
    "InputFile",
    "SourcedPaper",
    "SourcedUnread",
    "input_files",
    "iter_papers",
    "read_inputs",
]

Read = TypeVar("Read")

STDIN = "-"

INPUT_CODES: Mapping[str, str] = MappingProxyType(
    {"unreadable_file": "The file or folder cannot be opened or read."}
)
"""What may go wrong before a reader sees a byte; beside `parsers.papers.READ_CODES`."""

RUN_RECORDS = "dialogues.jsonl"
"""The file of a run directory that is read when the directory itself is an input."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class SourcedPaper:
    """A paper and where it came from: the path as given, and the line its record began on.

    `source` has forward slashes on every system and is always valid Unicode;
    `line` is 1-based, None where the paper is the whole file.
    """

    paper: Paper
    source: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class SourcedUnread:
    """A record that gave no paper, and where it stood; the line is `unread.line`."""

    unread: Unread
    source: str


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read: `path` to open, `name` relative to the input it was found through."""

    path: str
    name: str
    fault: str | None = None

    @property
    def source(self) -> str:
        return _printable(Path(self.path).as_posix())


def iter_papers(
    paths: Sequence[Path | str], *, begin: tuple[str, int | None] | None = None
) -> Iterator[SourcedPaper | SourcedUnread]:
    """Read every paper the paths give, in a fixed order, holding one at a time.

    A path is a file, a folder (walked in sorted order, hidden entries left out,
    every other file tried) or `-` for standard input. A file that is reached
    twice is read once. `begin` is the source and the line of a record; what comes before
    it is passed over.

    Raises:
        WrongUse: at once, before anything is read, when there is no path, or one
            does not exist or is a folder without files.
    """
    first_lines = [1 if begin is None else begin[1] or 1]

    def read(stream: BinaryIO, name: str) -> Iterator[LocatedPaper | Unread]:
        first_line = first_lines.pop() if first_lines else 1
        return read_located_papers(stream, name=name, first_line=first_line)

    found = read_inputs(paths, read, begin=None if begin is None else begin[0])
    return (_sourced(met, source) for met, source in found)


def read_inputs(
    paths: Sequence[Path | str],
    read: Callable[[BinaryIO, str], Iterator[Read]],
    *,
    begin: str | None = None,
) -> Iterator[tuple[Read | Unread, str]]:
    """Give what `read(stream, file name)` finds in every file, each with the file's path.

    Files come in a fixed order, one open at a time. One that cannot be read gives
    an `Unread`. Raises `WrongUse` as `iter_papers` does.
    """
    files = input_files(paths)
    if begin is not None:
        files = _from(begin, files)
    return (result for file in files for result in _read_file(file, read))


def _sourced(met: LocatedPaper | Unread, source: str) -> SourcedPaper | SourcedUnread:
    if isinstance(met, Unread):
        return SourcedUnread(met, source)
    return SourcedPaper(met.paper, source, met.line)


def input_files(paths: Sequence[Path | str]) -> Iterator[InputFile]:
    """Give the files that the paths hold, in the order in which they are read.

    Raises `WrongUse` as `iter_papers` does.
    """
    return _files(_checked(paths))


def _checked(paths: Sequence[Path | str]) -> list[str]:
    if not paths:
        raise WrongUse("no input given: name a file, a folder, or - for standard input")
    given = [os.fspath(path) for path in paths]
    for path in given:
        if path == STDIN:
            continue
        if not os.path.exists(path):
            raise WrongUse(f"input {_printable(path)!r} does not exist: check the path")
        if os.path.isdir(path):
            first = next(_walk(path, "", frozenset()), None)
            if first is None:
                raise WrongUse(f"input folder {_printable(path)!r} has no files in it")
            if first.fault is not None and first.path == path:
                raise WrongUse(f"input folder {_printable(path)!r}: {first.fault}")
    return given


def _from(source: str, files: Iterator[InputFile]) -> Iterator[InputFile]:
    for file in files:
        if file.source == source:
            yield file
            yield from files
            return
    raise WrongUse(f"{source} is no longer among the inputs")


def _files(given: Sequence[str]) -> Iterator[InputFile]:
    """Give the files of all inputs; what an earlier input covers is left out."""
    earlier: set[str] = set()
    for path in given:
        real = path if path == STDIN else os.path.realpath(path)
        if real in earlier or not earlier.isdisjoint(map(str, Path(real).parents)):
            continue
        if path != STDIN and os.path.isdir(path):
            if _is_run_directory(path):
                # Of an earlier run its records alone are input; its other files change.
                yield InputFile(os.path.join(path, RUN_RECORDS), RUN_RECORDS)
            else:
                yield from _walk(path, "", frozenset(earlier))
        else:
            yield InputFile(path, os.path.basename(path))
        earlier.add(real)


def _walk(folder: str, prefix: str, done: frozenset[str]) -> Iterator[InputFile]:
    """Walk in sorted order; links to folders are not followed, so there are no loops."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield InputFile(folder, prefix, fault=_said(error))
        return
    for entry in found:
        if entry.name.startswith(".") or (done and os.path.realpath(entry.path) in done):
            continue
        name = f"{prefix}/{entry.name}" if prefix else entry.name
        if entry.is_dir(follow_symlinks=False):
            if _is_run_directory(entry.path):
                continue
            yield from _walk(entry.path, name, done)
        elif not entry.is_dir() and not _is_special(entry):
            yield InputFile(entry.path, name)


def _is_run_directory(path: str) -> bool:
    """A run may be written below its own inputs; its files are no papers."""
    return all(os.path.exists(os.path.join(path, n)) for n in ("manifest.json", "store.sqlite"))


def is_stream(path: str) -> bool:
    """Tell what can be read only once: standard input, a pipe, a process substitution."""
    if path == STDIN:
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def spool_streams(paths: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Copy what can be read only once into `folder`; gives the paths with the copies in place."""
    spooled = []
    for number, path in enumerate(paths):
        if not is_stream(path):
            spooled.append(path)
            continue
        folder.mkdir(parents=True, exist_ok=True)
        name = "standard-input" if path == STDIN else f"stream-{number}"
        with _opened(path) as source, (folder / name).open("wb") as copy:
            shutil.copyfileobj(source, copy, _BLOCK)
        spooled.append((folder / name).as_posix())
    return tuple(spooled)


def _is_special(entry: os.DirEntry[str]) -> bool:
    """Tell pipes, sockets and devices, which would block; a dead link is kept, and reported."""
    try:
        return not stat.S_ISREG(entry.stat().st_mode)
    except OSError:
        return False


def _read_file(
    file: InputFile, read: Callable[[BinaryIO, str], Iterator[Read]]
) -> Iterator[tuple[Read | Unread, str]]:
    source = file.source
    if file.fault is not None:
        yield Unread("unreadable_file", file.fault), source
        return
    name = "standard input" if file.path == STDIN else _printable(os.path.basename(file.path))
    try:
        with _opened(file.path) as stream:
            for found in read(stream, name):
                yield found, source
    except OSError as error:
        yield Unread("unreadable_file", _said(error)), source


def _opened(path: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if path == STDIN else open(path, "rb")


def _said(error: OSError) -> str:
    return f"cannot be read: {error.strerror or type(error).__name__}"


def _printable(path: str) -> str:
    """Give a path as valid Unicode: bytes that are none become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")
