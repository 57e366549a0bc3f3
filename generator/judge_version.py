"""Which version of the parser and filters a run's verdicts come from.

Only verdicts of this very version may be carried over to other thresholds; those of another
are read anew.
"""

from __future__ import annotations

from importlib import metadata

from generator.store import RunStore

_JUDGED_BY = "judged_by"


def _this_version() -> str:
    return metadata.version("dialogsmith")


def note_judge(store: RunStore, *, all_anew: bool = False) -> None:
    """Note that this version judges from now on; `all_anew` says that it judged everything."""
    known, this = store.meta(_JUDGED_BY), _this_version()
    if all_anew or (known is None and not store.counts()["items"]):
        store.put_meta(_JUDGED_BY, this)
    elif known != this:
        store.put_meta(_JUDGED_BY, "several versions")


def judged_by_this_version(store: RunStore) -> bool:
    """Whether every verdict comes from the parser and filters that are installed."""
    return bool(store.meta(_JUDGED_BY) == _this_version())
