"""The SPEC grammar."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends import BackendSpec, parse_spec
from generator.errors import WrongUse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("openai:gpt-4o-mini", BackendSpec("openai", "gpt-4o-mini")),
        ("openai-completions:davinci-002", BackendSpec("openai-completions", "davinci-002")),
        (
            "openai:my-model@http://127.0.0.1:8000/v1",
            BackendSpec("openai", "my-model", "http://127.0.0.1:8000/v1"),
        ),
        ("embedded", BackendSpec("embedded")),
        ("  embedded\n", BackendSpec("embedded")),
        ("embedded:/path/to a/model.gguf", BackendSpec("embedded", "/path/to a/model.gguf")),
        ("embedded:C:\\models\\m.gguf", BackendSpec("embedded", "C:\\models\\m.gguf")),
        ("replay:outputs/run1", BackendSpec("replay", "outputs/run1")),
        ("openai:org/model:tag", BackendSpec("openai", "org/model:tag")),
        ("openai:org/model@rev", BackendSpec("openai", "org/model@rev")),
        (
            "openai:org/model@rev:q4@https://Host.Example/V1/",
            BackendSpec("openai", "org/model@rev:q4", "https://host.example/V1"),
        ),
        ("openai@http://h", BackendSpec("openai", None, "http://h")),
        ("openai:m@http://[::1]:8000/v1", BackendSpec("openai", "m", "http://[::1]:8000/v1")),
        ("openai:模型@http://例子.中国/v1", BackendSpec("openai", "模型", "http://例子.中国/v1")),
    ],
)
def test_specs(text, expected):
    assert parse_spec(text) == expected
    assert parse_spec(str(expected)) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        (":gpt-4o", "does not begin with the name of a backend"),
        ("OpenAI!:x", "does not begin with the name of a backend"),
        ("openai:", "nothing after the colon"),
        ("http://127.0.0.1:8000/v1", "write openai:MODEL@ before the URL"),
        ("openai:m@ftp://h/v1", "no base URL"),
        ("openai:a@http://one/v1@http://two/v1", "no base URL"),
        ("openai:m@http://", "must be http://HOST"),
        ("openai:m@http://h:99999/v1", "malformed"),
        ("openai:m@http://h:port/v1", "malformed"),
        ("openai:m@http://[::1/v1", "malformed"),
        ("openai:m@http://a b/v1", "space"),
        ("openai:m@http://h/v1\x00", "control character"),
        ("openai:m@http://h/v1#top", "fragment"),
    ],
)
def test_wrong_specs_say_why_and_give_examples(text, words):
    with pytest.raises(WrongUse) as raised:
        parse_spec(text)
    assert words in str(raised.value)
    assert "openai:gpt-4o-mini" in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "openai:m@http://user:hunter2@host/v1",
        "openai:m@https://hunter2@host/v1",
        "openai:m@http://host/v1?api-key=hunter2",
        "openai:m@http://user:hun@hunter2@host/v1",
        "openai:m@http://user:hunter2/x@host/v1",
        "openai:m@ftp://user:hunter2@host/v1",
        "?!:m@ftp://user:hunter2@host/v1",
        "openai:m@http://host/v1 hunter2",
        "http://user:hunter2@host/v1",
    ],
)
def test_credentials_are_refused_and_not_repeated(text):
    with pytest.raises(WrongUse) as raised:
        parse_spec(text)
    assert "hunter2" not in str(raised.value)
    assert raised.value.__cause__ is None


names = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True)
models = st.none() | st.text(min_size=1, max_size=30).filter(
    lambda text: text == text.strip() and "://" not in text
)
base_urls = st.none() | st.from_regex(
    r"https?://[a-z][a-z0-9.]{0,10}[a-z](:[1-9][0-9]{0,3})?(/[a-zA-Z0-9_-]{1,8}){0,3}",
    fullmatch=True,
)


@settings(deadline=None, max_examples=150)
@given(names, models, base_urls)
def test_str_and_parse_are_inverse(backend, model, base_url):
    spec = BackendSpec(backend, model, base_url)
    assert parse_spec(str(spec)) == spec


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60))
def test_any_text_is_a_spec_or_wrong_use(text):
    try:
        spec = parse_spec(text)
    except WrongUse:
        return
    assert parse_spec(str(spec)) == spec
