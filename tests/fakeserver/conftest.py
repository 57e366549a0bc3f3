"""One running fake server for the tests that need no settings of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generator.fakeserver import FakeServer


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    with FakeServer() as server:
        yield server.base_url
