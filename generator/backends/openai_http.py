"""The HTTP path of the SDK: for Azure and everything unusual, and the reference for the fast one.

The SDK's generic `post` is used rather than its typed methods: it gives the
answer as it came (the typed ones turn an HTML page into a `str` and an error
object into an answer without choices), at half the CPU time a request.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import openai

from generator.backends.connection_causes import no_answer_in_time
from generator.backends.http_paths import has_a_proxy
from generator.backends.http_seam import IDLE_CONNECTION_S, HttpAnswer, connect_timeout_s
from generator.backends.openai_access import Access
from generator.backends.openai_connection import connection_fault
from generator.errors import ConnectionFault, WrongUse

# The SDK's connection pool walks all its connections at each request: 1000 on one
# client answer a third of what twenty clients of 50 do.
_CONNECTIONS_PER_CLIENT = 50
# What a server that is not OpenAI's gets to see: neither the SDK's description of this
# machine nor OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS.
_PLAIN_HEADERS = frozenset(
    (
        "host",
        "connection",
        "accept",
        "accept-encoding",
        "content-type",
        "content-length",
        "transfer-encoding",
        "user-agent",
    )
)


class OpenAIHttp:
    """Sends requests to one server. SDK retries are off.

    `timeout_s` bounds one request from sending to the last byte. `transport`
    makes the HTTP transport of a client, the one place where the network can be
    replaced (an `AsyncBaseTransport` of the library the SDK speaks).
    """

    def __init__(
        self,
        access: Access,
        *,
        concurrency: int,
        timeout_s: float,
        transport: Callable[[], Any] | None = None,
    ) -> None:
        self._access = access
        self._timeout_s = timeout_s
        through = " (through the environment's proxy)" if has_a_proxy(access) else ""
        self._server = f"{access.base_url}{through}"
        self._http = http_library()
        self._transport = transport
        lanes = -(-concurrency // _CONNECTIONS_PER_CLIENT)
        tls = self._http.create_ssl_context()
        try:
            self._clients = [self._client(-(-concurrency // lanes), tls) for _ in range(lanes)]
        except (ImportError, ValueError, self._http.InvalidURL) as error:
            raise self._unusable_proxy(error) from None
        self._in_flight = [0] * lanes

    async def post(self, path: str, body: Mapping[str, Any]) -> HttpAnswer:
        """One attempt; see `HttpClient.post`."""
        lane = self._in_flight.index(min(self._in_flight))
        self._in_flight[lane] += 1
        try:
            answer = await self._attempt(self._clients[lane], path, body)
        finally:
            self._in_flight[lane] -= 1
        if isinstance(answer, ConnectionFault):
            raise answer
        return answer

    async def aclose(self) -> None:
        for client in self._clients:
            await client.close()

    async def _attempt(
        self, client: openai.AsyncOpenAI, path: str, body: Mapping[str, Any]
    ) -> HttpAnswer | ConnectionFault:
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await client.post(path, cast_to=self._http.Response, body=body)
        except openai.APIStatusError as error:
            response = error.response
        except openai.APIConnectionError as error:
            return connection_fault(error, self._http, self._server)
        except TimeoutError:
            return no_answer_in_time(self._server, self._timeout_s)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpAnswer(response.status_code, headers, response.content)

    def _client(self, connections: int, tls: Any) -> openai.AsyncOpenAI:
        access = self._access
        http_client = self._http.AsyncClient(
            transport=self._transport() if self._transport else None,
            verify=tls,
            limits=self._http.Limits(
                max_connections=connections,
                max_keepalive_connections=connections,
                keepalive_expiry=IDLE_CONNECTION_S,
            ),
            timeout=self._timeouts(),
            follow_redirects=False,
            # A proxy of the environment cannot reach a server on this machine.
            trust_env=not access.loopback,
            event_hooks={} if access.official else {"request": [self._only_plain_headers]},
        )
        if access.azure_version is not None:
            return openai.AsyncAzureOpenAI(
                azure_endpoint=access.base_url,
                api_version=access.azure_version,
                api_key=access.key,
                azure_ad_token=access.azure_token,
                max_retries=0,
                timeout=self._timeouts(),
                http_client=http_client,
            )
        own_key = {"Authorization": f"Bearer {access.key}"}
        return openai.AsyncOpenAI(
            base_url=access.base_url,
            api_key=access.key or "none",
            max_retries=0,
            timeout=self._timeouts(),
            http_client=http_client,
            default_headers=dict(access.account_headers) if access.official else own_key,
        )

    def _timeouts(self) -> Any:
        # Reading and writing have the deadline of the whole request, and no other.
        connecting = connect_timeout_s(self._timeout_s)
        return self._http.Timeout(None, connect=connecting, pool=connecting)

    def _unusable_proxy(self, error: Exception) -> WrongUse:
        """What reads the environment's proxies fails on them; they may hold a password."""
        if isinstance(error, ImportError):
            what = (
                f"a SOCKS proxy needs one more package: pip install '{self._http.__name__}[socks]'"
            )
        else:
            what = "one of them is no address, or no http, https or socks5 proxy"
        return WrongUse(
            f"the environment's proxies cannot be used: {what}. They stand in HTTPS_PROXY, "
            f"HTTP_PROXY and ALL_PROXY; NO_PROXY={self._access.host} goes past them"
        )

    async def _only_plain_headers(self, request: Any) -> None:
        kept = _PLAIN_HEADERS | {"authorization", "api-key"}
        if not self._access.secrets:
            kept = _PLAIN_HEADERS
        for name in tuple(request.headers):
            if name.lower() not in kept:
                del request.headers[name]


def http_library() -> ModuleType:
    """The HTTP library the installed SDK speaks: httpx2, or httpx before openai 3."""
    return importlib.import_module(
        type(openai.DEFAULT_CONNECTION_LIMITS).__module__.partition(".")[0]
    )
