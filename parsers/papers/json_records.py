"""Records out of JSON content: one document, several, a list, or one a line.

A file of lines is read line by line, so that memory does not grow with it; a
document over several lines is loaded whole.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .content import Line
from .model import Unread

_BLANK = re.compile(r"[ \t\n\r]*")
_OPENERS = frozenset({b"[", b"{", b"[{"})
_LOOKED_AT = 8
_LONGEST_INT_DIGITS = 4000


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value and where it stood: the line it began on, and its place in a list there."""

    value: Any
    line: int
    item: int | None = None


def _tolerant_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT_DIGITS else float("inf")


_DECODER = json.JSONDecoder(strict=False)
_TOLERANT = json.JSONDecoder(strict=False, parse_int=_tolerant_int)


def records(lines: Iterable[Line], limit: int, first_line: int = 1) -> Iterator[Record | Unread]:
    """Give the records of JSON content in order, and an `Unread` for each bad one.

    Args:
        lines: the content, as `Content.lines` gives it.
        limit: bytes a document over several lines may have.
        first_line: what begins on an earlier line is left out.
    """
    rest = iter(lines)
    seen: list[Line] = []
    for line in rest:
        if not line.data.strip() and not line.overlong:
            continue
        seen.append(line)
        opens_document = len(seen) == 1 and line.data.strip() in _OPENERS
        if not opens_document and (line.overlong or _is_record(line.data, first=len(seen) == 1)):
            whole = itertools.chain(seen, rest)
            yield from _by_line(itertools.dropwhile(lambda one: one.number < first_line, whole))
            return
        if opens_document or len(seen) == _LOOKED_AT:
            break
    for found in _whole(seen, rest, limit):
        if found.line is None or found.line >= first_line:
            yield found


def _is_record(data: bytes, *, first: bool) -> bool:
    """Tell whether a line is a record; a later one could also be a line of a larger document."""
    try:
        value = _parse(data.decode())
    except (ValueError, RecursionError):
        return False
    return isinstance(value, (dict, list)) if first else _has_keys(value)


def _parse(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # An integer longer than the interpreter converts.
        return _TOLERANT.decode(text)


def _by_line(lines: Iterable[Line]) -> Iterator[Record | Unread]:
    for line in lines:
        if line.overlong:
            yield Unread("too_large", "the line is larger than one record may be", line.number)
        elif line.data.strip():
            yield from _one_line(line)


def _one_line(line: Line) -> Iterator[Record | Unread]:
    try:
        value = _parse(line.data.decode())
    except UnicodeDecodeError as error:
        if line.ended:
            detail = f"byte {error.start + 1} of the line is not valid UTF-8"
            yield Unread("bad_encoding", detail, line.number)
        else:
            yield _torn(line.number)
    except json.JSONDecodeError as error:
        if line.ended:
            yield Unread("bad_json", f"not valid JSON at character {error.colno}", line.number)
        else:
            yield _torn(line.number)
    except RecursionError:
        yield _too_deep(line.number)
    else:
        yield from _spread(value, line.number)


def _torn(line: int) -> Unread:
    return Unread("torn_line", "the last record breaks off: the file was cut", line)


def _too_deep(line: int) -> Unread:
    return Unread("too_deep", "the JSON is nested too deep to be a paper", line)


def _spread(value: Any, line: int) -> Iterator[Record | Unread]:
    if value == []:
        yield Unread("empty_input", "an empty list", line)
    elif isinstance(value, list):
        for item, member in enumerate(value, start=1):
            yield Record(member, line, item)
    else:
        yield Record(value, line)


def _whole(seen: list[Line], rest: Iterator[Line], limit: int) -> Iterator[Record | Unread]:
    """Read documents that span lines; when none can be read, try the lines on their own."""
    held: list[Line] = []
    length = 0
    for line in itertools.chain(seen, rest):
        held.append(line)
        length += len(line.data) + 1
        if line.overlong or length > limit:
            yield Unread("too_large", "the document is larger than one record may be", 1)
            return
    if not held:
        return
    found = list(_documents(held))
    if isinstance(found[0], Record) or found[0].code == "empty_input":
        yield from found
        return
    by_line = list(_by_line(held))
    if any(isinstance(one, Record) and _has_keys(one.value) for one in by_line):
        yield from by_line
    else:
        yield from found


def _has_keys(value: Any) -> bool:
    return isinstance(value, dict) and len(value) > 1


def _documents(lines: list[Line]) -> Iterator[Record | Unread]:
    numbers = [line.number for line in lines]
    data = b"\n".join(line.data for line in lines)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = numbers[data.count(b"\n", 0, error.start)]
        yield Unread("bad_encoding", "the line is not valid UTF-8", line)
        return
    newlines = 0
    counted = 0
    at = _after_blank(text, 0)
    while at < len(text):
        newlines += text.count("\n", counted, at)
        counted = at
        try:
            value, at = _decode_from(text, at)
        except json.JSONDecodeError as error:
            yield _document_fault(text, error, numbers)
            return
        except RecursionError:
            yield _too_deep(numbers[newlines])
            return
        yield from _spread(value, numbers[newlines])
        at = _after_blank(text, at)


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _decode_from(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _TOLERANT.raw_decode(text, at)


def _document_fault(text: str, error: json.JSONDecodeError, numbers: list[int]) -> Unread:
    if text.rstrip()[-1:] not in {"}", "]"}:
        return Unread("torn_line", "the document breaks off: the file was cut", numbers[-1])
    line = numbers[error.lineno - 1]
    return Unread("bad_json", f"not valid JSON at character {error.colno} of the line", line)
