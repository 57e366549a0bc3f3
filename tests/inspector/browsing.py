"""A plain client over the inspector: what a browser sends and gets, without the browser."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from generator.inspector import Inspector

WAIT_S = 30.0
"""Longest that a test waits for something that is being worked on."""


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: str

    def text_of(self, id_: str) -> str:
        """The text of the element with an id, markup taken away."""
        found = re.search(rf'<(\w+)[^>]*\bid="{re.escape(id_)}"[^>]*>(.*?)</\1>', self.body, re.S)
        assert found is not None, f"no element {id_}"
        return unescape(re.sub(r"<[^>]*>", "", found.group(2))).strip()

    def all_of(self, pattern: str) -> list[str]:
        """All that a pattern with one group finds."""
        return [unescape(found) for found in re.findall(pattern, self.body, re.S)]

    @property
    def seqs(self) -> list[int]:
        """The places of the samples that a list shows."""
        return [
            int(seq) for seq in re.findall(r'<li class="row [^"]*" data-seq="(\d+)"', self.body)
        ]


class Browser:
    """Asks one inspector."""

    def __init__(self, inspector: Inspector) -> None:
        self.inspector = inspector
        self.port = inspector.port

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self._ask("GET", path, None, headers or {})

    def post(
        self,
        path: str,
        fields: Mapping[str, str | Sequence[str]] | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        token: str | None = None,
        cookie: str | None = None,
    ) -> Answer:
        """Send a form as the page would: with its token and cookie unless others are given."""
        own = self.inspector.token
        form = {"token": own.value if token is None else token, **(fields or {})}
        sent = {
            "content-type": "application/x-www-form-urlencoded",
            "cookie": f"{own.cookie}={own.value if cookie is None else cookie}",
            **(headers or {}),
        }
        return self._ask("POST", path, urlencode(form, doseq=True), sent)

    def counts(self) -> dict[str, int]:
        counts: dict[str, int] = json.loads(self.get("/progress").body)["counts"]
        return counts

    def until(self, path: str, done: Callable[[Answer], bool]) -> Answer:
        """Ask again until something is so; fails after `WAIT_S`."""
        end = time.monotonic() + WAIT_S
        while not done(answer := self.get(path)):
            assert time.monotonic() < end, f"{path} did not become what was waited for"
            time.sleep(0.02)
        return answer

    def ready(self) -> None:
        """Wait until the index is up to date."""
        self.until("/progress", lambda a: json.loads(a.body)["phase"] == "ready")

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            text = response.read().decode("utf-8")
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, named, text)
        finally:
            connection.close()


@contextmanager
def browsing(run: Path, **options: Any) -> Iterator[Browser]:
    """The inspector over a run, with its index up to date."""
    with Inspector(run, **options) as inspector:
        browser = Browser(inspector)
        browser.ready()
        yield browser
