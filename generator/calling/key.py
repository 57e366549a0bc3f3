"""What makes two model calls the same call.

The hashes are taken over the *rendered* request: every message, every setting
that can change the answer, and nothing else. A setting of `None` (not sent) is
left out, so it differs from an explicit 0.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from generator.values import Request, Sampling

_VERSION = 1


def _sampling(sampling: Sampling) -> dict[str, Any]:
    named = {
        "temperature": None if sampling.temperature is None else float(sampling.temperature),
        "top_p": None if sampling.top_p is None else float(sampling.top_p),
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "stop": list(sampling.stop) or None,
        "extra": dict(sampling.extra) or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def _canonical(request: Request, sample: int, endpoint: str | None) -> bytes:
    """ASCII JSON with sorted keys: lone surrogates are escaped, so any text has a key."""
    value: dict[str, Any] = {
        "v": _VERSION,
        "sample": sample,
        "sampling": _sampling(request.sampling),
    }
    if endpoint is not None:
        value["endpoint"] = endpoint
    if request.prompt is not None:
        value["prompt"] = request.prompt
    else:
        value["messages"] = [[message.role, message.content] for message in request.messages]
    if request.constraint is not None:
        value["constraint"] = [request.constraint.kind, request.constraint.body]
    return json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def request_hash(request: Request, *, sample: int = 0) -> str:
    """SHA-256 (64 hex digits) of what is asked, whoever answers it.

    `sample` numbers the answers wanted for one and the same request, from 0.
    Raises `ValueError` when `sampling.extra` holds NaN or an infinity, and
    `TypeError` when it holds something JSON has no form for.
    """
    return hashlib.sha256(_canonical(request, sample, None)).hexdigest()


def request_key(request: Request, *, endpoint: str, sample: int = 0) -> str:
    """SHA-256 (64 hex digits) of what is asked and who answers: the key of a stored call.

    `endpoint` is the backend's identity (`Backend.endpoint`), which holds no secret.
    """
    return hashlib.sha256(_canonical(request, sample, endpoint)).hexdigest()
