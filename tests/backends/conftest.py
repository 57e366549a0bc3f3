"""Every test of an OpenAI call runs twice: over the fast HTTP path, and over the SDK's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import loopback_server
import pytest


@pytest.fixture(params=["fast", "sdk"])
def http_path(request: pytest.FixtureRequest) -> str:
    path: str = request.param
    return path


@pytest.fixture
def openai_kind(http_path: str) -> str:
    """The backend name of chat models for the path."""
    return loopback_server.kind_over(http_path, "openai")


@pytest.fixture
def ask(http_path: str) -> Callable[..., loopback_server.Outcome]:
    return partial(loopback_server.ask, http_path=http_path)


@pytest.fixture
def backend_at(http_path: str) -> Callable[..., Any]:
    return partial(loopback_server.backend_at, http_path=http_path)
