"""What axe-core finds on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

_GRAVE = {"serious", "critical"}


def grave_findings(page: Page, *, only: str | None = None) -> list[str]:
    """The serious and critical findings, each with the first elements it is about.

    `only` names the one rule to run, `color-contrast` say.
    """
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, object] = {"resultTypes": ["violations"]}
    if only is not None:
        options["runOnly"] = {"type": "rule", "values": [only]}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in found
        if one["impact"] in _GRAVE
        for node in one["nodes"][:3]
    ]
