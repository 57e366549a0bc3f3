"""What can break below HTTP, with real sockets where the machine allows it."""

import asyncio
import contextlib
import errno
import socket
import ssl

import loopback_server
import pytest
from loopback_server import (
    CHAT,
    Reply,
    answered,
    chat_body,
    failed,
    reply,
    serving,
)

from generator.backends import BackendOptions, make_backend
from generator.backends.openai_connection import connection_fault
from generator.backends.openai_http import http_library
from generator.errors import ConnectionFault

HTTP = http_library()
GOOD = reply(chat_body("Hi."))


def _fault_at(openai_kind, base_url, **options):
    async def main():
        backend = make_backend(
            f"{openai_kind}:m@{base_url}", environ={}, options=BackendOptions(**options)
        )
        try:
            with pytest.raises(ConnectionFault) as raised:
                await backend.complete(CHAT)
        finally:
            await backend.aclose()
        return raised.value

    return asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(Reply(GOOD.raw[:-5], "close"), id="torn body"),
        pytest.param(reply(chat_body(), length=100_000, then="close"), id="length too long"),
        pytest.param(Reply(b"", "close"), id="closed without a byte"),
        pytest.param(Reply(b"HTTP/1.1 200 OK\r\nContent-Le", "close"), id="torn head"),
        pytest.param(Reply(b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "close"), id="not HTTP"),
        pytest.param(
            Reply(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "close"),
            id="torn chunk",
        ),
        pytest.param(
            reply(b"nonsense", headers={"Content-Encoding": "gzip"}), id="broken compression"
        ),
        pytest.param(reply(b"{}", status=500, length=99, then="close"), id="torn error body"),
    ],
)
def test_a_broken_answer(ask, given):
    outcome = ask(given)
    error = failed(outcome)
    assert type(error) is ConnectionFault
    assert outcome.base_url in str(error)
    assert len(outcome.seen) == 1


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(Reply(b"", "hang"), id="silent"),
        pytest.param(Reply(GOOD.raw[:-5], "hang"), id="stops in the body"),
    ],
)
def test_a_request_has_a_deadline(ask, given):
    error = failed(ask(given, options=BackendOptions(request_timeout_s=0.3)))
    assert type(error) is ConnectionFault
    assert "time" in str(error) or "within 0.3 s" in str(error)


def test_a_slow_drip_meets_the_deadline_too(openai_kind):
    async def drip(reader, writer):
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while True:
                writer.write(b" ")
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    if await asyncio.wait_for(reader.read(1000), 0.02) == b"":
                        return
        except ConnectionError:
            return
        finally:
            writer.close()

    async def main():
        listener = await asyncio.start_server(drip, "127.0.0.1", 0)
        base_url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
        backend = make_backend(
            f"{openai_kind}:m@{base_url}", environ={}, options=BackendOptions(request_timeout_s=0.4)
        )
        try:
            with pytest.raises(ConnectionFault, match=r"no whole answer within 0\.4 s"):
                await backend.complete(CHAT)
        finally:
            await backend.aclose()
            listener.close()

    asyncio.run(asyncio.wait_for(main(), 20))


def test_the_next_request_after_a_torn_one_is_answered(backend_at):
    async def main():
        replies = [Reply(GOOD.raw[:-5], "close"), GOOD]
        async with serving(lambda n, _: replies[n]) as server:
            backend = backend_at(server.base_url)
            try:
                with pytest.raises(ConnectionFault):
                    await backend.complete(CHAT)
                return await backend.complete(CHAT)
            finally:
                await backend.aclose()

    assert asyncio.run(main()).text == "Hi."


