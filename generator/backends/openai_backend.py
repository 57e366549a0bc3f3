"""The OpenAI backends: chat, legacy completions, Azure, and every compatible server.

`complete` makes one attempt. The one exception: a parameter the server does not
support is renamed or left out and the request sent again at once, because no
retry policy could help there. What was learned is kept for the next requests.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from generator.backends.context import BackendContext, BackendOptions
from generator.backends.error_layers import error_in
from generator.backends.event_streams import looks_like_a_stream, whole_answer
from generator.backends.http_paths import make_http
from generator.backends.http_seam import HttpAnswer
from generator.backends.openai_access import Access, azure_access, openai_access
from generator.backends.openai_answers import NoAnswer, read_chat, read_text
from generator.backends.openai_errors import ErrorAnswer, error_of
from generator.backends.openai_faults import kept_body, read_fault, shown
from generator.backends.openai_requests import Dialect, learned, wire_request
from generator.backends.spec import BackendSpec
from generator.errors import BadResponse, ContentFiltered, DialogsmithError, WrongUse
from generator.values import (
    Backend,
    Capabilities,
    Completion,
    ConstraintKind,
    PromptForm,
    Request,
)

_NO_COMPRESSION = frozenset(("", "identity", "gzip", "x-gzip", "deflate"))
_BASE_MODELS = frozenset(("davinci-002", "babbage-002"))


@dataclass(frozen=True, slots=True)
class Seams:
    """What tests replace: the SDK's HTTP transport, the wall clock and the stopwatch (seconds)."""

    transport: Callable[[], Any] | None = None
    now: Callable[[], float] = time.time
    stopwatch: Callable[[], float] = time.perf_counter


