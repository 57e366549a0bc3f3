"""Where there is no browser, the tests of the pages are skipped with a line, or fail where they
must run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TEST = Path(__file__).with_name("test_hostile_text.py")
NAME = "test_a_name_that_was_pointed_here_is_refused_to_the_browser"


@pytest.mark.parametrize(
    ("wanted", "code", "told"),
    [
        (
            "",
            0,
            "pages are not tested in a browser: none is installed (Debian's package: chromium)",
        ),
        ("required", 1, "the pages must be tested in a browser here, and none is installed"),
    ],
    ids=["skipped", "required"],
)
def test_without_a_browser_pages_are_skipped_unless_they_must_be_tested(
    tmp_path: Path, wanted: str, code: int, told: str
) -> None:
    environ = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{TEST}::{NAME}"],
        env={**environ, "PATH": str(tmp_path), "DIALOGSMITH_BROWSER": wanted},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == code, ended.stdout
    assert told in " ".join(ended.stdout.split())
