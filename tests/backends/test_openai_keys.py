"""Keys: where they come from, whom they are sent to, and where they never appear."""

import asyncio
import json
import traceback
from urllib.parse import quote

import pytest
from loopback_server import CHAT, Reply, chat_body, error_body, reply, serving

from generator.backends import list_backends, make_backend, parse_spec
from generator.backends.openai_access import azure_access, openai_access
from generator.errors import BadKey, DialogsmithError, WrongUse

CANARY = "sk-canary-4f1d9c0b7e"
GOOD = reply(chat_body("Hi."))


def test_openai_without_a_key_names_the_variable():
    with pytest.raises(BadKey, match="OPENAI_API_KEY"):
        make_backend("openai:gpt-4o-mini", environ={})


@pytest.mark.parametrize("value", ["", "   "])
def test_an_empty_key_is_no_key(value):
    with pytest.raises(BadKey, match="OPENAI_API_KEY"):
        make_backend("openai:gpt-4o-mini", environ={"OPENAI_API_KEY": value})


@pytest.mark.parametrize("key", ["sk-a b", "sk-a\nX-Injected: 1", "sk-“quoted”", "钥匙"])
def test_a_key_no_header_can_hold_is_refused_unseen(key):
    with pytest.raises(BadKey, match="OPENAI_API_KEY") as raised:
        make_backend("openai:gpt-4o-mini", environ={"OPENAI_API_KEY": key})
    assert key not in str(raised.value)


@pytest.mark.parametrize(
    ("spec", "environ", "key"),
    [
        ("openai:m", {"OPENAI_API_KEY": "A"}, "A"),
        ("openai:m", {"OPENAI_API_KEY": " A\n", "DIALOGSMITH_API_KEY": "B"}, "A"),
        ("openai:m@https://api.openai.com/v1", {"OPENAI_API_KEY": "A"}, "A"),
        ("openai:m@https://eu.api.openai.com/v1", {"OPENAI_API_KEY": "A"}, "A"),
        ("openai:m@http://api.openai.com/v1", {"OPENAI_API_KEY": "A"}, None),
        ("openai:m@https://api.openai.com.evil.example/v1", {"OPENAI_API_KEY": "A"}, None),
        ("openai:m@https://evilapi.openai.com.example/v1", {"OPENAI_API_KEY": "A"}, None),
        ("openai:m@https://example.org/v1", {"OPENAI_API_KEY": "A"}, None),
        ("openai:m@https://example.org/v1", {"DIALOGSMITH_API_KEY": "B"}, "B"),
        (
            "openai:m@https://my-host.example.org/v1",
            {"DIALOGSMITH_API_KEY": "B", "DIALOGSMITH_API_KEY_MY_HOST_EXAMPLE_ORG": "C"},
            "C",
        ),
        ("openai:m@http://127.0.0.1:8000/v1", {"OPENAI_API_KEY": "A"}, None),
        (
            "openai:m",
            {"OPENAI_API_KEY": "A", "OPENAI_BASE_URL": "https://gateway.example/v1"},
            "A",
        ),
        ("openai:m", {"OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"}, None),
        (
            "openai:m@https://example.org/v1",
            {"OPENAI_API_KEY": "A", "OPENAI_BASE_URL": "https://example.org/v1"},
            None,
        ),
    ],
)
def test_which_key_goes_where(spec, environ, key):
    assert openai_access(parse_spec(spec), environ).key == key


def test_the_base_url_of_the_environment_is_part_of_the_identity():
    environ = {"OPENAI_API_KEY": "A", "OPENAI_BASE_URL": "https://Gateway.example/v1/"}
    backend = make_backend("openai:m", environ=environ)
    assert backend.endpoint == "openai:m@https://gateway.example/v1"
    assert backend.spec == "openai:m"


@pytest.mark.parametrize(
    ("spec", "environ", "words"),
    [
        ("openai:m@http://h/v1/chat/completions", {}, "@http://h/v1"),
        ("openai", {"OPENAI_API_KEY": "A"}, "name the model"),
        ("openai:m", {"OPENAI_BASE_URL": "https://u:p4ss@h/v1"}, "OPENAI_BASE_URL"),
        ("azure:d", {"AZURE_OPENAI_API_KEY": "A"}, "AZURE_OPENAI_ENDPOINT"),
        ("azure:d@http://h.example", {"AZURE_OPENAI_API_KEY": "A"}, "https://"),
        ("azure:d@https://h.example/openai/v1", {"AZURE_OPENAI_API_KEY": "A"}, "h.example"),
    ],
)
def test_unusable_addresses(spec, environ, words):
    with pytest.raises(WrongUse) as raised:
        make_backend(spec, environ=environ)
    assert words in str(raised.value)
    assert "p4ss" not in str(raised.value)


def test_azure_needs_a_key():
    with pytest.raises(BadKey, match="AZURE_OPENAI_API_KEY"):
        azure_access(parse_spec("azure:d@https://r.openai.azure.com"), {})


def _seen_headers(kind, environ, path="/v1"):
    async def main():
        async with serving(lambda *_: GOOD) as server:
            base_url = server.base_url.removesuffix("/v1") + path
            backend = make_backend(f"{kind}:my-model@{base_url}", environ=environ)
            try:
                await backend.complete(CHAT)
            finally:
                await backend.aclose()
            return server.seen[0]

    return asyncio.run(asyncio.wait_for(main(), 20))


