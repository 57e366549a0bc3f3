"""Fixtures: a finished run with every kind of fault, and the inspector over it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser, browsing
from mixed_run import make_run


@pytest.fixture(scope="session")
def mixed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of 150 items; it is not to be changed."""
    return make_run(tmp_path_factory.mktemp("mixed"), 150)


@pytest.fixture(scope="session")
def page(mixed_run: Path) -> Iterator[Browser]:
    """The inspector over `mixed_run`, for tests that only look."""
    with browsing(mixed_run) as browser:
        yield browser


@pytest.fixture
def own_run(mixed_run: Path, tmp_path: Path) -> Path:
    """A copy of `mixed_run` that a test may change."""
    copy = tmp_path / "run"
    shutil.copytree(mixed_run, copy, ignore=shutil.ignore_patterns("inspect.sqlite*", ".inspect*"))
    return copy
