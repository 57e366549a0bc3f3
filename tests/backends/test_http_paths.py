"""Which path a server is reached by, and what the fast path does with its connections."""

import asyncio
import gzip
import importlib.util
import json
import ssl
import subprocess
import sys

import loopback_server
import pytest
from loopback_server import CHAT, Reply, chat_body, reply, serving

from generator.backends import make_backend
from generator.backends.http_paths import is_plain, make_http
from generator.backends.openai_access import azure_access, openai_access
from generator.backends.spec import parse_spec
from generator.errors import ConnectionFault, WrongUse

GOOD = reply(chat_body("Hi."))
OFFICIAL = {"OPENAI_API_KEY": "k-1"}


@pytest.fixture
def proxies(monkeypatch):
    """Sets the environment's proxies, and nothing but those."""
    for name in ("http", "https", "all", "no"):
        monkeypatch.delenv(f"{name}_proxy", raising=False)
        monkeypatch.delenv(f"{name.upper()}_PROXY", raising=False)

    def install(**named):
        for name, value in named.items():
            monkeypatch.setenv(name, value)

    return install


@pytest.mark.parametrize(
    ("spec", "environ", "environs_proxies", "plain"),
    [
        pytest.param("openai:m", OFFICIAL, {}, True, id="OpenAI"),
        pytest.param("openai:m@http://127.0.0.1:8000/v1", {}, {}, True, id="this machine"),
        pytest.param("openai:m@https://h.example/v1", {}, {}, True, id="any server"),
        pytest.param(
            "openai:m", {**OFFICIAL, "OPENAI_ORG_ID": "o"}, {}, True, id="an organisation"
        ),
        pytest.param(
            "openai:m", {**OFFICIAL, "OPENAI_CUSTOM_HEADERS": "X-A: b"}, {}, False, id="own headers"
        ),
        pytest.param(
            "openai:m@https://h.example/v1",
            {"OPENAI_CUSTOM_HEADERS": "X-A: b"},
            {},
            True,
            id="own headers are not for others",
        ),
        pytest.param(
            "openai:m", OFFICIAL, {"https_proxy": "http://p.example:1"}, False, id="a proxy"
        ),
        pytest.param(
            "openai:m", OFFICIAL, {"ALL_PROXY": "http://p.example:1"}, False, id="a proxy for all"
        ),
        pytest.param(
            "openai:m", OFFICIAL, {"http_proxy": "http://p.example:1"}, True, id="other scheme"
        ),
        pytest.param(
            "openai:m@https://h.example/v1",
            {},
            {"https_proxy": "http://p.example:1", "no_proxy": "h.example"},
            True,
            id="past the proxy",
        ),
        pytest.param(
            "openai:m@http://127.0.0.1:8000/v1",
            {},
            {"http_proxy": "http://p.example:1"},
            True,
            id="this machine is past the proxy",
        ),
    ],
)
def test_which_server_is_plain(spec, environ, environs_proxies, plain, proxies):
    proxies(**environs_proxies)
    assert is_plain(openai_access(parse_spec(spec), environ)) is plain


