"""Faults of the bytes and of the connection: the answer was made, and then this happens to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from generator.fakeserver.fault_model import AN_ANSWER, FaultCall, FaultKind
from generator.fakeserver.replies import HTML, Delivery, Reply, html_reply

_SECONDS = "seconds"


def _delivered(delivery: Delivery) -> Callable[[Reply, FaultCall], Reply]:
    return lambda reply, _: replace(reply, delivery=delivery)


def _body(change: Callable[[bytes], bytes]) -> Callable[[Reply, FaultCall], Reply]:
    return lambda reply, _: replace(reply, body=change(reply.body))


def _slow(reply: Reply, call: FaultCall) -> Reply:
    return replace(reply, delay_s=reply.delay_s + call.argument)


def _drip(reply: Reply, call: FaultCall) -> Reply:
    return replace(reply, delivery="drip", drip_s=call.argument)


def _page(reply: Reply, _: FaultCall) -> Reply:
    return replace(reply, body=html_reply(200, "Welcome").body, content_type=HTML)


def _events(reply: Reply, _: FaultCall) -> Reply:
    """The answer in two events, its message as the first one's `delta`, then its end."""
    answer = json.loads(reply.body)
    choices = [dict(choice) for choice in answer["choices"]]
    ends = [
        {"index": n, "delta": {}, "finish_reason": choice.pop("finish_reason")}
        for n, choice in enumerate(choices)
    ]
    for choice in choices:
        if "message" in choice:
            choice["delta"] = choice.pop("message")
    usage = answer.pop("usage", None)
    chunks = ({**answer, "choices": choices}, {**answer, "choices": ends, "usage": usage})
    lines = [*(json.dumps(chunk) for chunk in chunks), "[DONE]"]
    body = "".join(f"data: {line}\n\n" for line in lines).encode()
    return replace(reply, body=body, content_type="text/event-stream")


WIRE_FAULTS: tuple[FaultKind, ...] = (
    FaultKind("html_200", "200 with a web page", "BadResponse", spoil=_page),
    FaultKind("empty_200", "200 with no body", "BadResponse", spoil=_body(lambda _: b"")),
    FaultKind(
        "invalid_json", "200 whose body is no JSON", "BadResponse",
        spoil=_body(lambda body: b"{'choices': " + body),
    ),
    FaultKind(
        "truncated_json", "200 whose JSON breaks off, with a matching length", "BadResponse",
        spoil=_body(lambda body: body[: len(body) // 2]),
    ),
    FaultKind(
        "repeated_body", "200 with the JSON object twice", "BadResponse",
        spoil=_body(lambda body: body + body),
    ),
    FaultKind(
        "not_an_object", "200 with a JSON list around the object", "BadResponse",
        spoil=_body(lambda body: b"[" + body + b"]"),
    ),
    FaultKind(
        "blank_lines_then_json", "the answer after blank lines", AN_ANSWER,
        spoil=_body(lambda body: b"\n\n \n" * 10 + body),
    ),
    FaultKind(
        "wrong_content_type", "the answer as `text/plain`", AN_ANSWER,
        spoil=lambda reply, _: replace(reply, content_type="text/plain"),
    ),
    FaultKind(
        "event_stream", "the answer as a stream of events", AN_ANSWER, spoil=_events
    ),
    FaultKind(
        "broken_gzip", "200 that claims to be compressed", "ConnectionFault",
        spoil=lambda reply, _: replace(
            reply, headers=(*reply.headers, ("content-encoding", "gzip"))
        ),
    ),
    FaultKind(
        "torn_body", "the connection closes after half of the promised length", "ConnectionFault",
        spoil=_delivered("torn"),
    ),
    FaultKind(
        "torn_chunked", "the connection closes inside a chunked body", "ConnectionFault",
        spoil=_delivered("torn_chunked"),
    ),
    FaultKind(
        "reset", "the connection is reset before any byte", "ConnectionFault",
        spoil=_delivered("reset"),
    ),
    FaultKind(
        "closed", "the connection closes before any byte", "ConnectionFault",
        spoil=_delivered("closed"),
    ),
    FaultKind(
        "not_http", "what comes is not HTTP", "ConnectionFault", spoil=_delivered("not_http")
    ),
    FaultKind(
        "slow", "the answer comes late", AN_ANSWER, argument=_SECONDS, default=2.0, spoil=_slow
    ),
    FaultKind(
        "slow_drip", "the bytes of the answer trickle in", AN_ANSWER,
        argument=_SECONDS, default=2.0, spoil=_drip,
    ),
    FaultKind(
        "hang", "no answer until the client gives up", "ConnectionFault", spoil=_delivered("hang")
    ),
)  # fmt: skip
