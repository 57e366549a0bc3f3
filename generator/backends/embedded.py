"""The embedded backend: a model that runs inside this process, with no server and no key.

llama.cpp (through xllamacpp) does the work. Each slot is an engine of its own
with one thread: on two cores two such slots give more answers a minute than
one engine with two threads, and far more when other programs run (a waiting
thread of a two-threaded engine spins). An engine answers one request at a
time and reuses nothing of the request before, so that an answer depends on
its prompt, its settings and its seed alone, not on what else is running.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from generator.backends.embedded_engine import ask_engine, load_engine
from generator.backends.embedded_file import ModelFile, model_file
from generator.errors import WrongUse
from generator.values import Capabilities, Completion, Request

NOTICE = (
    "The embedded model (SmolLM2, 135 million weights) proves that the pipeline works on this "
    "machine. It is far too small to write dialogues of use: for a real corpus name a larger "
    "model, for example --model openai:gpt-4o-mini or --model embedded:PATH.gguf."
)
INSTALL_ENGINE = "pip install xllamacpp"
# Bounds the memory of each slot: the KV cache is reserved in full (SmolLM2: 23 kB a token).
DEFAULT_CONTEXT_TOKENS = 8192
_MOST_DEFAULT_SLOTS = 8


def default_slots() -> int:
    """One slot for each core this process may use, at most 8: every slot has its own memory."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, min(cores, _MOST_DEFAULT_SLOTS))


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
        self.slots = default_slots() if slots is None else slots
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
        """Answer in a thread of this backend.

        When cancelled, the engine stops at its next token, or after the batch
        of the prompt (512 tokens) that it is reading; nobody waits for it.

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
            return ask_engine(engine, request, cancelled, model=self._file.path.name)
        finally:
            self._idle.put(engine)

    def _take_engine(self) -> Any:
        # There are as many threads as slots, so an idle engine or room for one is always there.
        with self._making:
            if self._idle.empty() and self._engines_made < self.slots:
                engine = load_engine(self._file.path, self._context)
                self._engines_made += 1
                return engine
        return self._idle.get()
