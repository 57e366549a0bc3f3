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
from generator.fakeserver.limits import Limits
from generator.fakeserver.replies import Reply, envelope, error_reply, json_reply
from generator.fakeserver.settings import FakeServerSettings
from generator.fakeserver.status_faults import bad_key, model_not_found
from generator.fakeserver.strict_checks import check_strictly
from generator.values import Completion, PromptForm, Usage

FAULT_HEADER = "x-fault"
_USUAL_CONTEXT = 8192
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
        self._limits = Limits(settings, clock)

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
        limited = self._limits.refusal(asked, self.journal.in_flight)
        refused = limited or self._limits.overflow(asked)
        if refused is not None:
            return refused
        for spec in self._faults(ticket, asked, by_hand):
            if spec.kind is not WINDOW:
                return await self._outcome(ticket, asked, spec)
            refused = self._limits.window_refusal(spec)
            if refused is not None:
                ticket.fault = WINDOW.name
                return refused
        return await self._outcome(ticket, asked, None)

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

    async def _outcome(self, ticket: Ticket, asked: Asked, spec: FaultSpec | None) -> Reply:
        """The answer, or what the fault makes of it."""
        if spec is not None and spec.kind.error is not None:
            return self._error(ticket, asked, spec, spec.kind.error)
        answers = await self._answers(asked)
        if isinstance(answers, FaultSpec):
            # The script's error comes before what a fault would have made of an answer.
            spec = answers
            if spec.kind.error is not None:
                return self._error(ticket, asked, spec, spec.kind.error)
            answers = [Answered(Completion("", usage=Usage(asked.prompt_tokens, 0)))]
        value = envelope(
            asked.form, asked.model, asked.digest, [answer.completion for answer in answers]
        )
        if spec is not None and spec.kind.change is not None:
            value = spec.kind.change(value, self._call(asked, spec))
        delay_s = self.settings.latency.seconds(self.settings.seed, asked.digest)
        delay_s += max(answer.latency_s for answer in answers)
        reply = replace(json_reply(200, value), delay_s=delay_s)
        if spec is not None and spec.kind.spoil is not None:
            reply = spec.kind.spoil(reply, self._call(asked, spec))
        ticket.fault = None if spec is None else spec.kind.name
        ticket.is_answer = spec is None or spec.kind.ends_as == AN_ANSWER
        if ticket.is_answer:
            ticket.completion_tokens = sum(
                answer.completion.usage.completion_tokens or 0 for answer in answers
            )
            self._limits.take_answer(ticket.completion_tokens)
        return reply

    async def _answers(self, asked: Asked) -> list[Answered] | FaultSpec:
        constraint = asked.request.constraint
        if not self._source.scripted and constraint is not None and constraint.kind == "gbnf":
            raise Refused(
                error_reply(
                    400,
                    "The fake server enforces no grammar; give it a script, or send none.",
                    code="grammar_not_enforced",
                    param="grammar",
                )
            )
        answers: list[Answered] = []
        for choice in range(asked.choices):
            given = await self._source.answer(asked, choice)
            if isinstance(given, FaultSpec):
                return given
            answers.append(given)
        return answers

    def _error(
        self, ticket: Ticket, asked: Asked, spec: FaultSpec, error: Callable[[FaultCall], Reply]
    ) -> Reply:
        ticket.fault = spec.kind.name
        return error(self._call(asked, spec))

    def _call(self, asked: Asked, spec: FaultSpec) -> FaultCall:
        return FaultCall(
            argument=spec.argument,
            form=asked.form,
            model=asked.model,
            prompt_tokens=asked.prompt_tokens,
            context_tokens=self.settings.context_tokens or _USUAL_CONTEXT,
            now_s=self._now(),
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