def test_nothing_listens(openai_kind):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        error = _fault_at(openai_kind, f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert "connection refused" in str(error)


def test_tls_asked_of_a_plain_server(backend_at):
    async def plain(reader, writer):
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async def main():
        listener = await asyncio.start_server(plain, "127.0.0.1", 0)
        backend = backend_at(f"https://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1")
        try:
            with pytest.raises(ConnectionFault, match="TLS: the handshake failed"):
                await backend.complete(CHAT)
        finally:
            await backend.aclose()
            listener.close()

    asyncio.run(asyncio.wait_for(main(), 20))


def _chained(error, *causes):
    current = error
    for cause in causes:
        current.__cause__ = cause
        current = cause
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        pytest.param(
            _chained(Exception(), HTTP.ConnectError(""), OSError(errno.EMFILE, "x")),
            "too many open files",
            id="file limit",
        ),
        pytest.param(
            _chained(
                Exception(),
                OSError("all failed"),
                ExceptionGroup("g", [OSError(errno.ENETUNREACH, "x"), ConnectionRefusedError()]),
            ),
            "connection refused",
            id="inside a group",
        ),
        pytest.param(
            _chained(Exception(), ssl.SSLCertVerificationError(1, "x")),
            "certificate is not trusted",
            id="certificate",
        ),
        pytest.param(
            _chained(Exception(), HTTP.ConnectError(""), socket.gaierror(-2, "x")),
            "host name cannot be resolved",
            id="name",
        ),
        pytest.param(
            _chained(Exception(), OSError(errno.ENETUNREACH, "x")), "ENETUNREACH", id="other errno"
        ),
        pytest.param(_chained(Exception(), HTTP.ConnectTimeout("")), "in time", id="slow connect"),
        pytest.param(
            _chained(Exception(), HTTP.ConnectTimeout(""), TimeoutError(), ssl.SSLWantReadError()),
            "no connection in time",
            id="slow TLS",
        ),
        pytest.param(_chained(Exception(), HTTP.ProxyError("")), "proxy", id="proxy"),
        pytest.param(_chained(Exception(), HTTP.PoolTimeout("")), "pool", id="pool"),
        pytest.param(_chained(Exception(), KeyError("sk-x")), "(KeyError)", id="unknown"),
    ],
)
def test_causes_are_named_by_type_and_number(error, words):
    fault = connection_fault(error, HTTP, "http://h/v1")
    assert words in str(fault)
    assert str(fault).startswith("http://h/v1: ")
    assert "sk-x" not in str(fault)


def test_a_cause_that_leads_back_to_itself_ends():
    first, second = Exception(), Exception()
    first.__cause__, second.__cause__ = second, first
    assert "Exception" in str(connection_fault(first, HTTP, "http://h"))


def test_too_many_open_files_is_named(backend_at):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def main():
        async with serving(lambda *_: GOOD) as server:
            backend = backend_at(server.base_url)
            probe = socket.socket()
            next_descriptor = probe.fileno()
            probe.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (next_descriptor, hard))
            try:
                with pytest.raises(ConnectionFault, match="too many open files"):
                    await backend.complete(CHAT)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                await backend.aclose()

    asyncio.run(asyncio.wait_for(main(), 20))


def test_more_requests_than_the_concurrency_meet_the_pool_by_name(openai_kind):
    async def main():
        async with serving(lambda *_: Reply(b"", "hang")) as server:
            options = BackendOptions(request_timeout_s=1.0)
            backend = make_backend(
                f"{openai_kind}:m@{server.base_url}", environ={}, concurrency=1, options=options
            )
            try:
                return await asyncio.gather(
                    backend.complete(CHAT), backend.complete(CHAT), return_exceptions=True
                )
            finally:
                await backend.aclose()

    errors = asyncio.run(asyncio.wait_for(main(), 20))
    assert all(isinstance(error, ConnectionFault) for error in errors)
    assert "no free connection in the pool" in str(errors[1])


def test_requests_spread_over_several_clients_are_all_answered(backend_at):
    async def main():
        async with serving(lambda *_: GOOD) as server:
            backend = backend_at(server.base_url, concurrency=120)
            try:
                return await asyncio.gather(*(backend.complete(CHAT) for _ in range(120)))
            finally:
                await backend.aclose()

    answers = asyncio.run(asyncio.wait_for(main(), 30))
    assert [answer.text for answer in answers] == ["Hi."] * 120


def test_the_transport_is_the_seam():
    def transport():
        return HTTP.MockTransport(lambda request: HTTP.Response(200, json=chat_body("Mocked.")))

    async def main():
        backend = loopback_server.backend_at("http://127.0.0.1:9/v1", transport=transport)
        try:
            return await backend.complete(CHAT)
        finally:
            await backend.aclose()

    assert asyncio.run(main()).text == "Mocked."


def test_a_proxy_of_the_environment_is_passed_by_for_this_machine(ask, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert answered(ask(GOOD)).text == "Hi."
