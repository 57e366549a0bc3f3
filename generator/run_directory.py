"""The files of one run, and the manifest that says which run it is."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from generator.errors import SettingsDiffer, StoreFault, WrongUse

MANIFEST_VERSION = 1

_NO_DIRECTORY = frozenset((errno.EEXIST, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP))
"""What the system says of a path that never can be a directory."""


class RunDirectory:
    """Names and writes the files of one run directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def manifest(self) -> Path:
        return self.path / "manifest.json"

    @property
    def store(self) -> Path:
        return self.path / "store.sqlite"

    @property
    def dialogues(self) -> Path:
        return self.path / "dialogues.jsonl"

    @property
    def rejected(self) -> Path:
        return self.path / "rejected.jsonl"

    @property
    def provenance(self) -> Path:
        return self.path / "provenance.jsonl"

    @property
    def timings(self) -> Path:
        return self.path / "timings.jsonl"

    @property
    def skipped(self) -> Path:
        return self.path / "skipped.jsonl"

    @property
    def views(self) -> tuple[Path, ...]:
        """The files that hold judged samples, line by line."""
        return self.dialogues, self.provenance, self.rejected

    @property
    def inputs(self) -> Path:
        """A folder with copies of what could be read only once."""
        return self.path / "inputs"

    @property
    def new_inputs(self) -> Path:
        return self.path / "inputs.new"

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    @property
    def has_run(self) -> bool:
        """Whether a run was begun here."""
        return os.path.exists(self.manifest)

    def create(self) -> None:
        """Make the directory. Raises `WrongUse` where it is none, or holds what is no run."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            strangers = [p.name for p in self.path.iterdir() if not _own_leftover(p.name)]
        except OSError as error:
            kind = WrongUse if error.errno in _NO_DIRECTORY else StoreFault
            raise kind(
                f"{self.path}: cannot be used as a run directory ({error.strerror}). "
                "Choose another --out, or check its permissions."
            ) from None
        if strangers and not self.store.exists() and not self.manifest.exists():
            raise WrongUse(
                f"{self.path} is not empty and no run of dialogsmith (it holds "
                f"{sorted(strangers)[0]!r}). Choose a new or empty directory for --out."
            )

    def read_manifest(self) -> dict[str, Any]:
        """The manifest, or `WrongUse` where this is no run directory."""
        try:
            value = json.loads(self.manifest.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise WrongUse(
                f"{self.path} is no run directory: it has no manifest.json. "
                "Give the directory that `dialogsmith generate --out` wrote."
            ) from None
        except OSError as error:
            if error.errno in _NO_DIRECTORY:
                raise WrongUse(
                    f"{self.path} is no run directory ({error.strerror}). "
                    "Give the directory that `dialogsmith generate --out` wrote."
                ) from None
            raise StoreFault(f"{self.manifest}: cannot be read ({error.strerror})") from None
        except ValueError as error:
            raise StoreFault(f"{self.manifest}: cannot be read ({error})") from None
        if not isinstance(value, dict) or value.get("manifest_version") != MANIFEST_VERSION:
            raise StoreFault(f"{self.manifest}: not a manifest this version understands")
        missing = {"settings", "roles", "recipe", "versions"} - value.keys()
        if missing:
            raise StoreFault(
                f"{self.manifest}: is damaged, it has no {min(missing)!r}. Restore it from a copy, "
                "or choose another --out."
            )
        return value

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        with replacing(self.manifest) as file:
            json.dump(manifest, file, ensure_ascii=False, indent=2, allow_nan=False)
            file.write("\n")


def _own_leftover(name: str) -> bool:
    """A lock, or a file that a killed run was still writing."""
    return name in (".lock", ".inspect.lock", "inputs.new") or (
        name.startswith(".") and name.endswith(".tmp")
    )


def disk_fault(path: Path, error: OSError) -> StoreFault:
    """A file that cannot be written, in words."""
    return StoreFault(
        f"{path}: cannot be written ({error.strerror}). The store is intact; free some space "
        "or fix the permissions, then run the same command again."
    )


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Write a file whole or not at all: temporary file, fsync, rename."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        try:
            file = temporary.open("w", encoding="utf-8", errors="replace", newline="\n")
        except OSError as error:
            raise disk_fault(path, error) from None
        with file:
            yield file
            try:
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise disk_fault(path, error) from None
        try:
            temporary.replace(path)
        except OSError as error:
            raise disk_fault(path, error) from None
    except StoreFault:
        raise
    except OSError as error:
        # Closing a file writes what is left in its buffer.
        raise disk_fault(path, error) from None
    finally:
        # What could not be written cannot always be removed; the first error says why.
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def check_same_settings(
    old: Mapping[str, Any], new: Mapping[str, Any], where: Path, *, larger_caps: bool = False
) -> None:
    """Raise `SettingsDiffer` naming every setting in which two manifests differ.

    With `larger_caps` the roles' `max_tokens` may be larger; `WrongUse` when none is.
    """
    before, after = flatten(old["settings"]), flatten(new["settings"])
    larger = {n for n in after if larger_caps and _is_larger_cap(n, before.get(n), after[n])}
    if larger_caps and not larger:
        caps = [f"{n.split('.')[1]}.max_tokens={before[n]}" for n in before if n.endswith(_CAP)]
        raise WrongUse(
            f"--retry-truncated: with the caps that {where} has ({', '.join(sorted(caps))}) the "
            "answers would be cut off again; give a larger --set ROLE.max_tokens=N"
        )
    names = tuple(
        sorted(
            n
            for n in before.keys() | after.keys()
            if before.get(n) != after.get(n) and n not in larger
        )
    )
    if not names:
        return
    lines = [f"  {n}: {_brief(before.get(n))} → {_brief(after.get(n))}" for n in names[:12]]
    more = f"\n  … and {len(names) - 12} more" if len(names) > 12 else ""
    raise SettingsDiffer(
        f"{where} holds a run made with other settings:\n"
        + "\n".join(lines)
        + more
        + "\nGive the same settings to resume it, another --out to start anew (add "
        f"--branch {where} to reuse its answers where the requests are the same), or use "
        "`dialogsmith refilter` to change only parser and filters.",
        names,
    )


_CAP = ".sampling.max_tokens"


def _is_larger_cap(name: str, before: Any, after: Any) -> bool:
    return name.endswith(_CAP) and before is not None and (after is None or after > before)


def flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    """Nested settings as dotted names."""
    if isinstance(value, Mapping):
        flat: dict[str, Any] = {}
        for name, inner in value.items():
            flat |= flatten(inner, f"{prefix}.{name}" if prefix else str(name))
        return flat
    return {prefix: list(value) if isinstance(value, tuple) else value}


def _brief(value: Any) -> str:
    text = "not set" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"