def test_a_key_travels_as_bearer(openai_kind):
    seen = _seen_headers(openai_kind, {"DIALOGSMITH_API_KEY": CANARY})
    assert seen.headers["authorization"] == f"Bearer {CANARY}"


def test_a_foreign_server_sees_nothing_that_is_openais(openai_kind, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-canary")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-canary")
    headers = f"Authorization: Bearer {CANARY}\nX-Gateway: {CANARY}"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    for environ in ({"OPENAI_API_KEY": CANARY}, {"DIALOGSMITH_API_KEY": "own"}):
        seen = _seen_headers(openai_kind, environ)
        assert "canary" not in repr(seen.headers)
        assert not any(name.startswith(("x-stainless", "openai-")) for name in seen.headers)
        own = environ.get("DIALOGSMITH_API_KEY")
        assert seen.headers.get("authorization") == (f"Bearer {own}" if own else None)


@pytest.mark.parametrize(
    ("environ", "header", "value"),
    [
        ({"AZURE_OPENAI_API_KEY": CANARY}, "api-key", CANARY),
        ({"AZURE_OPENAI_AD_TOKEN": CANARY}, "authorization", f"Bearer {CANARY}"),
    ],
)
def test_azure_is_asked_by_its_deployment(environ, header, value):
    environ = {**environ, "OPENAI_API_VERSION": "2025-01-01"}
    seen = _seen_headers("azure", environ, path="")
    expected = "/openai/deployments/my-model/chat/completions?api-version=2025-01-01"
    assert seen.path == expected
    assert seen.headers[header] == value


FAILURES = [
    pytest.param(reply(error_body(f"Wrong key {CANARY}"), status=401), id="401"),
    pytest.param(reply(error_body(f"Wrong key {CANARY}"), status=403), id="403"),
    pytest.param(reply(error_body(f"{CANARY}", code="model_not_found"), status=404), id="404"),
    pytest.param(reply(f"<p>{CANARY}</p>".encode(), status=404), id="404 HTML"),
    pytest.param(reply(error_body(f"{CANARY}"), status=429), id="429"),
    pytest.param(reply(error_body(f"{CANARY}", code="insufficient_quota"), status=429), id="quota"),
    pytest.param(reply(error_body(f"{CANARY}"), status=500), id="500"),
    pytest.param(reply(error_body(f"{CANARY}"), status=400), id="400"),
    pytest.param(reply(b"", status=302, headers={"Location": f"http://{CANARY}@h/"}), id="302"),
    pytest.param(reply(error_body(f"{CANARY}"), status=200), id="error in a 200"),
    pytest.param(reply(f"you sent {CANARY}".encode()), id="no JSON"),
    pytest.param(Reply(b"", "close"), id="torn"),
]


@pytest.mark.parametrize("given", FAILURES)
def test_the_key_is_in_nothing_that_is_raised(ask, given):
    error = ask(given, environ={"DIALOGSMITH_API_KEY": CANARY}).error
    assert isinstance(error, DialogsmithError)
    shown = [str(error), repr(error), str(vars(error))]
    shown += traceback.format_exception(error)
    assert CANARY not in "".join(shown)
    chained = error
    while chained is not None:
        assert isinstance(chained, DialogsmithError | ValueError)
        assert CANARY not in repr(vars(chained))
        chained = chained.__cause__ or chained.__context__


@pytest.mark.parametrize(
    ("spec", "variable"),
    [
        ("openai:m", "OPENAI_API_KEY"),
        ("openai-completions:m", "OPENAI_API_KEY"),
        ("openai:m@https://example.org/v1", "DIALOGSMITH_API_KEY"),
        ("azure:d@https://r.openai.azure.com", "AZURE_OPENAI_API_KEY"),
        ("azure:d@https://r.openai.azure.com", "AZURE_OPENAI_AD_TOKEN"),
    ],
)
def test_the_key_is_in_no_identity(spec, variable):
    environ = {variable: CANARY}
    backend = make_backend(spec, environ=environ)
    shown = (repr(backend), str(backend), backend.spec, backend.endpoint, backend.capabilities)
    assert CANARY not in repr(shown)
    assert CANARY not in repr(list_backends(environ))
    parsed = parse_spec(spec)
    access = azure_access if parsed.backend == "azure" else openai_access
    assert CANARY not in repr(access(parsed, environ))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(lambda text: text, id="as it is"),
        pytest.param(lambda text: text.replace("/", "\\/"), id="PHP's JSON"),
        pytest.param(lambda text: text.replace("+", "\\u002B"), id="by numbers"),
        pytest.param(lambda text: json.dumps(text.replace("/", "\\/"))[1:-1], id="JSON in JSON"),
        pytest.param(lambda text: quote(text, safe=""), id="as in a URL"),
    ],
)
def test_a_key_that_is_repeated_in_an_escaped_form_is_taken_out(ask, said):
    key = "sk-canary/4f1d+9c0b=="
    body = b'{"error": {"message": "No %s."}}' % said(key).encode()
    outcome = ask(reply(body, status=400), environ={"DIALOGSMITH_API_KEY": key})
    assert "canary" not in f"{outcome.error} {outcome.error.body}"
    assert "[key]" in str(outcome.error)
    assert "[key]" in outcome.error.body
