"""The server's limits: requests and tokens a minute, requests at once, windows of a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.fakeserver.asked import Asked
from generator.fakeserver.fault_choice import FaultSpec
from generator.fakeserver.replies import Reply
from generator.fakeserver.settings import FakeServerSettings
from generator.fakeserver.status_faults import context_overflow, too_many, wait_headers
from generator.fakeserver.windows import Window

_MINUTE_S = 60.0


class Limits:
    """The windows of one server. `clock` is monotonic seconds."""

    def __init__(self, settings: FakeServerSettings, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._clock = clock
        self._requests = Window(settings.rpm, _MINUTE_S) if settings.rpm else None
        self._tokens = Window(settings.tpm, _MINUTE_S) if settings.tpm else None
        self._of_faults: dict[tuple[float, float], Window] = {}

    def refusal(self, asked: Asked, in_flight: int) -> Reply | None:
        """The reply to a request beyond a limit, or None; then it is counted.

        `in_flight` includes the request itself. One that is refused uses up nothing.
        """
        most = self._settings.concurrency
        if most is not None and in_flight > most:
            return too_many(what="concurrent requests")
        now_s = self._clock()
        windows = tuple(self._minute_windows(asked))
        waits = [(window.wait_s(now_s, cost), what) for window, cost, what in windows]
        full = [(wait_s, what) for wait_s, what in waits if wait_s is not None]
        if full:
            wait_s, what = max(full)
            return too_many(wait_headers(wait_s), what)
        for window, cost, _ in windows:
            window.take(now_s, cost)
        return None

    def overflow(self, asked: Asked) -> Reply | None:
        """The reply to a prompt that, with the answer's `max_tokens`, is beyond the context."""
        room = self._settings.context_tokens
        wanted = asked.request.sampling.max_tokens or 0
        if room is None or asked.prompt_tokens + wanted <= room:
            return None
        return context_overflow(asked.prompt_tokens, wanted, room)

    def take_answer(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        if self._tokens is not None:
            self._tokens.take(self._clock(), tokens)

    def window_refusal(self, spec: FaultSpec) -> Reply | None:
        """The reply to a request outside the window of a `rate_limit_window`, or None."""
        key = (spec.argument, spec.window_s)
        window = self._of_faults.setdefault(key, Window(int(spec.argument), spec.window_s))
        now_s = self._clock()
        wait_s = window.wait_s(now_s)
        if wait_s is not None:
            return too_many(wait_headers(wait_s))
        window.take(now_s)
        return None

    def _minute_windows(self, asked: Asked) -> Iterator[tuple[Window, int, str]]:
        if self._requests is not None:
            yield self._requests, 1, "requests"
        if self._tokens is not None:
            yield self._tokens, asked.prompt_tokens, "tokens"
