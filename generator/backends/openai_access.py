"""Where an OpenAI-compatible server is, and which key may be sent to it.

A key goes to the party it was issued by and to nobody else: `OPENAI_API_KEY`
to OpenAI's own addresses (and to `OPENAI_BASE_URL`, which belongs to it), the
Azure keys to an Azure address, `DIALOGSMITH_API_KEY` to a base URL in a SPEC.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from generator.backends.spec import BackendSpec, normal_base_url
from generator.errors import BadKey, WrongUse
from generator.values import Environment

OPENAI_BASE_URL = "https://api.openai.com/v1"
AZURE_API_VERSION = "2024-10-21"
_ACCOUNT = (
    ("OPENAI_ORG_ID", "OpenAI-Organization"),
    ("OPENAI_PROJECT_ID", "OpenAI-Project"),
)
_ENDPOINT_PATHS = ("/chat/completions", "/completions")
_AZURE_PATHS = (*_ENDPOINT_PATHS, "/openai/v1", "/openai")


@dataclass(frozen=True, slots=True)
class Access:
    """An address and what opens it. The key and the token are in no `repr`.

    `key_variables` are the environment variables a key may come from, for
    messages. `official` is true for OpenAI's own servers. `azure_version` is
    the API version when the server is Azure's; `azure_token` replaces the key there.
    `account_headers` name OpenAI's organisation and project; `custom_headers` says
    that OPENAI_CUSTOM_HEADERS, which the SDK reads, is set. Both are for OpenAI alone.
    """

    base_url: str
    key: str | None = field(repr=False)
    key_variables: tuple[str, ...]
    official: bool = False
    azure_version: str | None = None
    azure_token: str | None = field(default=None, repr=False)
    account_headers: tuple[tuple[str, str], ...] = ()
    custom_headers: bool = False

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(secret for secret in (self.key, self.azure_token) if secret)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or address alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def openai_access(spec: BackendSpec, environ: Environment) -> Access:
    """The access of the OpenAI backends but `azure:`.

    Raises `BadKey` when OpenAI is asked without a key, `WrongUse` for an
    unusable base URL.
    """
    given = environ.get("OPENAI_BASE_URL", "").strip()
    if spec.base_url is not None:
        base_url = spec.base_url
    elif given:
        base_url = _from_environment("OPENAI_BASE_URL", given)
    else:
        base_url = OPENAI_BASE_URL
    _refuse_path(base_url, _ENDPOINT_PATHS)
    official = _is_official(base_url)
    if official or spec.base_url is None:
        key = _key(environ, ("OPENAI_API_KEY",))
        if key is None and official:
            raise BadKey(
                f"{spec}: no key for {urlsplit(base_url).hostname}. Set the environment variable "
                "OPENAI_API_KEY, or name a server of your own with @BASE_URL"
            )
        access = Access(base_url, key, ("OPENAI_API_KEY",), official)
        return _with_account(access, environ) if official else access
    host = urlsplit(base_url).hostname or ""
    variables = (
        "DIALOGSMITH_API_KEY_" + re.sub(r"[^A-Z0-9]+", "_", host.upper()).strip("_"),
        "DIALOGSMITH_API_KEY",
    )
    return Access(base_url, _key(environ, variables), variables)


def azure_access(spec: BackendSpec, environ: Environment) -> Access:
    """The access of `azure:`. Raises `BadKey` without a key, `WrongUse` without an address."""
    given = environ.get("AZURE_OPENAI_ENDPOINT", "").strip()
    if spec.base_url is None and not given:
        raise WrongUse(
            f"{spec}: which Azure resource? Write azure:DEPLOYMENT@https://RESOURCE.openai.azure.com"
            " or set the environment variable AZURE_OPENAI_ENDPOINT"
        )
    base_url = spec.base_url or _from_environment("AZURE_OPENAI_ENDPOINT", given)
    _refuse_path(base_url, _AZURE_PATHS)
    if not base_url.startswith("https://") and not is_loopback(urlsplit(base_url).hostname or ""):
        raise WrongUse(f"{spec}: an Azure address begins with https://")
    variables = ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN")
    key, token = (_key(environ, (variable,)) for variable in variables)
    if key is None and token is None:
        raise BadKey(
            f"{spec}: no key. Set the environment variable AZURE_OPENAI_API_KEY "
            "(or AZURE_OPENAI_AD_TOKEN)"
        )
    version = environ.get("OPENAI_API_VERSION", "").strip() or AZURE_API_VERSION
    return Access(
        base_url,
        key,
        variables,
        azure_version=version,
        azure_token=None if key else token,
    )


def _is_official(base_url: str) -> bool:
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    return parts.scheme == "https" and (
        host == "api.openai.com" or host.endswith(".api.openai.com")
    )


def _with_account(access: Access, environ: Environment) -> Access:
    headers = []
    for variable, header in _ACCOUNT:
        value = environ.get(variable, "").strip()
        if not all("!" <= character <= "~" for character in value):
            raise WrongUse(
                f"the environment variable {variable} holds a space, a line break or a character "
                "no HTTP header can hold; copy it again"
            )
        if value:
            headers.append((header, value))
    custom = bool(environ.get("OPENAI_CUSTOM_HEADERS", "").strip())
    return replace(access, account_headers=tuple(headers), custom_headers=custom)


def _key(environ: Environment, variables: tuple[str, ...]) -> str | None:
    """The first key that is set. `BadKey` for one no HTTP header can hold; it is not repeated."""
    for variable in variables:
        key = environ.get(variable, "").strip()
        if not key:
            continue
        if not all("!" <= character <= "~" for character in key):
            raise BadKey(
                f"the environment variable {variable} holds a space, a line break or a character "
                "no key can hold; copy the key again"
            )
        return key
    return None


def _from_environment(variable: str, url: str) -> str:
    try:
        return normal_base_url(url)
    except WrongUse as error:
        raise WrongUse(f"the environment variable {variable}: {error}") from None


def _refuse_path(base_url: str, paths: tuple[str, ...]) -> None:
    for path in paths:
        if base_url.endswith(path):
            raise WrongUse(f"the base URL ends before {path}: write @{base_url.removesuffix(path)}")
