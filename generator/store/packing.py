"""Requests as the store keeps them."""

from __future__ import annotations

import json
import zlib
from typing import Any

from generator.store.rows import to_json
from generator.values import Request


def pack_request(request: Request) -> bytes:
    """The request as sent, for inspection: zlib-compressed JSON."""
    sampling = request.sampling
    value: dict[str, Any] = {}
    if request.prompt is not None:
        value["prompt"] = request.prompt
    else:
        value["messages"] = [{"role": m.role, "content": m.content} for m in request.messages]
    value["sampling"] = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "stop": list(sampling.stop),
        "extra": dict(sampling.extra),
    }
    if request.constraint is not None:
        value["constraint"] = {"kind": request.constraint.kind, "body": request.constraint.body}
    # A window of the size of most requests: setting up the usual one costs more than packing.
    packer = zlib.compressobj(level=1, wbits=13, memLevel=6)
    return packer.compress(to_json(value).encode("utf-8", "replace")) + packer.flush()


def unpack_request(blob: bytes) -> dict[str, Any]:
    """The JSON object that `pack_request` packed."""
    value: dict[str, Any] = json.loads(zlib.decompress(blob))
    return value
