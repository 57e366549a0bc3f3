"""The stored calls of an earlier run, as the replay backend reads them."""

from __future__ import annotations

import os
from pathlib import Path

from generator.errors import WrongUse
from generator.run_directory import RunDirectory
from generator.store import RunStore
from generator.values import Capabilities, Completion


class StoredCalls:
    """Looks calls up by what was asked, whoever answered."""

    def __init__(self, store: RunStore, capabilities: Capabilities | None) -> None:
        self._store = store
        self._capabilities = capabilities

    @property
    def capabilities(self) -> Capabilities | None:
        """What the run's backends declared, where all its roles agree."""
        return self._capabilities

    def lookup(self, request_hash: str) -> Completion | None:
        call = self._store.find_call_by_request(request_hash)
        return None if call is None else call.completion

    def close(self) -> None:
        self._store.close()


def open_stored_calls(name: str) -> StoredCalls:
    """Open the run directory `name` for reading. Raises `WrongUse` when it is none."""
    directory = RunDirectory(Path(name))
    if not os.path.isdir(directory.path):
        raise WrongUse(f"replay:{name}: there is no such run directory")
    manifest = directory.read_manifest()
    declared = [about.get("capabilities") for about in manifest["roles"].values()]
    same = declared[0] if declared and all(d == declared[0] for d in declared) else None
    return StoredCalls(
        RunStore(directory.store, create=False, writable=False),
        None if same is None else capabilities_from(same),
    )


def capabilities_to_plain(capabilities: Capabilities) -> dict[str, object]:
    """Capabilities as the manifest holds them."""
    return {
        "prompt_forms": sorted(capabilities.prompt_forms),
        "constraints": sorted(capabilities.constraints),
        "follows_instructions": capabilities.follows_instructions,
        "context_tokens": capabilities.context_tokens,
    }


def capabilities_from(plain: dict[str, object]) -> Capabilities:
    """The capabilities that `capabilities_to_plain` wrote."""
    values: dict[str, object] = dict(plain)
    for name in ("prompt_forms", "constraints"):
        values[name] = frozenset(values[name])  # type: ignore[call-overload]
    return Capabilities(**values)  # type: ignore[arg-type]
