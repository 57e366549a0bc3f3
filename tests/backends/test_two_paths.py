"""The fast path and the SDK's are alike: what they send, and what becomes of every fault."""

import asyncio
import gzip
import json
import socket
import urllib.request
import zlib
from dataclasses import replace

import loopback_server
import pytest
from loopback_server import PROMPT, Reply, chat_body, error_body, reply, serving

from generator.backends import BackendOptions, make_backend
from generator.backends.openai_access import Access
from generator.errors import CallFailed, DialogsmithError
from generator.fakeserver import FAULTS, FakeServer
from generator.values import Completion, Constraint, Message, Request, Sampling

PATHS = ("fast", "sdk")
GOOD = reply(chat_body("Hi."))
HI = json.dumps(chat_body("Hi.")).encode()
TEXT = reply({"choices": [{"text": "Hi.", "finish_reason": "stop"}]})
FREE_HEADERS = {"user-agent", "accept-encoding", "connection", "content-length"}
SCHEMA = Constraint("json_schema", '{"type": "object", "properties": {"名": {"type": "string"}}}')
LEARNED = (
    reply(error_body(code="unsupported_parameter", param="max_tokens"), status=400),
    reply(error_body(code="unsupported_value", param="temperature"), status=400),
    GOOD,
)


def _chat(*texts, constraint=None, **sampling):
    roles = ("system", "user", "assistant", "user")
    messages = tuple(Message(role, text) for role, text in zip(roles, texts, strict=False))
    return Request(messages=messages, sampling=Sampling(**sampling), constraint=constraint)


@pytest.mark.parametrize(
    ("kind", "request_", "replies"),
    [
        pytest.param("openai", _chat("Be brief.", "Hello?"), [GOOD], id="chat"),
        pytest.param("openai", _chat("短く。", "你好 🙂 مرحبا\u2028\x00"), [GOOD], id="unicode"),
        pytest.param("openai", _chat("a\ud800b", "\ud83d\ude42"), [GOOD], id="surrogates"),
        pytest.param(
            "openai",
            _chat("s", "u", "a", "u", temperature=0.0, top_p=1.0, max_tokens=7, seed=2**31),
            [GOOD],
            id="settings",
        ),
        pytest.param(
            "openai", _chat("s", "u", stop=("\n\n", "结束", "x\udc00")), [GOOD], id="stop"
        ),
        pytest.param(
            "openai",
            _chat("s", "u", extra=(("min_p", 0.05), ("a", None), ("o", {"深": ["\ud800", 1]}))),
            [GOOD],
            id="extra",
        ),
        pytest.param("openai", _chat("s", "u", constraint=SCHEMA), [GOOD], id="schema"),
        pytest.param(
            "openai", _chat("s", "u", max_tokens=7, temperature=0.5), LEARNED, id="swapped"
        ),
        pytest.param("openai-completions", PROMPT, [TEXT], id="completion"),
        pytest.param(
            "openai-completions",
            replace(PROMPT, sampling=Sampling(max_tokens=9, stop=("\n",))),
            [TEXT],
            id="completion settings",
        ),
        pytest.param(
            "openai-completions",
            Request(prompt="它是", constraint=Constraint("gbnf", 'root ::= "是\ud800"')),
            [TEXT],
            id="grammar",
        ),
    ],
)
@pytest.mark.parametrize("environ", [{}, {"DIALOGSMITH_API_KEY": "k-1"}], ids=["open", "keyed"])
def test_both_send_the_same(kind, request_, replies, environ):
    fast, sdk = (
        loopback_server.ask(
            *replies, request=request_, kind=kind, environ=environ, http_path=http_path
        )
        for http_path in PATHS
    )
    assert [seen.path for seen in fast.seen] == [seen.path for seen in sdk.seen]
    assert [seen.body for seen in fast.seen] == [seen.body for seen in sdk.seen]
    assert [_headers(seen) for seen in fast.seen] == [_headers(seen) for seen in sdk.seen]
    assert all("gzip" in seen.headers["accept-encoding"] for seen in (*fast.seen, *sdk.seen))
    assert replace(fast.completion, latency_s=None) == replace(sdk.completion, latency_s=None)
    assert fast.seen[0].headers["user-agent"] == "dialogsmith"
    assert sdk.seen[0].headers["user-agent"] != "dialogsmith"


def _headers(seen):
    kept = {name: value for name, value in seen.headers.items() if name not in FREE_HEADERS}
    assert kept.pop("host").startswith("127.0.0.1:")
    return kept


@pytest.mark.parametrize("http_path", PATHS)
def test_openai_is_told_the_account(http_path):
    account = (("OpenAI-Organization", "org-1"), ("OpenAI-Project", "proj-1"))

    async def main():
        async with serving(lambda *_: GOOD) as server:
            access = Access(server.base_url, "k-1", (), official=True, account_headers=account)
            backend = loopback_server.backend_at(
                server.base_url, access=access, http_path=http_path
            )
            try:
                await backend.complete(loopback_server.CHAT)
            finally:
                await backend.aclose()
            return server.seen[0].headers

    headers = asyncio.run(main())
    assert headers["authorization"] == "Bearer k-1"
    assert headers["openai-organization"] == "org-1"
    assert headers["openai-project"] == "proj-1"


@pytest.fixture(scope="module")
def fake_url():
    with FakeServer() as server:
        yield server.base_url


