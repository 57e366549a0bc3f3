"""What the server does with a request, without any network: in goes a body, out comes a reply.

Time comes from outside; nothing here waits.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from generator.errors import WrongUse
from generator.fakeserver.answer_source import Answered, AnswerSource
from generator.fakeserver.asked import Asked, Refused, decoded, read_asked
from generator.fakeserver.fault_catalogue import WINDOW
from generator.fakeserver.fault_choice import FaultSpec, Occasion, faults_of, parse_fault
from generator.fakeserver.fault_model import AN_ANSWER, FaultCall
from generator.fakeserver.journal import Entry, Journal
from generator.fakeserver.replies import Reply, envelope, error_reply, json_reply
from generator.fakeserver.settings import FakeServerSettings
from generator.fakeserver.status_faults import (
    bad_key,
    context_overflow,
    model_not_found,
    too_many,
    wait_headers,
)
from generator.fakeserver.strict_checks import check_strictly
from generator.fakeserver.windows import Window
from generator.values import PromptForm

FAULT_HEADER = "x-fault"
_USUAL_CONTEXT = 8192
_MINUTE_S = 60.0
_SUFFIX = re.compile(r"#(?P<fault>[^#]*)\Z")
_CUT = frozenset(("closed", "reset", "not_http", "hang"))


@dataclass(slots=True)
class Ticket:
    """One request on its way: what is known of it so far, for the journal."""

    number: int
    form: PromptForm
    reply: Reply = field(default_factory=lambda: Reply(500, b""))
    request: str = ""
    attempt: int = 0
    model: str = ""
    fault: str | None = None
    is_answer: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Rehearsal:
    """The state of a running server: attempts, windows, requests in flight, the journal.

    `clock` is monotonic seconds, `now` seconds since the epoch.
    """

    def __init__(
        self,
        settings: FakeServerSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.journal = Journal(settings.log)
        self._clock = clock
        self._now = now
        self._began_s = clock()
        self._source = AnswerSource(settings.script, settings.seed, strict=settings.strict)
        self._arrived = 0
        self._attempts: dict[str, int] = {}
        self._requests = Window(settings.rpm, _MINUTE_S) if settings.rpm else None
        self._tokens = Window(settings.tpm, _MINUTE_S) if settings.tpm else None
        self._windows: dict[tuple[float, float], Window] = {}

    async def reply_to(self, form: PromptForm, headers: Mapping[str, str], raw: bytes) -> Ticket:
        """The reply to a POST. `headers` have lower-case names. Each ticket must be ended."""
        self._arrived += 1
        ticket = Ticket(self._arrived, form)
        self.journal.begin()
        try:
            ticket.reply = await self._reply(ticket, headers, raw)
        except Refused as refused:
            ticket.reply = refused.reply
        except BaseException:
            self.journal.end()
            raise
        return ticket

    def end(self, ticket: Ticket, *, delivered: bool) -> None:
        """The reply is out, or (not `delivered`) the client has gone before that."""
        self.journal.end()
        answered = ticket.is_answer and delivered
        if answered:
            self._attempts.pop(ticket.request, None)
        cut = ticket.reply.delivery in _CUT or not delivered
        self.journal.add(
            Entry(
                number=ticket.number,
                request=ticket.request,
                attempt=ticket.attempt,
                form=ticket.form,
                model=ticket.model,
                status=0 if cut else ticket.reply.status,
                fault=ticket.fault,
                answered=answered,
                in_flight=self.journal.in_flight,
                prompt_tokens=ticket.prompt_tokens,
                completion_tokens=ticket.completion_tokens,
                at_s=round(self._clock() - self._began_s, 4),
            )
        )

    def key_fits(self, headers: Mapping[str, str]) -> bool:
        """Whether the request brings the key the server wants; any is right when it wants none."""
        wanted = self.settings.api_key
        if wanted is None:
            return True
        kind, _, given = headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(given.strip().encode(), wanted.encode())
        return kind.lower() == "bearer" and same

    async def _reply(self, ticket: Ticket, headers: Mapping[str, str], raw: bytes) -> Reply:
        settings = self.settings
        if not self.key_fits(headers):
            return bad_key()
        body = decoded(raw)
        by_hand = _fault_by_hand(body, headers)
        asked = read_asked(body, ticket.form, settings.refusal_status)
        ticket.model = asked.model
        ticket.request = asked.digest
        ticket.prompt_tokens = asked.prompt_tokens
        ticket.attempt = self._attempts[asked.digest] = self._attempts.get(asked.digest, 0) + 1
        check_strictly(asked, settings)
        if settings.models_are_checked and asked.model not in settings.known_models:
            return model_not_found(asked.model)
        limited = self._limited(ticket, asked)
        if limited is not None:
            return limited
        overflow = self._overflow(asked)
        if overflow is not None:
            return overflow
        for spec in self._faults(ticket, asked, by_hand):
            if spec.kind is not WINDOW:
                return await self._faulty(ticket, asked, spec)
            wait_s = self._full_window(spec)
            if wait_s is not None:
                ticket.fault = WINDOW.name
                return too_many(wait_headers(wait_s))
        return await self._answer(ticket, asked)

    def _faults(
        self, ticket: Ticket, asked: Asked, by_hand: FaultSpec | None
    ) -> Iterator[FaultSpec]:
        settings = self.settings
        occasion = Occasion(asked.digest, ticket.number, ticket.attempt, asked.form, asked.body)
        if by_hand is None:
            yield from faults_of(occasion, settings.schedule, settings.faults, settings.seed)
            return
        kind = by_hand.kind
        if kind.chat_only and asked.form != "chat":
            raise Refused(error_reply(400, f"the fault {kind.name} is one of chat answers only"))
        yield from faults_of(occasion, (), (by_hand,), settings.seed)

    async def _faulty(self, ticket: Ticket, asked: Asked, spec: FaultSpec) -> Reply:
        kind = spec.kind
        ticket.fault = kind.name
        call = FaultCall(
            argument=spec.argument,
            form=asked.form,
            model=asked.model,
            body=asked.body,
            prompt_tokens=asked.prompt_tokens,
            context_tokens=self.settings.context_tokens or _USUAL_CONTEXT,
            now_s=self._now(),
        )
        if kind.error is not None:
            return kind.error(call)
        return await self._answer(ticket, asked, spec, call)

    async def _answer(
        self,
        ticket: Ticket,
        asked: Asked,
        spec: FaultSpec | None = None,
        call: FaultCall | None = None,
    ) -> Reply:
        """The answer, changed or spoilt by the fault."""
        if asked.request.constraint is not None and not self._source.scripted:
            _refuse_grammar(asked)
        answers: list[Answered] = []
        for choice in range(asked.choices):
            given = await self._source.answer(asked, choice)
            if isinstance(given, FaultSpec):
                return await self._scripted_fault(ticket, asked, given, spec)
            answers.append(given)
        value = envelope(
            asked.form, asked.model, asked.digest, [answer.completion for answer in answers]
        )
        if spec is not None and call is not None and spec.kind.change is not None:
            value = spec.kind.change(value, call)
        delay_s = self.settings.latency.seconds(self.settings.seed, asked.digest)
        delay_s += max(answer.latency_s for answer in answers)
        reply = replace(json_reply(200, value), delay_s=delay_s)
        if spec is not None and call is not None and spec.kind.spoil is not None:
            reply = spec.kind.spoil(reply, call)
        ticket.is_answer = spec is None or spec.kind.ends_as == AN_ANSWER
        usage = value.get("usage")
        if ticket.is_answer and isinstance(usage, dict):
            ticket.completion_tokens = usage["completion_tokens"]
            if self._tokens is not None:
                self._tokens.take(self._clock(), ticket.completion_tokens)
        return reply

    async def _scripted_fault(
        self, ticket: Ticket, asked: Asked, given: FaultSpec, met: FaultSpec | None
    ) -> Reply:
        """The error that the script gives; it comes before what a fault would have made of it."""
        if given.kind.error is not None or met is None:
            if given.kind.error is None:
                # A fault of the answer or the connection needs an answer to work on.
                return await self._without_answer(ticket, asked, given)
            return await self._faulty(ticket, asked, given)
        return await self._without_answer(ticket, asked, given)

    async def _without_answer(self, ticket: Ticket, asked: Asked, spec: FaultSpec) -> Reply:
        raise NotImplementedError

    def _limited(self, ticket: Ticket, asked: Asked) -> Reply | None:
        """A 429 when too much is in flight or a window is full; else it is counted."""
        settings, now_s = self.settings, self._clock()
        if settings.concurrency is not None and self.journal.in_flight > settings.concurrency:
            return too_many(what="concurrent requests")
        waits: list[tuple[float, str]] = []
        for window, cost, what in self._minute_windows(asked):
            wait_s = window.wait_s(now_s, cost)
            if wait_s is not None:
                waits.append((wait_s, what))
        if waits:
            wait_s, what = max(waits)
            return too_many(wait_headers(wait_s), what)
        for window, cost, _ in self._minute_windows(asked):
            window.take(now_s, cost)
        return None

    def _minute_windows(self, asked: Asked) -> Iterator[tuple[Window, int, str]]:
        if self._requests is not None:
            yield self._requests, 1, "requests"
        if self._tokens is not None:
            yield self._tokens, asked.prompt_tokens, "tokens"

    def _full_window(self, spec: FaultSpec) -> float | None:
        """Seconds until the window of this fault has room, or None when the request is in it."""
        key = (spec.argument, spec.window_s)
        window = self._windows.setdefault(key, Window(int(spec.argument), spec.window_s))
        now_s = self._clock()
        wait_s = window.wait_s(now_s)
        if wait_s is None:
            window.take(now_s)
        return wait_s

    def _overflow(self, asked: Asked) -> Reply | None:
        room = self.settings.context_tokens
        wanted = asked.request.sampling.max_tokens or 0
        if room is None or asked.prompt_tokens + wanted <= room:
            return None
        return context_overflow(asked.prompt_tokens, wanted, room)


def _refuse_grammar(asked: Asked) -> None:
    if asked.request.constraint is not None and asked.request.constraint.kind == "gbnf":
        raise Refused(
            error_reply(
                400,
                "The fake server enforces no grammar; give it a script, or send none.",
                code="unsupported_value",
                param="grammar",
            )
        )


def _fault_by_hand(body: dict[str, object], headers: Mapping[str, str]) -> FaultSpec | None:
    """The fault named in the header or behind a # in the model's name, which is taken off."""
    named = headers.get(FAULT_HEADER)
    model = body.get("model")
    match = _SUFFIX.search(model) if isinstance(model, str) else None
    if match is not None and isinstance(model, str):
        body["model"] = model[: match.start()]
        named = match["fault"]
    if named is None:
        return None
    try:
        return parse_fault(named)
    except WrongUse as error:
        raise Refused(error_reply(400, str(error), code="unknown_fault", param="model")) from None
