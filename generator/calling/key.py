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

import orjson

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


def _canonical(request: Request, sample: int) -> tuple[bytes, bytes]:
    """ASCII JSON with sorted keys: lone surrogates are escaped, so any text has a key.

    In two parts, without the brace it begins with: the endpoint stands between them.
    """
    rest = _ENCODE({"sample": sample, "sampling": _sampling(request.sampling), "v": _VERSION})
    if request.prompt is not None:
        asked = b'"prompt":' + _text(request.prompt)
    else:
        messages = [
            b"[%b,%b]" % (_text(message.role), _text(message.content))
            for message in request.messages
        ]
        asked = b'"messages":[%b]' % b",".join(messages)
    constraint = b""
    if request.constraint is not None:
        kind, body = _text(request.constraint.kind), _text(request.constraint.body)
        constraint = b'"constraint":[%b,%b],' % (kind, body)
    return constraint, b"%b,%b" % (asked, rest[1:].encode("ascii"))


def _text(text: str) -> bytes:
    """The text as `json` writes it in ASCII; orjson writes ASCII the same, ten times as fast."""
    # All but DEL, which it leaves as it is.
    if text.isascii() and "\x7f" not in text:
        return orjson.dumps(text)
    return _ENCODE(text).encode("ascii")


def _named_endpoint(endpoint: str) -> bytes:
    return b'"endpoint":%b,' % _text(endpoint)


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"{" + b"".join(parts)).hexdigest()