SAMPLING = Sampling(temperature=0.5, top_p=0.9, max_tokens=400, seed=1, stop=("\n\n\n",))
ASKED = {
    "openai": replace(_chat("Be brief.", "Tell me something."), sampling=SAMPLING),
    "openai-completions": replace(PROMPT, sampling=SAMPLING),
}
QUICK = {"slow": ":0.03", "slow_drip": ":0.03"}
WINDOW = "rate_limit_window"


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (kind, name)
        for kind in ASKED
        for name, fault in FAULTS.items()
        if name != WINDOW and not (fault.chat_only and kind == "openai-completions")
    ],
)
def test_every_fault_ends_the_same(fake_url, kind, fault):
    fast, sdk = (
        _outcome(fake_url, f"m#{fault}{QUICK.get(fault, '')}", kind, http_path)
        for http_path in PATHS
    )
    assert fast == sdk


def test_a_window_ends_the_same():
    ends = []
    for http_path in PATHS:
        with FakeServer() as server:
            outcomes = [
                _outcome(server.base_url, f"m#{WINDOW}:1/90", "openai", http_path) for _ in range(2)
            ]
        ends.append(outcomes)
    assert ends[0] == ends[1]
    assert [isinstance(outcome, Completion) for outcome in ends[0]] == [True, False]


def _outcome(base_url, model, kind, http_path):
    """All of an outcome that may be compared; a wait is only there or not, for time passes."""
    options = BackendOptions(request_timeout_s=0.3 if "#hang" in model else 20.0)
    spec = f"{loopback_server.kind_over(http_path, kind)}:{model}@{base_url}"

    async def main():
        backend = make_backend(spec, environ={}, options=options)
        try:
            return await backend.complete(ASKED[kind])
        except DialogsmithError as error:
            return error
        finally:
            await backend.aclose()

    outcome = asyncio.run(asyncio.wait_for(main(), 20))
    if isinstance(outcome, Completion):
        return replace(outcome, latency_s=None)
    wait_s = getattr(outcome, "retry_after_s", None)
    details = (outcome.status, outcome.code) if isinstance(outcome, CallFailed) else ()
    message = str(outcome).replace(base_url, "")
    return type(outcome), message, details, None if wait_s is None else wait_s > 0


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(Reply(GOOD.raw[:-5], "close"), id="torn body"),
        pytest.param(Reply(b"", "close"), id="closed without a byte"),
        pytest.param(Reply(b"HTTP/1.1 200 OK\r\nContent-Le", "close"), id="torn head"),
        pytest.param(Reply(b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "close"), id="not HTTP"),
        pytest.param(
            reply(b"nonsense", headers={"Content-Encoding": "gzip"}), id="broken compression"
        ),
        pytest.param(reply(b"", status=302, headers={"Location": "/v2"}), id="redirect"),
        pytest.param(
            reply(b"{}", status=500, headers={"X-Long": "x" * 20_000}), id="a long header"
        ),
        pytest.param(
            reply(b"{}", status=429, headers={"Retry-After": "2\r\nRetry-After: 3"}), id="two waits"
        ),
        pytest.param(
            Reply(GOOD.raw.replace(b"HTTP/1.1 200 Whatever", b"HTTP/1.0 200 OK"), "close"),
            id="HTTP/1.0",
        ),
        pytest.param(
            Reply(b"HTTP/1.1 200 OK\r\n\r\n" + GOOD.raw.split(b"\r\n\r\n", 1)[1], "close"),
            id="no length",
        ),
        pytest.param(
            Reply(
                b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"%x\r\n%s\r\n0\r\n\r\n" % (len(HI), HI)
            ),
            id="two lengths",
        ),
        pytest.param(
            Reply(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"%x;name=value\r\n%s\r\n0\r\nX-Sum: 1\r\n\r\n" % (len(HI), HI)
            ),
            id="chunk extensions and trailers",
        ),
        pytest.param(Reply(GOOD.raw.replace(b"200 Whatever", b"099 What")), id="no status"),
        pytest.param(Reply(GOOD.raw.replace(b"\r\n", b"\n")), id="bare line feeds"),
        pytest.param(
            Reply(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + GOOD.raw), id="early hints"
        ),
        pytest.param(
            reply(b"{}", status=500, headers={"X-Long": "x" * 200_000}), id="a header without end"
        ),
        pytest.param(
            reply(gzip.compress(gzip.compress(HI)), headers={"Content-Encoding": "gzip, gzip"}),
            id="compressed twice",
        ),
        pytest.param(
            reply(zlib.compress(HI), headers={"Content-Encoding": "identity, deflate"}),
            id="two encodings",
        ),
        pytest.param(reply(b"\x0b\x02", headers={"Content-Encoding": "br"}), id="not asked for"),
    ],
)
def test_odd_wires_end_the_same(given):
    ends = []
    for http_path in PATHS:
        outcome = loopback_server.ask(given, http_path=http_path)
        if outcome.completion is not None:
            ends.append(replace(outcome.completion, latency_s=None))
        else:
            message = str(outcome.error).replace(outcome.base_url, "")
            ends.append((type(outcome.error), message, getattr(outcome.error, "body", None)))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("host", ["nowhere.invalid", "a" * 70 + ".invalid", "münchen.invalid"])
def test_a_host_that_cannot_be_found_ends_the_same(host, monkeypatch):
    def not_found(name, *_, **__):
        name if isinstance(name, bytes) else name.encode("idna")
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", not_found)
    monkeypatch.setattr(urllib.request, "getproxies", dict)
    fast, sdk = (_outcome(f"http://{host}/v1", "m", "openai", path) for path in PATHS)
    assert fast == sdk
    assert "the host name cannot be resolved" in fast[1]
