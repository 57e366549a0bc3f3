"""How long a server asks to be left alone, from its response headers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import MappingProxyType

_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNIT_S = MappingProxyType({"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0})

_RESETS = ("x-ratelimit-reset", "ratelimit-reset")
_LONGEST_S = 366 * 86400.0
# 2001 in seconds, 1973 in milliseconds since the epoch: as a span, 31 years and more.
_EPOCH_FROM_S, _EPOCH_FROM_MS = 1e9, 1e11


def retry_after_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds to wait after a 429, whatever their length, or None when the server does not say.

    `headers` have lower-case names, `now_s` is the time as seconds since the
    epoch (for an HTTP date). What the server asks for comes first, then the reset
    header of the limit that is used up: `x-ratelimit-reset-requests` and its like,
    `x-ratelimit-reset` (Envoy, OpenRouter), `ratelimit-reset` (Kong).
    """
    asked_s = asked_wait_s(headers, now_s)
    return _reset_s(headers, now_s) if asked_s is None else asked_s


def asked_wait_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds by `retry-after-ms`, else `retry-after`, else None.

    `retry-after` is a number of seconds or an HTTP date; servers also send spans
    (`1m30s`), a moment as seconds or milliseconds since the epoch, and the header
    more than once, of which the longest counts. What would be longer than a year
    is no wait that anybody means.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return _meant(milliseconds / 1000.0)
    retry_after = headers.get("retry-after")
    return None if retry_after is None else _wait_s(retry_after, now_s)


def span_s(text: str) -> float | None:
    """`6m0s`, `1h2m3.5s`, `120ms` or plain seconds."""
    text = text.strip()
    parts = _SPAN.findall(text)
    if parts and "".join(number + unit for number, unit in parts) == text:
        return math.fsum(float(number) * _UNIT_S[unit] for number, unit in parts)
    return _number(text)


def _wait_s(text: str, now_s: float) -> float | None:
    seconds = span_s(text)
    if seconds is None:
        seconds = _until(text, now_s)
    elif seconds >= _EPOCH_FROM_S:
        moment_s = seconds / 1000.0 if seconds >= _EPOCH_FROM_MS else seconds
        seconds = max(0.0, moment_s - now_s)
    if seconds is None and "," in text:
        several = [_number(part) for part in text.split(",")]
        seconds = max((number for number in several if number is not None), default=None)
    return None if seconds is None else _meant(seconds)


def _meant(seconds: float) -> float | None:
    return seconds if seconds <= _LONGEST_S else None


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
        moment = _moment(text.strip())
        # RFC 9110: an HTTP date is in GMT, also where it does not say so.
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - now_s)
    except (ValueError, OverflowError):
        return None


def _moment(text: str) -> datetime:
    """An HTTP date, or ISO 8601 as reset headers have it. Raises `ValueError`."""
    return datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)


def _reset_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """The latest reset among the limits with nothing left; else the earliest of all."""
    used_up: list[float] = []
    others: list[float] = []
    for name, value in headers.items():
        if name.startswith(_RESETS):
            seconds = _wait_s(value, now_s)
            if seconds is not None:
                left = _number(headers.get(name.replace("reset", "remaining", 1)))
                (used_up if left == 0.0 else others).append(seconds)
    if used_up:
        return max(used_up)
    return min(others, default=None)
