"""What every request must pass, and what every answer carries: the page is for this machine alone.

A page of another site may send requests to 127.0.0.1, directly or by letting its own name point
there. So the Host must be a name of this machine, an Origin must be the page's own, and whatever
changes something needs the token of this process, which only its own pages hold.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OWN_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
LARGEST_BODY = 4_000_000
"""Bytes of a form that are read; an edited dialogue fits in it many times."""

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": with it browsers send forms with the Origin "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Refused(Exception):
    """A request that is not answered, with its status and the reason."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """The outermost layer: refuses strangers, and puts the safety headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-store"
            await send(message)

        complaint = _complaint(Headers(scope=scope))
        if complaint is not None:
            await PlainTextResponse(complaint, status_code=403)(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)


def _complaint(headers: Headers) -> str | None:
    host = headers.get("host", "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() not in OWN_NAMES:
        return (
            "Refused: this page answers only to http://127.0.0.1 and http://localhost.\n"
            "The request named another host, as a page of another site would "
            "(DNS rebinding). Open the address that `dialogsmith inspect` printed.\n"
        )
    origin = headers.get("origin")
    if origin is not None and not _is_own(origin, host):
        return (
            "Refused: the request comes from a page of another site.\n"
            "Open the address that `dialogsmith inspect` printed.\n"
        )
    return None


def _is_own(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme == "http" and parts.netloc.lower() == host.lower()


@dataclass(frozen=True, slots=True)
class Token:
    """The secret of one process. `cookie` is the name it is kept under: cookies know no ports, so
    two inspectors at once need two names."""

    value: str
    cookie: str


async def trusted_form(request: Request, token: Token) -> dict[str, list[str]]:
    """The form of a request that changes something. Raises `Refused` without the token.

    The token must come twice: in the form (or the header `x-dialogsmith-token`), where another
    site cannot read it, and as a cookie, which another site's request does not carry.
    """
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused(403, "The request comes from a page of another site.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise Refused(413, f"The form is larger than {LARGEST_BODY:,} bytes.")
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=20_000)
    except ValueError:
        raise Refused(400, "The form cannot be read; it is not UTF-8, or has no end.") from None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value)
    given = form.pop("token", [request.headers.get("x-dialogsmith-token", "")])[0]
    for proof in (given, request.cookies.get(token.cookie, "")):
        if not hmac.compare_digest(proof.encode(), token.value.encode()):
            raise Refused(
                403,
                "The page is from an earlier start of the inspector. Reload it, then try again.",
            )
    return form
