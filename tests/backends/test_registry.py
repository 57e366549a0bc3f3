"""Which backends there are, and how plugins join them."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from generator.backends import BackendContext, BackendSpec, list_backends, make_backend, registry
from generator.backends.scripted import ScriptedBackend
from generator.errors import BadKey, WrongUse


def good_plugin(spec, context):
    """Answers with the name of the model."""
    assert isinstance(spec, BackendSpec)
    assert isinstance(context, BackendContext)
    return ScriptedBackend([spec.model or "nothing"], spec=str(spec))


def raising_plugin(spec, context):
    raise KeyError("boom\nand more")


def refusing_plugin(spec, context):
    raise BadKey("no key")


def hollow_plugin(spec, context):
    return object()


not_callable = 7


@pytest.fixture
def plugins(monkeypatch):
    """Entry points of these names, as if a package had declared them."""

    def install(**targets):
        points = tuple(
            EntryPoint(name.replace("_", "-"), target, registry.ENTRY_POINT_GROUP)
            for name, target in targets.items()
        )
        monkeypatch.setattr(registry, "entry_points", lambda group: points)

    return install


def test_the_projects_own_backends():
    names = [info.name for info in list_backends()]
    assert names[:4] == [
        "openai", "openai-completions", "openai-sdk", "openai-sdk-completions",
    ]  # fmt: skip
    assert names[4:8] == ["azure", "embedded", "replay", "scripted"]
    assert all(info.summary and info.example.startswith(info.name) for info in list_backends())


def test_a_missing_key_is_listed():
    openai, _, _, _, azure, *_ = list_backends({})
    assert not openai.available
    assert "OPENAI_API_KEY is not set" in openai.why_not
    assert "AZURE_OPENAI_API_KEY" in azure.why_not
    openai, *_ = list_backends({"OPENAI_API_KEY": "sk-none"})
    assert openai.available
    assert openai.why_not == ""


def test_a_missing_package_is_listed_and_named(monkeypatch):
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    embedded = next(info for info in list_backends() if info.name == "embedded")
    assert "xllamacpp is not installed" in embedded.why_not
    with pytest.raises(WrongUse, match=r"pip install .*embedded"):
        make_backend("embedded", environ={})


def test_a_base_url_for_the_embedded_model():
    with pytest.raises(WrongUse, match="embedded"):
        make_backend("embedded:m@http://h", environ={})


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gpt-4o-mini", "write openai:gpt-4o-mini"),
        ("opnai:gpt-4o-mini", "did you mean openai?"),
        ("zzz:model", "There are: openai, openai-completions, openai-sdk"),
    ],
)
def test_an_unknown_backend(spec, words):
    with pytest.raises(WrongUse) as raised:
        make_backend(spec, environ={})
    assert words in str(raised.value)


def test_a_concurrency_below_one():
    with pytest.raises(WrongUse, match="at least 1"):
        make_backend("scripted:x", environ={}, concurrency=0)


def test_a_parsed_spec_will_do(plugins):
    plugins(mine="test_registry:good_plugin")
    assert make_backend(BackendSpec("mine", "m"), environ={}).spec == "mine:m"


def test_a_plugin_is_listed_and_made(plugins):
    plugins(mine="test_registry:good_plugin")
    assert make_backend("mine:some-model", environ={}).spec == "mine:some-model"
    info = list_backends()[-1]
    assert (info.name, info.summary) == ("mine", "Answers with the name of the model.")
    assert info.available


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("no_such_module:make", "ModuleNotFoundError"),
        ("test_registry:no_such_name", "AttributeError"),
        ("test_registry:not_callable", "is not callable"),
        ("test_registry:raising_plugin", "KeyError"),
        ("test_registry:hollow_plugin", "has no spec, endpoint"),
    ],
)
def test_a_broken_plugin_gives_one_line(plugins, target, words):
    plugins(mine=target)
    with pytest.raises(WrongUse) as raised:
        make_backend("mine:m", environ={})
    assert words in str(raised.value)
    assert "mine" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_a_plugin_that_cannot_be_loaded_does_not_break_the_list(plugins):
    plugins(mine="no_such_module:make", yours="test_registry:good_plugin")
    mine, yours = list_backends()[-2:]
    assert not mine.available
    assert "ModuleNotFoundError" in mine.why_not
    assert yours.available


def test_a_plugins_own_errors_pass_through(plugins):
    plugins(mine="test_registry:refusing_plugin")
    with pytest.raises(BadKey, match="no key"):
        make_backend("mine:m", environ={})


def test_a_plugin_cannot_take_the_name_of_a_built_in(plugins):
    plugins(scripted="test_registry:good_plugin")
    with pytest.raises(WrongUse, match="script"):
        make_backend("scripted", environ={})
    assert "same name" in list_backends()[-1].why_not


def test_two_plugins_of_one_name(monkeypatch):
    points = tuple(
        EntryPoint("mine", target, registry.ENTRY_POINT_GROUP)
        for target in ("test_registry:good_plugin", "test_registry:hollow_plugin")
    )
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    with pytest.raises(WrongUse, match="remove one of them"):
        make_backend("mine:m", environ={})


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import sys; from generator.backends import list_backends, make_backend, parse_spec; "
        "list_backends({}); parse_spec('openai:m'); "
        "make_backend('replay:r', environ={}, open_run=lambda path: None); "
        "heavy = ('openai', 'httptools', 'xllamacpp', 'httpx2', 'pydantic'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