def test_azure_is_not_plain(proxies):
    proxies()
    spec = parse_spec("azure:d@https://r.openai.azure.com")
    assert not is_plain(azure_access(spec, {"AZURE_OPENAI_API_KEY": "k"}))


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        pytest.param("socks5://u:p4ss@127.0.0.1:9", r"\[socks\]", id="SOCKS without its package"),
        pytest.param("ftp://u:p4ss@127.0.0.1:9", "no address", id="no proxy's scheme"),
        pytest.param("http://u:p4ss@[::1", "no address", id="malformed"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_wrong_use(proxy, words, proxies, monkeypatch):
    monkeypatch.setitem(sys.modules, "socksio", None)
    proxies(https_proxy=proxy, ALL_PROXY=proxy)
    with pytest.raises(WrongUse, match=words) as raised:
        make_backend("openai:m@https://h.example/v1", environ={})
    assert "p4ss" not in str(raised.value)
    assert "NO_PROXY=h.example" in str(raised.value)


def test_a_proxy_that_does_not_answer_is_named(proxies):
    proxies(http_proxy="http://u:p4ss@127.0.0.1:9")

    async def main():
        backend = make_backend("openai:m@http://h.example/v1", environ={})
        try:
            with pytest.raises(ConnectionFault, match="through the environment's proxy") as raised:
                await backend.complete(CHAT)
        finally:
            await backend.aclose()
        return str(raised.value)

    assert "p4ss" not in asyncio.run(asyncio.wait_for(main(), 20))


def test_a_proxy_that_cannot_be_used_does_not_matter_for_this_machine(ask, proxies, monkeypatch):
    monkeypatch.setitem(sys.modules, "socksio", None)
    proxies(ALL_PROXY="socks5://127.0.0.1:9")
    assert loopback_server.answered(ask(GOOD)).text == "Hi."


def _path_of(kind):
    http = make_http(
        openai_access(parse_spec(f"{kind}:m@http://127.0.0.1:1/v1"), {}),
        concurrency=1,
        timeout_s=1.0,
        sdk="sdk" in kind,
    )
    return type(http).__name__


def test_the_sdk_can_be_forced_and_takes_over_without_httptools(monkeypatch):
    assert _path_of("openai") == "LeanHttp"
    assert _path_of("openai-sdk") == "OpenAIHttp"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert _path_of("openai") == "OpenAIHttp"


@pytest.mark.parametrize("form", ["openai", "openai-completions"])
def test_the_identity_is_the_same_over_both_paths(form):
    fast, sdk = (
        make_backend(f"{loopback_server.kind_over(path, form)}:m-sdk@http://h/v1", environ={})
        for path in ("fast", "sdk")
    )
    assert fast.endpoint == sdk.endpoint == f"{form}:m-sdk@http://h/v1"
    assert fast.capabilities == sdk.capabilities
    assert sdk.spec.startswith("openai-sdk")


@pytest.mark.parametrize("value", ["org 1", "org\nX: y", "组织"])
def test_an_account_no_header_can_hold(value):
    with pytest.raises(WrongUse, match="OPENAI_ORG_ID"):
        make_backend("openai:m", environ={**OFFICIAL, "OPENAI_ORG_ID": value})


def test_the_fast_path_needs_no_sdk():
    code = (
        "import sys; from generator.backends import make_backend; "
        "make_backend('openai:m@http://127.0.0.1:1/v1', environ={}); "
        "print([m for m in ('openai', 'httpx2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_compressed_answer_is_read(ask):
    packed = gzip.compress(json.dumps(chat_body("Hi. 你好")).encode())
    outcome = ask(reply(packed, headers={"Content-Encoding": "gzip"}))
    assert loopback_server.answered(outcome).text == "Hi. 你好"


def _complete_each(backend_at, replies, concurrency=1):
    """The outcomes of one request a reply, one after the other, and the server afterwards."""

    async def main():
        async with serving(lambda n, _: replies[n]) as server:
            backend = backend_at(server.base_url, concurrency=concurrency)
            outcomes = []
            try:
                for _ in replies:
                    try:
                        outcomes.append((await backend.complete(CHAT)).text)
                    except ConnectionFault as error:
                        outcomes.append(error)
                    # The end of a connection reaches the client a few turns of the loop later.
                    for _ in range(20):
                        await asyncio.sleep(0)
            finally:
                await backend.aclose()
            return outcomes, server

    return asyncio.run(asyncio.wait_for(main(), 20))


def test_connections_are_used_again(backend_at):
    outcomes, server = _complete_each(backend_at, [GOOD] * 5)
    assert outcomes == ["Hi."] * 5
    assert server.connections == 1


def test_a_connection_that_the_server_closed_is_not_used_again(backend_at):
    outcomes, server = _complete_each(backend_at, [Reply(GOOD.raw, "close"), GOOD])
    assert outcomes == ["Hi."] * 2
    assert server.connections == 2


def test_a_connection_that_breaks_under_a_request_fails_it_once(backend_at):
    outcomes, server = _complete_each(backend_at, [GOOD, Reply(b"", "close"), GOOD])
    assert [type(outcome) for outcome in outcomes] == [str, ConnectionFault, str]
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(b"left over", id="no HTTP"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Le", id="half an answer"),
        pytest.param(reply(chat_body("Not asked for.")).raw, id="a second answer"),
    ],
)
def test_what_comes_after_an_answer_never_reaches_the_next_request(more):
    outcomes, server = _complete_each(
        loopback_server.backend_at, [Reply(GOOD.raw + more), GOOD, GOOD]
    )
    assert outcomes == ["Hi."] * 3
    assert server.connections == 2


def test_cookies_are_not_kept(backend_at):
    baked = reply(chat_body("Hi."), headers={"Set-Cookie": "lane=7; Path=/"})
    _, server = _complete_each(backend_at, [baked, GOOD])
    assert "cookie" not in server.seen[1].headers


def test_giving_up_a_request_frees_its_place(backend_at):
    async def main():
        replies = [Reply(b"", "hang"), GOOD]
        async with serving(lambda n, _: replies[n]) as server:
            backend = backend_at(server.base_url, concurrency=1)
            try:
                given_up = asyncio.ensure_future(backend.complete(CHAT))
                while not server.seen:
                    await asyncio.sleep(0)
                given_up.cancel()
                await asyncio.gather(given_up, return_exceptions=True)
                return await backend.complete(CHAT)
            finally:
                await backend.aclose()

    assert asyncio.run(asyncio.wait_for(main(), 20)).text == "Hi."


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1 that nobody vouches for, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem"
    )
    try:
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the openssl command is not here")
    return folder


def _over_tls(folder, backend_at):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(folder / "cert.pem", folder / "key.pem")

    async def main():
        async with serving(lambda *_: GOOD, tls=tls) as server:
            backend = backend_at(server.base_url)
            try:
                return [(await backend.complete(CHAT)).text for _ in range(2)]
            except ConnectionFault as error:
                return str(error)
            finally:
                await backend.aclose()

    return asyncio.run(asyncio.wait_for(main(), 20))


def test_a_certificate_nobody_vouches_for(certificate, backend_at, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    assert "certificate is not trusted (self" in _over_tls(certificate, backend_at)


def test_a_certificate_of_the_environment_is_trusted(certificate, backend_at, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    assert _over_tls(certificate, backend_at) == ["Hi.", "Hi."]
