"""A real browser for the pages: the system's Chromium, driven headless.

Where there is none these tests are skipped with one line, unless
DIALOGSMITH_BROWSER=required says that they must run.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mixed_run import make_run
from served_run import PATIENCE_S, Served, inspected
from watched_pages import WIDE, Scheme, WatchedContext

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ITEMS = 2000
"""Samples of the run that the pages are driven over."""

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name of another site that is made to point at this machine.
    "--host-resolver-rules=MAP rebound.example 127.0.0.1",
)


def _missing(why: str) -> None:
    if os.environ.get("DIALOGSMITH_BROWSER") == "required":
        pytest.fail(f"the pages must be tested in a browser here, and {why}")
    pytest.skip(f"pages are not tested in a browser: {why}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser, one for a file: while its driver lives, an event loop runs in this thread, and
    tests of other files could not run one of their own."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        _missing("none is installed (Debian's package: chromium)")
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        _missing("the package playwright is not installed")
    assert found is not None
    expect.set_options(timeout=PATIENCE_S * 1000)
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=Path(found), args=list(_FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of `ITEMS` items with every kind of fault, made once; it is not to be changed."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / "mixed"
    folder.mkdir(exist_ok=True)
    with (folder / ".making").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "mixed-run" / "dialogues.jsonl").exists():
            make_run(folder, ITEMS, name="mixed-run", bare_names=True)
    return folder / "mixed-run"


@pytest.fixture(scope="session")
def site(mixed: Path) -> Iterator[Served]:
    """The inspector over the run of `mixed`, wholly indexed."""
    with inspected(mixed) as served:
        served.wait_until_indexed(ITEMS)
        yield served


@pytest.fixture(scope="module")
def profiles(browser: Browser) -> Iterator[dict[object, WatchedContext]]:
    """The browser profiles of a test file: opening a window for each test would take longer than
    most tests."""
    contexts: dict[object, WatchedContext] = {}
    yield contexts
    for watched in contexts.values():
        watched.context.close()


@pytest.fixture
def opened(
    browser: Browser, profiles: dict[object, WatchedContext]
) -> Iterator[Callable[..., WatchedContext]]:
    """Opens watched profiles; at the end of a test none of them may have seen any trouble."""
    used: list[WatchedContext] = []

    def opened(
        base: str | None, *, width: int = WIDE, height: int = 900, scheme: Scheme = "light",
        **options: Any,
    ) -> WatchedContext:  # fmt: skip
        key = (base, *sorted(options.items()))
        if key not in profiles:
            profiles[key] = WatchedContext(browser, base, reduced_motion="reduce", **options)
        watched = profiles[key]
        watched.page().set_viewport_size({"width": width, "height": height})
        watched.page().emulate_media(color_scheme=scheme)
        used.append(watched)
        return watched

    yield opened
    assert [trouble for watched in used for trouble in watched.take_back()] == []


@pytest.fixture
def page(site: Served, opened: Callable[..., WatchedContext]) -> Page:
    """A page at 1280 pixels over the run of `mixed`."""
    return opened(site.url).page()
