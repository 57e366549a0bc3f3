"""What makes two model calls the same call.

The hashes are taken over the *rendered* request: every message, every setting
that can change the answer, and nothing else. A setting of `None` (not sent) is
left out, so it differs from an explicit 0.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from generator.values import Request, Sampling

_VERSION = 1
_ENCODE = json.JSONEncoder(sort_keys=True, allow_nan=False, separators=(",", ":")).encode


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


@dataclass(frozen=True, slots=True)
class CallIdentity:
    """The two hashes of one call: `key` with who answers, `request_hash` without."""

    key: str
    request_hash: str


def identify(request: Request, *, endpoint: str, sample: int = 0) -> CallIdentity:
    """`request_key` and `request_hash`, of a request that is encoded only once."""
    constraint, rest = _canonical(request, sample)
    return CallIdentity(
        _digest(constraint, _named_endpoint(endpoint), rest), _digest(constraint, rest)
    )


def request_hash(request: Request, *, sample: int = 0) -> str:
    """SHA-256 (64 hex digits) of what is asked, whoever answers it.

    `sample` numbers the answers wanted for one and the same request, from 0.
    Raises `ValueError` when `sampling.extra` holds NaN or an infinity, and
    `TypeError` when it holds something JSON has no form for.
    """
    return _digest(*_canonical(request, sample))


def request_key(request: Request, *, endpoint: str, sample: int = 0) -> str:
    """SHA-256 (64 hex digits) of what is asked and who answers: the key of a stored call.

    `endpoint` is the backend's identity (`Backend.endpoint`), which holds no secret.
    """
    return identify(request, endpoint=endpoint, sample=sample).key


def _canonical(request: Request, sample: int) -> tuple[str, str]:
    """ASCII JSON with sorted keys: lone surrogates are escaped, so any text has a key.

    In two parts, without the brace it begins with: the endpoint stands between them.
    """
    value: dict[str, Any] = {
        "v": _VERSION,
        "sample": sample,
        "sampling": _sampling(request.sampling),
    }
    if request.prompt is not None:
        value["prompt"] = request.prompt
    else:
        value["messages"] = [[message.role, message.content] for message in request.messages]
    constraint = ""
    if request.constraint is not None:
        constraint = f'"constraint":{_ENCODE([request.constraint.kind, request.constraint.body])},'
    return constraint, _ENCODE(value)[1:]


def _named_endpoint(endpoint: str) -> str:
    return f'"endpoint":{_ENCODE(endpoint)},'


def _digest(*parts: str) -> str:
    return hashlib.sha256(("{" + "".join(parts)).encode("ascii")).hexdigest()
