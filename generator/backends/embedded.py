"""The embedded backend: a small model that runs inside this process, with no server and no key.

llama.cpp (through xllamacpp) does the work. Each slot is an engine of its own
with one thread: on two cores two such slots give more answers a minute than
one engine with two threads, and far more when other programs run (a waiting
thread of a two-threaded engine spins). An engine answers one request at a
time and reuses nothing of the request before, so that an answer depends on
its prompt, its settings and its seed alone, not on what else is running.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import os
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from generator.backends.embedded_file import ModelFile, model_file
from generator.backends.surrogates import REPLACED_NOTE, without_lone_surrogates
from generator.errors import (
    BadResponse,
    CallFailed,
    ContextOverflow,
    RequestRefused,
    ServerFault,
    WrongUse,
)
from generator.values import Capabilities, Completion, Request, Usage

NOTICE = (
    "The embedded model (SmolLM2, 135 million weights) proves that the pipeline works on this "
    "machine. It is far too small to write dialogues of use: for a real corpus name a larger "
    "model, for example --model openai:gpt-4o-mini or --model embedded:PATH.gguf."
)
INSTALL_ENGINE = "pip install xllamacpp"
# Bounds the memory of each slot: the KV cache is reserved in full (SmolLM2: 23 kB a token).
DEFAULT_CONTEXT_TOKENS = 8192
# Tokens read at once. Between two batches a cancelled request is noticed.
_BATCH_TOKENS = 512


def default_slots() -> int:
    """One slot for each core this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class EmbeddedBackend:
    """Answers requests with a GGUF model in this process.

    `path` is a GGUF file, None for the embedded model. `slots` is how many
    requests run at the same time, one thread each (default: one for each
    usable core). `context_tokens` bounds prompt and answer together (default:
    what the model was trained for, at most 8192).

    Raises `WrongUse` when the engine or the model is not installed. The model
    is loaded at the first request.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        slots: int | None = None,
        context_tokens: int | None = None,
    ) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise WrongUse(f"the embedded engine is not installed. Install it: {INSTALL_ENGINE}")
        self._file: ModelFile = model_file(path)
        self._spec = "embedded" if path is None else f"embedded:{path}"
        trained = self._file.trained_context or DEFAULT_CONTEXT_TOKENS
        self._context = min(context_tokens or DEFAULT_CONTEXT_TOKENS, trained)
        self._is_embedded_model = path is None
        self.slots = slots if slots is not None else default_slots()
        if self.slots < 1:
            raise WrongUse(f"the embedded backend needs at least one slot, not {self.slots}.")
        self._threads = ThreadPoolExecutor(self.slots, thread_name_prefix="embedded")
        self._idle: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._engines_made = 0
        self._making = threading.Lock()

    @property
    def spec(self) -> str:
        return self._spec

    @property
    def endpoint(self) -> str:
        """The model file's hash and the context: the same file elsewhere is the same endpoint."""
        return f"embedded sha256={self._file.sha256} context={self._context}"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            prompt_forms=frozenset({"chat", "completion"}),
            constraints=frozenset({"gbnf", "json_schema"}),
            follows_instructions=not self._is_embedded_model,
            context_tokens=self._context,
        )

    async def complete(self, request: Request) -> Completion:
        """Answer in a thread of this backend. When cancelled, the engine stops at its next token.

        Raises `ContextOverflow`, `RequestRefused`, `ServerFault`, `BadResponse`;
        `WrongUse` when the engine cannot be loaded.
        """
        cancelled = threading.Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, self._answer, request, cancelled
            )
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def aclose(self) -> None:
        """Wait for running requests and free the engines."""
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
        while not self._idle.empty():
            self._idle.get_nowait()

    def _answer(self, request: Request, cancelled: threading.Event) -> Completion:
        engine = self._take_engine()
        try:
            return _ask_engine(engine, request, cancelled)
        finally:
            self._idle.put(engine)

    def _take_engine(self) -> Any:
        # There are as many threads as slots, so an idle engine or room for one is always there.
        with self._making:
            if self._idle.empty() and self._engines_made < self.slots:
                engine = _load_engine(self._file.path, self._context)
                self._engines_made += 1
                return engine
        return self._idle.get()


def _load_engine(path: Path, context_tokens: int) -> Any:
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
        raise WrongUse(
            f"the model {path} cannot be loaded by the embedded engine: {error}."
        ) from error


def _ask_engine(engine: Any, request: Request, cancelled: threading.Event) -> Completion:
    stream = _Stream(cancelled)
    handle = engine.handle_chat_completions if request.messages else engine.handle_completions
    started = time.monotonic()
    body, notes = _request_body(request)
    try:
        returned = handle(body, stream.take)
    except RuntimeError as error:
        raise RequestRefused(f"the embedded engine refuses the request: {error}") from error
    if isinstance(returned, dict):
        stream.take(returned)
    return stream.completion(time.monotonic() - started, notes)


def _request_body(request: Request) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The request in the engine's words; lone surrogates, which UTF-8 cannot carry, replaced."""
    sampling = request.sampling
    body: dict[str, Any] = {
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
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
        body["json_schema"] = json.loads(request.constraint.body)
    return _without_surrogates(body)


def _without_surrogates(body: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
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

    def completion(self, latency_s: float, notes: tuple[str, ...]) -> Completion:
        """The whole answer; raises what the engine reported instead."""
        if self._error is not None:
            raise _fault(self._error)
        if self._cancelled.is_set():
            raise asyncio.CancelledError
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
            model=None,
            latency_s=latency_s,
            notes=notes,
        )


def _fault(error: dict[str, Any]) -> CallFailed:
    """The engine's error object as a typed error: by its type and code, not its words."""
    body = json.dumps(error, ensure_ascii=False)
    code = error.get("code")
    status = code if isinstance(code, int) else None
    if error.get("type") == "exceed_context_size_error":
        return ContextOverflow(
            f"the prompt has {error.get('n_prompt_tokens')} tokens, but the embedded model's "
            f"context holds {error.get('n_ctx')}. Use shorter segments, or a model with more.",
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
