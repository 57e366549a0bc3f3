"""The views after a few verdicts changed: only the lines of these are made anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.calling.prices import load_prices
from generator.line_edits import LineEdit, copy_edited
from generator.run_directory import RunDirectory, disk_fault, replacing
from generator.shapes import dump_record
from generator.store import RunStore
from generator.views import (
    VIEWS,
    calls_of,
    provenance_of,
    rejected_line,
    views_stamp,
    write_views,
)

MOST_EDITS = 2_000
"""More changes than this, and the views are written whole."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A judged item whose lines are other ones now; `was_in` is whether it was in the corpus."""

    key: str
    seq: int
    was_in: bool


def views_are_true(directory: RunDirectory, store: RunStore) -> bool:
    """Whether the views lie there just as they were written for what the store held."""
    stamp = store.meta(VIEWS)
    return stamp is not None and stamp == views_stamp(directory)


def edit_views(
    directory: RunDirectory,
    store: RunStore,
    manifest: Mapping[str, Any],
    changed: Sequence[Changed],
) -> None:
    """Bring views that were true before `changed` up to date.

    Each file is replaced whole or not at all. What lies between the changed lines is copied.
    """
    if len(changed) > MOST_EDITS:
        write_views(directory, store, manifest)
        return
    edits = _edits(directory, store, manifest, sorted(changed, key=lambda one: one.seq))
    store.put_meta(VIEWS, None)
    try:
        with ExitStack() as stack:
            for path, lines in edits.items():
                if lines:
                    target = stack.enter_context(replacing(path))
                    copy_edited(path, target.buffer, lines)
    except OSError as error:
        raise disk_fault(directory.path, error) from None
    except ValueError:
        write_views(directory, store, manifest)
        return
    store.put_meta(VIEWS, views_stamp(directory))


def _edits(
    directory: RunDirectory,
    store: RunStore,
    manifest: Mapping[str, Any],
    changed: Sequence[Changed],
) -> dict[Path, list[LineEdit]]:
    """The edits of each view; a line's number is the one it had before the change."""
    prices = load_prices()
    edits: dict[Path, list[LineEdit]] = {path: [] for path in directory.views}
    entered = 0
    for one in changed:
        found = store.judged_item(one.key)
        if found is None:
            continue
        item, verdict = found
        inside, outside = store.accepted_before(one.seq)
        inside, outside = inside - entered, outside + entered
        calls = list(calls_of(store, verdict))
        origin = provenance_of(item, verdict, calls, manifest, prices)
        texts: dict[Path, str | None] = dict.fromkeys(directory.views)
        if verdict.in_corpus:
            texts[directory.dialogues] = dump_record(verdict.record)
            texts[directory.provenance] = dump_record(origin)
        else:
            texts[directory.rejected] = dump_record(rejected_line(item, verdict, calls, origin))
        for path, text in texts.items():
            was_here = one.was_in == (path != directory.rejected)
            if was_here or text is not None:
                number = outside if path == directory.rejected else inside
                edits[path].append(LineEdit(number, was_here, text))
        entered += int(verdict.in_corpus) - int(one.was_in)
    return edits
