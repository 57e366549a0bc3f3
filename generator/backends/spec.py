"""The model SPEC of the command line: `BACKEND[:MODEL][@BASE_URL]`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from generator.errors import WrongUse

EXAMPLES = (
    "openai:gpt-4o-mini",
    "openai-completions:davinci-002",
    "openai:my-model@http://127.0.0.1:8000/v1",
    "embedded",
    "replay:outputs/run1",
)

_BASE_URL = re.compile(r"@(?=https?://)", re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_USERINFO = re.compile(r"//\S*@")
_NOT_IN_A_URL = re.compile(r"[\s\x00-\x1f\x7f\\]")


@dataclass(frozen=True, slots=True)
class BackendSpec:
    """A parsed SPEC. `str()` gives it back in its normal form.

    `base_url` has no trailing slash, a lower-case scheme and host, and neither
    credentials, query nor fragment.
    """

    backend: str
    model: str | None = None
    base_url: str | None = None

    def __str__(self) -> str:
        model = f":{self.model}" if self.model else ""
        base_url = f"@{self.base_url}" if self.base_url else ""
        return f"{self.backend}{model}{base_url}"


def parse_spec(text: str) -> BackendSpec:
    """Read `BACKEND[:MODEL][@BASE_URL]`.

    The base URL is what follows the last `@` that stands before `http://` or
    `https://`, so that a model name may hold `:`, `/` and `@`. Raises `WrongUse`
    with examples; credentials written into a URL are refused and not repeated.
    """
    text = text.strip()
    if not text:
        raise _wrong("a model SPEC is empty")
    if re.match(r"https?://", text, re.IGNORECASE):
        raise _wrong(
            "a model SPEC begins with the backend, not with the address: "
            "write openai:MODEL@ before the URL"
        )
    cuts = [match.start() for match in _BASE_URL.finditer(text)]
    head, url = (text[: cuts[-1]], text[cuts[-1] + 1 :]) if cuts else (text, None)
    backend, colon, model = head.partition(":")
    if not _NAME.fullmatch(backend):
        raise _wrong(f"the model SPEC {_shown(text)!r} does not begin with the name of a backend")
    if colon and not model:
        raise _wrong(f"the model SPEC {_shown(text)!r} has nothing after the colon")
    if "://" in model:
        raise _wrong(
            f"the model SPEC {_shown(text)!r} holds an address that is no base URL: "
            "a base URL begins with http:// or https:// and follows an @"
        )
    return BackendSpec(backend, model or None, normal_base_url(url) if url is not None else None)


def normal_base_url(url: str) -> str:
    """The base URL in normal form. Raises `WrongUse` when it is none, or holds credentials."""
    if _NOT_IN_A_URL.search(url):
        raise _wrong("the base URL holds a space, a backslash or a control character")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _wrong("the base URL is malformed (its host or port cannot be read)") from None
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise _wrong(
            "the base URL holds credentials (user:password@); take them out: "
            "keys are read from environment variables only"
        )
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        raise _wrong(
            "the base URL holds a query or a fragment; give the plain address: "
            "keys are read from environment variables only"
        )
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise _wrong("the base URL must be http://HOST[:PORT][/PATH] or https://…")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = host if port is None else f"{host}:{port}"
    path = parts.path.rstrip("/")
    return SplitResult(parts.scheme.lower(), netloc, path, "", "").geturl()


def _shown(text: str) -> str:
    """The text for a message, without what may be credentials, and not endless."""
    shown = _USERINFO.sub("//…@", text)
    return shown if len(shown) <= 200 else shown[:200] + "…"


def _wrong(what: str) -> WrongUse:
    return WrongUse(f"{what}. Examples: {', '.join(EXAMPLES)}")
