"""Edits of a text as values: a text that is edited in rounds, and what became of it in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parsers.citations.model import Change


class Edit(NamedTuple):
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


class _Piece(NamedTuple):
    """A stretch of the first text, kept (`new` is None) or standing as `new`."""

    start: int
    end: int
    new: str | None

    @property
    def length(self) -> int:
        return self.end - self.start if self.new is None else len(self.new)


class EditedText:
    """A text, edited in rounds. Each round's edits are in order and do not overlap."""

    def __init__(self, text: str) -> None:
        self._first = text
        self.text = text
        """The text after the rounds so far."""
        self._pieces = [_Piece(0, len(text), None)]

    def apply(self, edits: Sequence[Edit]) -> None:
        """One round; positions are those of `text` as it is now. Linear in pieces and edits."""
        parts: list[str] = []
        position = 0
        for edit in edits:
            parts += (self.text[position : edit.start], edit.new)
            position = edit.end
        parts.append(self.text[position:])
        self._pieces = _edited(self._pieces, edits)
        self.text = "".join(parts)

    def changes(self) -> tuple[Change, ...]:
        """What differs from the first text, each change cut down to what differs."""
        found: list[Change] = []
        new_position = 0
        at = 0
        pieces = self._pieces
        while at < len(pieces):
            piece = pieces[at]
            at += 1
            if piece.new is None:
                new_position += piece.length
                continue
            end, after = piece.end, piece.new
            while at < len(pieces) and (following := pieces[at].new) is not None:
                end, after = pieces[at].end, after + following
                at += 1
            before = self._first[piece.start : end]
            if before != after:
                head = _same_head(before, after)
                tail = _same_head(before[head:][::-1], after[head:][::-1])
                found.append(
                    Change(
                        (piece.start + head, end - tail),
                        (new_position + head, new_position + len(after) - tail),
                        before[head : len(before) - tail],
                        after[head : len(after) - tail],
                    )
                )
            new_position += len(after)
        return tuple(found)


def _edited(pieces: Sequence[_Piece], edits: Sequence[Edit]) -> list[_Piece]:
    result: list[_Piece] = []
    waiting = list(reversed(pieces))
    position = 0  # in the text before this round

    def take(until: int) -> list[_Piece]:
        """The pieces up to a position, the last one split where it goes on."""
        nonlocal position
        taken: list[_Piece] = []
        while position < until:
            piece = waiting.pop()
            rest = until - position
            if piece.length > rest:
                piece, later = _split(piece, rest)
                waiting.append(later)
            taken.append(piece)
            position += piece.length
        return taken

    for edit in edits:
        result += take(edit.start)
        start = result[-1].end if result else 0
        covered = take(edit.end)
        result.append(_Piece(start, covered[-1].end if covered else start, edit.new))
    return result + list(reversed(waiting))


def _split(piece: _Piece, length: int) -> tuple[_Piece, _Piece]:
    if piece.new is None:
        middle = piece.start + length
        return _Piece(piece.start, middle, None), _Piece(middle, piece.end, None)
    # Of a replaced stretch nobody can tell which half came from where: the first half has it all.
    return (
        _Piece(piece.start, piece.end, piece.new[:length]),
        _Piece(piece.end, piece.end, piece.new[length:]),
    )


def _same_head(left: str, right: str) -> int:
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length