class OpenAIBackend:
    """One model at one OpenAI-compatible server.

    `form` is how the model is asked: with chat messages, or with a prompt to
    continue. `concurrency` sizes the connection pool. `sdk` forces the SDK's HTTP
    path where the fast one would do.
    """

    def __init__(
        self,
        spec: BackendSpec,
        access: Access,
        *,
        form: PromptForm,
        concurrency: int,
        sdk: bool = False,
        options: BackendOptions | None = None,
        seams: Seams | None = None,
    ) -> None:
        if spec.model is None:
            raise WrongUse(f"{spec}: name the model, like {spec.backend}:MODEL")
        self._spec = spec
        self._name = str(spec)
        self._model = spec.model
        self._access = access
        self._form: PromptForm = form
        self._path = "/chat/completions" if form == "chat" else "/completions"
        self._options = options or BackendOptions()
        self._seams = seams or Seams()
        self._capabilities = self._declared()
        self._endpoint = _endpoint(spec, access, self._options)
        official_chat = access.official and form == "chat"
        self._dialect = Dialect("max_completion_tokens" if official_chat else "max_tokens")
        self._http = make_http(
            access,
            concurrency=concurrency,
            timeout_s=self._options.request_timeout_s,
            sdk=sdk,
            transport=self._seams.transport,
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.endpoint}>"

    @property
    def spec(self) -> str:
        return self._name

    @property
    def endpoint(self) -> str:
        return self._endpoint

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    async def complete(self, request: Request) -> Completion:
        """One attempt. Raises a `CallFailed` or `RunStopped`; `WrongUse` for a request of the
        other form, or with a constraint that is not among the capabilities."""
        self._check(request)
        dialect = self._dialect
        tried = {dialect}
        while True:
            wire = wire_request(request, self._model, dialect, self._options.roles)
            started = self._seams.stopwatch()
            answer = await self._http.post(self._path, wire.body)
            latency_s = self._seams.stopwatch() - started
            if 200 <= answer.status < 300:
                completion = self._completion(answer)
                if len(tried) > 1:
                    self._dialect = self._dialect.joined(dialect)
                return replace(completion, latency_s=latency_s, notes=wire.notes + completion.notes)
            fault = read_fault(_decoded_or_none(answer.body))
            other = learned(dialect, fault, wire.body) if answer.status in (400, 422) else None
            if other is None or other in tried:
                raise self._error(ErrorAnswer(answer.status, answer.headers, answer.body, fault))
            dialect = other
            tried.add(other)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def _declared(self) -> Capabilities:
        options = self._options
        follows = options.follows_instructions
        constraints = options.constraints
        return Capabilities(
            prompt_forms=frozenset({self._form}),
            constraints=self._usual_constraints() if constraints is None else constraints,
            follows_instructions=self._model not in _BASE_MODELS if follows is None else follows,
            context_tokens=options.context_tokens,
        )

    def _usual_constraints(self) -> frozenset[ConstraintKind]:
        if self._form == "chat":
            return frozenset({"json_schema"})
        # A server of one's own that continues prompts is as a rule llama.cpp's.
        return frozenset() if self._access.official else frozenset({"gbnf"})

    def _check(self, request: Request) -> None:
        form: PromptForm = "chat" if request.prompt is None else "completion"
        if form != self._form:
            takes, asked = ("chat messages", "a prompt to continue")
            if self._form == "completion":
                takes, asked = asked, takes
            raise WrongUse(f"{self._spec} takes {takes}, and the recipe sends {asked}")
        constraint = request.constraint
        if constraint is not None and constraint.kind not in self.capabilities.constraints:
            raise WrongUse(f"{self._spec} is not known to enforce a {constraint.kind} constraint")

    def _completion(self, answer: HttpAnswer) -> Completion:
        value = self._decoded(answer)
        error = error_in(value)
        if error is not None:
            fault = read_fault(error)
            raise self._error(
                ErrorAnswer(fault.status or 500, answer.headers, answer.body, fault, in_a_200=True)
            )
        completion = read_chat(value) if self._form == "chat" else read_text(value)
        if not isinstance(completion, NoAnswer):
            return completion
        body = kept_body(answer.body, self._access.secrets)
        if completion.filtered:
            raise ContentFiltered(
                f"{self._access.base_url}: {completion.why}", body=body, status=answer.status
            )
        raise self._bad_response(answer, completion.why)

    def _decoded(self, answer: HttpAnswer) -> Mapping[str, Any]:
        if not answer.body.strip():
            raise self._bad_response(answer, "it is empty")
        value = _decoded_or_none(answer.body)
        if isinstance(value, Mapping):
            return value
        if looks_like_a_stream(answer.body):
            value = whole_answer(answer.body)
            if value is None:
                why = "it is a stream of events, which was not asked for, and it broke off"
                raise self._bad_response(answer, why)
            return value
        encoding = answer.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in _NO_COMPRESSION:
            why = f"it is compressed ({shown(encoding, ())}) in a way that was not asked for"
            raise self._bad_response(answer, why)
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/html" or answer.body.lstrip()[:1] == b"<":
            why = "it is an HTML page. Not an API endpoint? The base URL usually ends in /v1"
            raise self._bad_response(answer, why)
        raise self._bad_response(answer, "it is not a JSON object")

    def _bad_response(self, answer: HttpAnswer, why: str) -> BadResponse:
        return BadResponse(
            f"{self._access.base_url}: HTTP {answer.status} without an answer: {why}",
            body=kept_body(answer.body, self._access.secrets),
            status=answer.status,
        )

    def _error(self, answer: ErrorAnswer) -> DialogsmithError:
        return error_of(answer, self._access, self._model, self._seams.now())


def make_chat(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `openai:MODEL[@BASE_URL]`."""
    return _made(spec, openai_access(spec, context.environ), "chat", context)


def make_completions(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `openai-completions:MODEL[@BASE_URL]`."""
    return _made(spec, openai_access(spec, context.environ), "completion", context)


def make_sdk_chat(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `openai-sdk:MODEL[@BASE_URL]`."""
    return _made(spec, openai_access(spec, context.environ), "chat", context, sdk=True)


def make_sdk_completions(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `openai-sdk-completions:MODEL[@BASE_URL]`."""
    return _made(spec, openai_access(spec, context.environ), "completion", context, sdk=True)


def make_azure(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `azure:DEPLOYMENT[@https://RESOURCE.openai.azure.com]`."""
    return _made(spec, azure_access(spec, context.environ), "chat", context)


def _made(
    spec: BackendSpec,
    access: Access,
    form: PromptForm,
    context: BackendContext,
    *,
    sdk: bool = False,
) -> OpenAIBackend:
    return OpenAIBackend(
        spec, access, form=form, concurrency=context.concurrency, sdk=sdk, options=context.options
    )


def _endpoint(spec: BackendSpec, access: Access, options: BackendOptions) -> str:
    # The same model answers, whichever path its answers take.
    backend = spec.backend.replace("-sdk", "", 1)
    # Bent messages are another question, so they are another endpoint to the cache key.
    bent = "" if options.roles == "as-given" else f" roles={options.roles}"
    return f"{backend}:{spec.model}@{access.base_url}{bent}"


def _decoded_or_none(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    # Lone surrogates, NaN and other encodings than UTF-8, which the standard library reads.
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
