"""How long a server asks to be left alone, from its response headers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from types import MappingProxyType

_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNIT_S = MappingProxyType({"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0})


def retry_after_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds to wait after a 429, whatever their length, or None when the server does not say.

    `headers` have lower-case names, `now_s` is the time as seconds since the
    epoch (for an HTTP date). What the server asks for comes first, then the
    `x-ratelimit-reset-*` of the limit that is used up.
    """
    asked_s = asked_wait_s(headers, now_s)
    return _reset_s(headers) if asked_s is None else asked_s


def asked_wait_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds by `retry-after-ms`, else `retry-after` (seconds or an HTTP date), else None."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000.0
    retry_after = headers.get("retry-after")
    if retry_after is None:
        return None
    seconds = _number(retry_after)
    return _until(retry_after, now_s) if seconds is None else seconds


def _number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _until(text: str, now_s: float) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
        # RFC 9110: an HTTP date is in GMT, also where it does not say so.
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - now_s)
    except (ValueError, OverflowError):
        return None


def _reset_s(headers: Mapping[str, str]) -> float | None:
    """The latest reset among the limits with nothing left; else the earliest of all."""
    used_up: list[float] = []
    others: list[float] = []
    for what in ("requests", "tokens"):
        seconds = _span_s(headers.get(f"x-ratelimit-reset-{what}", ""))
        if seconds is not None:
            left = _number(headers.get(f"x-ratelimit-remaining-{what}"))
            (used_up if left == 0.0 else others).append(seconds)
    if used_up:
        return max(used_up)
    return min(others, default=None)


def _span_s(text: str) -> float | None:
    """`6m0s`, `1h2m3.5s`, `120ms` or plain seconds."""
    text = text.strip()
    parts = _SPAN.findall(text)
    if parts and "".join(number + unit for number, unit in parts) == text:
        return math.fsum(float(number) * _UNIT_S[unit] for number, unit in parts)
    return _number(text)
