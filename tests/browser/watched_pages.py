"""Pages that are watched: what they ask for, what they complain about, what they do unbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from served_run import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WIDE, NARROW = 1280, 390
Scheme = Literal["light", "dark"]


class WatchedContext:
    """A browser profile of its own with one page. `troubles` says what a well-behaved page never
    does: errors and warnings on the console, scripts that fail, dialogs, further windows, and
    requests that leave this machine."""

    def __init__(self, browser: Browser, base: str | None, **options: Any) -> None:
        if base is not None:
            options["base_url"] = base
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE_S * 1000)
        self.troubles: list[str] = []
        self.context.on("request", lambda request: self._asked(request.url))
        self.context.on("console", lambda said: self._said(said.type, said.text))
        self.context.on("weberror", lambda error: self.troubles.append(f"script: {error.error}"))
        self.context.on("dialog", self._dialog)
        self._page: Page = self.context.new_page()
        self._page.on("popup", lambda other: self.troubles.append(f"window: {other.url}"))

    def page(self) -> Page:
        """The page of this profile."""
        return self._page

    def take_back(self) -> list[str]:
        """Leave what the page shows, for the next test; answers the troubles so far."""
        self._page.goto("about:blank")
        troubles, self.troubles[:] = list(self.troubles), []
        return troubles

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob", "about", "file"} and parts.hostname != "127.0.0.1":
            self.troubles.append(f"request: {url}")

    def _said(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.troubles.append(f"console {kind}: {text}")

    def _dialog(self, dialog: Any) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def overflow(page: Page) -> list[str]:
    """The elements that stick out of the window sideways; empty when nothing scrolls so."""
    return list(
        page.evaluate(
            """() => {
              const wide = document.documentElement.clientWidth;
              if (document.documentElement.scrollWidth <= wide) return [];
              const out = [...document.querySelectorAll("body *")]
                .filter((e) => e.getBoundingClientRect().right > wide + 1)
                .map((e) => `${e.tagName}#${e.id}.${e.className?.baseVal ?? e.className}`);
              return out.length ? out.slice(0, 8) : ["the page itself"];
            }"""
        )
    )
