"""A real browser for the pages: the system's Chromium, driven headless.

Where there is none these tests are skipped with one line, unless
DIALOGSMITH_BROWSER=required says that they must run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _missing(why: str) -> None:
    if os.environ.get("DIALOGSMITH_BROWSER") == "required":
        pytest.fail(f"the pages must be tested in a browser here, and {why}")
    pytest.skip(f"pages are not tested in a browser: {why}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser, one for the whole session."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        _missing("none is installed (Debian's package: chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("the package playwright is not installed")
    assert found is not None
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=Path(found), args=list(_FLAGS))
        yield browser
        browser.close()
