"""One llama.cpp engine: loading it, asking it, and reading what it streams.

xllamacpp takes and gives the objects of llama.cpp's HTTP server (OpenAI's,
with additions) without HTTP. Faults come back as an object `{"error": …}`.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import threading
import time
from pathlib import Path
from typing import Any

from generator.backends.surrogates import REPLACED_NOTE, without_lone_surrogates
from generator.errors import (
    BadResponse,
    CallFailed,
    ContextOverflow,
    RequestRefused,
    ServerFault,
    WrongUse,
)
from generator.values import Completion, Request, Usage

# Tokens read at once. Between two batches a cancelled request is noticed.
_BATCH_TOKENS = 512
# A small model may write white space between JSON tokens until its limit; the engine's JSON
# grammar (llguidance) forbids it by this key of the schema.
_COMPACT_JSON = {"x-guidance": {"whitespace_flexible": False}}


def load_engine(path: Path, context_tokens: int) -> Any:
    """A new engine with one thread and one slot.

    Raises `WrongUse` when the engine's library or the model cannot be loaded.
    """
    try:
        xllamacpp = importlib.import_module("xllamacpp")
    except ImportError as error:
        raise WrongUse(
            f"the embedded engine (xllamacpp) is installed but cannot be loaded: {error}. It needs "
            "the system libraries libgomp and libstdc++ (Debian: apt-get install libgomp1)."
        ) from error
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_parallel = 1
    settings.n_ctx = context_tokens
    settings.n_batch = _BATCH_TOKENS
    settings.cpuparams.n_threads = 1
    settings.cpuparams_batch.n_threads = 1
    settings.cache_ram_mib = 0
    settings.verbosity = 0
    settings.warmup = False
    settings.ui = False
    try:
        return xllamacpp.Server(settings)
    except RuntimeError as error:
        raise WrongUse(f"the model {path} cannot be loaded by the embedded engine: {error}.") from (
            error
        )


def ask_engine(
    engine: Any, request: Request, cancelled: threading.Event, *, model: str
) -> Completion:
    """One answer of the engine; blocks until it is whole or `cancelled` is set.

    Raises `ContextOverflow`, `RequestRefused`, `ServerFault`, `BadResponse`,
    and `asyncio.CancelledError` once `cancelled` is set.
    """
    stream = _Stream(cancelled)
    body, notes = _request_body(request)
    handle = engine.handle_chat_completions if request.messages else engine.handle_completions
    started = time.monotonic()
    try:
        returned = handle(body, stream.take)
    except RuntimeError as error:
        raise RequestRefused(f"the embedded engine refuses the request: {error}") from error
    stream.take(returned)
    return stream.completion(model, time.monotonic() - started, notes)


def _request_body(request: Request) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The request in the engine's words, and a note when its text had to be changed."""
    sampling = request.sampling
    body: dict[str, Any] = {
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        # What an earlier request left in the cache shifts the rounding of this one.
        "cache_prompt": False,
    }
    if request.prompt is not None:
        body["prompt"] = request.prompt
    else:
        body["messages"] = [{"role": m.role, "content": m.content} for m in request.messages]
    settings = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "stop": list(sampling.stop) or None,
    }
    body.update({name: value for name, value in settings.items() if value is not None})
    body.update(dict(sampling.extra))
    if request.constraint is not None and request.constraint.kind == "gbnf":
        body["grammar"] = request.constraint.body
    elif request.constraint is not None:
        schema = json.loads(request.constraint.body)
        body["json_schema"] = {**schema, **_COMPACT_JSON} if isinstance(schema, dict) else schema
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    clean = without_lone_surrogates(text)
    return (body, ()) if clean == text else (json.loads(clean), (REPLACED_NOTE,))


class _Stream:
    """Collects what the engine streams, and tells it to stop once the request is cancelled."""

    def __init__(self, cancelled: threading.Event) -> None:
        self._cancelled = cancelled
        self._texts: list[str] = []
        self._finish_reason: str | None = None
        self._usage: dict[str, Any] = {}
        self._error: dict[str, Any] | None = None
        self._answered = False

    def take(self, chunk: Any) -> bool:
        """Take one chunk; True asks the engine to stop."""
        if isinstance(chunk, dict):
            if isinstance(chunk.get("error"), dict):
                self._error = chunk["error"]
            for choice in chunk.get("choices") or ():
                self._answered = True
                piece = choice.get("text")
                if piece is None:
                    piece = (choice.get("delta") or choice.get("message") or {}).get("content")
                self._texts.append(piece or "")
                self._finish_reason = choice.get("finish_reason") or self._finish_reason
            self._usage = chunk.get("usage") or self._usage
        return self._cancelled.is_set()

    def completion(self, model: str, latency_s: float, notes: tuple[str, ...]) -> Completion:
        """The whole answer; raises what the engine reported instead."""
        if self._cancelled.is_set():
            raise asyncio.CancelledError
        if self._error is not None:
            raise _fault(self._error)
        if not self._answered:
            raise BadResponse("the embedded engine gave no answer.")
        details = self._usage.get("prompt_tokens_details") or {}
        return Completion(
            text="".join(self._texts),
            finish_reason=self._finish_reason,
            usage=Usage(
                prompt_tokens=self._usage.get("prompt_tokens"),
                completion_tokens=self._usage.get("completion_tokens"),
                cached_prompt_tokens=details.get("cached_tokens"),
            ),
            model=model,
            latency_s=latency_s,
            notes=notes,
        )


def _fault(error: dict[str, Any]) -> CallFailed:
    """The engine's error object as a typed error: by its type and code, not its words."""
    body = json.dumps(error, ensure_ascii=False)
    code = error.get("code")
    status = code if isinstance(code, int) else None
    if error.get("type") == "exceed_context_size_error":
        needed, there = error.get("n_prompt_tokens"), error.get("n_ctx")
        return ContextOverflow(
            f"the prompt has {needed} tokens, but the embedded model's context holds {there}. "
            "Use shorter segments, or a model with more context.",
            prompt_tokens=needed if isinstance(needed, int) else None,
            context_tokens=there if isinstance(there, int) else None,
            body=body,
            status=status,
        )
    if status is not None and 400 <= status < 500:
        return RequestRefused(
            f"the embedded engine refuses the request: {error.get('message')}",
            body=body,
            status=status,
        )
    return ServerFault(
        f"the embedded engine failed: {error.get('message')}", body=body, status=status
    )
