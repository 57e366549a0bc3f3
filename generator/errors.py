"""The exception tree. Each message says what happened, to what, and what to do.

    DialogsmithError
    ├── WrongUse              the command or the settings are wrong (exit 2)
    │   └── SettingsDiffer    a run directory was made with other settings
    ├── RunStopped            the run cannot go on, and can be resumed (exit 3)
    │   ├── BadKey            the server refuses the key
    │   ├── QuotaExhausted    the account is empty
    │   ├── ModelNotFound     the server does not know the model
    │   ├── Unreachable       nothing answers at the address
    │   ├── BudgetReached     the next request could pass --max-cost or --max-tokens-total
    │   ├── NoYield           nothing is accepted, and that will not change
    │   └── StoreFault        the run directory cannot be read or written
    └── CallFailed            one call failed; only its item is touched
        ├── Retryable         worth another attempt
        │   ├── RateLimited   429; `retry_after_s` when the server said how long
        │   ├── ServerFault   5xx, or an error object in a 200
        │   ├── ConnectionFault   torn, refused, timed out
        │   └── BadResponse   a 200 that is no answer (HTML, empty, no choices)
        ├── RequestRefused    the server rejects this request (400, 403, 422 …)
        ├── ContextOverflow   the prompt is longer than the model's context
        ├── ContentFiltered   the provider's content filter stopped it
        ├── NotInRun          the replayed run holds no answer to this request
        ├── GivenUp           the run is ending; the call was not tried to the end
        └── Unexpected        a fault of this program or of a plugin, at one item

Kinds are decided by type and status code, never by searching message text.
"""

from __future__ import annotations


class DialogsmithError(Exception):
    """Root of every error this project raises on purpose."""

    exit_code = 1


class WrongUse(DialogsmithError):
    """The command line, a setting, a template or an input path is wrong."""

    exit_code = 2


class SettingsDiffer(WrongUse):
    """The run directory belongs to a run with other settings; `names` lists which."""

    def __init__(self, message: str, names: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.names = names


class RunStopped(DialogsmithError):
    """The run cannot go on; all that arrived is stored and the same command resumes it."""

    exit_code = 3


class BadKey(RunStopped):
    """The server refuses the API key, or none is set."""


class QuotaExhausted(RunStopped):
    """The account has no credit left."""


class ModelNotFound(RunStopped):
    """The server does not know this model."""


class Unreachable(RunStopped):
    """Nothing answers at the address."""


class BudgetReached(RunStopped):
    """The next request could pass the cap on money or tokens; it was not sent."""


class NoYield(RunStopped):
    """The first items were all rejected; the message says for what, and what to try."""


class StoreFault(RunStopped):
    """The run directory cannot be read or written."""


class CallFailed(DialogsmithError):
    """One model call failed; the item it belongs to is failed or rejected, the run goes on.

    `code` is the reject or failure code, `body` what the server sent (for inspection).
    """

    code = "call_failed"

    def __init__(self, message: str, *, body: str | None = None, status: int | None = None) -> None:
        super().__init__(message)
        self.body = body
        self.status = status


class Retryable(CallFailed):
    """Another attempt may succeed."""


class RateLimited(Retryable):
    """429. `retry_after_s` is what the server asked for, in seconds, or None."""

    code = "rate_limited"

    def __init__(
        self,
        message: str,
        *,
        retry_after_s: float | None = None,
        body: str | None = None,
        status: int | None = 429,
    ) -> None:
        super().__init__(message, body=body, status=status)
        self.retry_after_s = retry_after_s


class ServerFault(Retryable):
    """The server failed: 5xx, or an error object inside a 200.

    `retry_after_s` is what the server asked for, in seconds, or None.
    """

    code = "server_fault"

    def __init__(
        self,
        message: str,
        *,
        retry_after_s: float | None = None,
        body: str | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message, body=body, status=status)
        self.retry_after_s = retry_after_s


class ConnectionFault(Retryable):
    """The connection was refused, torn or timed out."""

    code = "connection_fault"


class BadResponse(Retryable):
    """A 200 that holds no answer: HTML, nothing, no choices."""

    code = "bad_response"


class RequestRefused(CallFailed):
    """The server rejects this very request; sending it again cannot help."""

    code = "request_refused"


class ContextOverflow(CallFailed):
    """The prompt (and the answer it may need) is longer than the model's context.

    `prompt_tokens` and `context_tokens` are the server's counts where it gave them.
    """

    code = "context_overflow"

    def __init__(
        self,
        message: str,
        *,
        prompt_tokens: int | None = None,
        context_tokens: int | None = None,
        body: str | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message, body=body, status=status)
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens


class ContentFiltered(CallFailed):
    """The provider's content filter stopped the request or its answer."""

    code = "content_filter"


class NotInRun(CallFailed):
    """The run that is replayed holds no answer to this request."""

    code = "not_in_run"


class GivenUp(CallFailed):
    """The run is ending, so this call was not tried to the end; the next run tries it again."""

    code = "given_up"


class Unexpected(CallFailed):
    """Something that should not happen, at one item: that item is failed, the run goes on."""

    code = "unexpected"
