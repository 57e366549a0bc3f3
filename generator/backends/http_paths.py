"""Which HTTP path a server is reached by: the fast one where it is plain, else the SDK's."""

from __future__ import annotations

import importlib.util
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from generator.backends.http_seam import HttpClient
from generator.backends.openai_access import Access


def make_http(
    access: Access,
    *,
    concurrency: int,
    timeout_s: float,
    sdk: bool = False,
    transport: Callable[[], Any] | None = None,
) -> HttpClient:
    """The client for one server; nothing is sent yet.

    `sdk` forces the SDK's path, and so does `transport`, which replaces the
    network under it. The SDK and httptools are imported only where they are used.
    """
    if sdk or transport is not None or not is_plain(access) or not _fast_path_installed():
        from generator.backends.openai_http import OpenAIHttp

        return OpenAIHttp(access, concurrency=concurrency, timeout_s=timeout_s, transport=transport)
    from generator.backends.lean_http import LeanHttp

    return LeanHttp(access, concurrency=concurrency, timeout_s=timeout_s)


def is_plain(access: Access) -> bool:
    """Whether a server wants nothing that only the SDK can do.

    Azure's addresses and tokens, OPENAI_CUSTOM_HEADERS and the proxies of the
    environment are the SDK's.
    """
    return access.azure_version is None and not access.custom_headers and not has_a_proxy(access)


def has_a_proxy(access: Access) -> bool:
    """Whether the environment names a proxy for this server."""
    if access.loopback:
        return False
    parts = urlsplit(access.base_url)
    proxies = urllib.request.getproxies()
    through = proxies.get(parts.scheme) or proxies.get("all")
    return bool(through) and not urllib.request.proxy_bypass(parts.netloc)


def _fast_path_installed() -> bool:
    return importlib.util.find_spec("httptools") is not None
