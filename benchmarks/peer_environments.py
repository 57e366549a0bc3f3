"""Environments of the peers: made on demand, one for each set of requirements, kept in a cache."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

INSTALL_TIMEOUT_S = 1800
_READY = "requirements.json"
_VERSIONS = """
import json, re, sys
from importlib import metadata
names = [re.match(r"[\\w.-]+", wanted)[0] for wanted in sys.argv[1:]]
print(json.dumps({name: metadata.version(name) for name in names}))
"""


@dataclass(frozen=True)
class Environment:
    """An interpreter, and the versions of what was asked for; or the reason why there is none."""

    python: Path
    versions: dict[str, str]
    absent: str = ""


def environment(requirements: tuple[str, ...], folder: Path, *, install: bool) -> Environment:
    """The environment of these requirements under `folder`, made now where it is not there yet.

    Without requirements it is the one that runs this. What cannot be installed is told as a
    reason, never raised: the comparison goes on and names it.
    """
    if not requirements:
        return Environment(Path(sys.executable), _versions(Path(sys.executable), ("dialogsmith",)))
    home = folder / _name(requirements)
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not _is_ready(home, requirements):
        if not install:
            return Environment(python, {}, "not installed, and installing was not allowed")
        print(f"installing {', '.join(requirements)} into {home}", flush=True)
        fault = _make(home, python, requirements)
        if fault:
            return Environment(python, {}, f"could not be installed: {fault}")
    return Environment(python, _versions(python, requirements))


def _name(requirements: tuple[str, ...]) -> str:
    """A folder of its own for each set, readable as far as that goes."""
    said = requirements[0].split("=")[0].split("[")[0]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    digest = hashlib.sha256(" ".join(requirements).encode()).hexdigest()[:8]
    return f"{said}-py{version}-{digest}"


def _is_ready(home: Path, requirements: tuple[str, ...]) -> bool:
    try:
        return bool(json.loads((home / _READY).read_text()) == list(requirements))
    except (OSError, ValueError):
        return False


def _make(home: Path, python: Path, requirements: tuple[str, ...]) -> str:
    """Makes it anew; gives the reason where that fails, else an empty string."""
    shutil.rmtree(home, ignore_errors=True)
    commands = (
        [sys.executable, "-m", "venv", str(home)],
        [str(python), "-m", "pip", "install", "--quiet", *requirements],
    )
    for command in commands:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return f"not done after {INSTALL_TIMEOUT_S} s"
        except OSError as error:
            return str(error)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            return (lines or done.stderr.splitlines() or ["no message"])[-1][:200]
    (home / _READY).write_text(json.dumps(list(requirements)))
    return ""


def _versions(python: Path, requirements: tuple[str, ...]) -> dict[str, str]:
    done = subprocess.run(
        [str(python), "-c", _VERSIONS, *requirements], capture_output=True, text=True, check=True
    )
    versions: dict[str, str] = json.loads(done.stdout)
    return versions
