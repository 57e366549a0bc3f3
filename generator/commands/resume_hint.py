"""The command that goes on with a run, so that it can be copied into a shell as it stands."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

_NAME = "dialogsmith"


def resume_command(argv: Sequence[str], out: Path) -> str:
    """What was typed, quoted for a shell; `argv` begins with the program's path.

    Standard input, which is gone, is replaced by the copy that the run keeps of it.
    """
    words = [_program(argv[0]), *argv[1:]]
    text = " ".join(_quoted(word) for word in words)
    copy = out / "inputs" / "standard-input"
    if "-" in argv[1:] and copy.is_file():
        text += f" < {_quoted(str(copy))}"
    return text


def _program(path: str) -> str:
    """The program's name where that finds it again, else the path it was started by."""
    found = shutil.which(_NAME)
    if os.path.basename(path) != _NAME:  # started as a module
        return _NAME
    same = found is not None and os.path.exists(path) and os.path.samefile(found, path)
    return _NAME if same else path


def _quoted(word: str) -> str:
    """A word as a POSIX shell reads it; in bytes (`$'\\377'`) where it is no printable text."""
    if word.isprintable():
        return shlex.quote(word)
    quoted = "".join(_escaped(byte) for byte in os.fsencode(word))
    return f"$'{quoted}'"


def _escaped(byte: int) -> str:
    character = chr(byte)
    if character in "'\\":
        return "\\" + character
    return character if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
