"""Every view can be read by everybody: on a phone, in the dark, by keyboard, by a screen reader."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from accessible import grave_findings
from served_run import Served
from watched_pages import NARROW, WIDE, WatchedContext, overflow

VIEWS = {
    "funnel": "/",
    "funnel of a part": "/?language=zh&place=rejected",
    "list": "/samples",
    "list of a search": "/samples?q=alarm&place=rejected&range=raw_chars:10:9000&sort=raw_chars",
    "list of nothing": "/samples?q=zeppelin",
    "rejected sample": "/sample/101",
    "accepted sample": "/sample/4",
    "sample without output": "/sample/3",
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_fits_phone_and_desk_and_axe_finds_nothing_grave_in_light_and_dark(
    site: Served, opened: Callable[..., WatchedContext], view: str
) -> None:
    page = opened(site.url, width=NARROW, scheme="dark").page()
    page.goto(VIEWS[view])
    page.keyboard.press("x")
    assert overflow(page) == []
    assert grave_findings(page, only="color-contrast") == []
    page.set_viewport_size({"width": WIDE, "height": 900})
    page.emulate_media(color_scheme="light")
    assert overflow(page) == []
    assert grave_findings(page) == []


def test_the_open_help_has_no_grave_finding_of_axe(
    site: Served, opened: Callable[..., WatchedContext]
) -> None:
    page = opened(site.url, width=NARROW, scheme="dark").page()
    page.goto("/")
    page.keyboard.press("?")
    assert grave_findings(page) == []
    assert overflow(page) == []


def test_a_keyboard_reaches_the_content_first_and_every_control_has_a_name(
    site: Served, opened: Callable[..., WatchedContext]
) -> None:
    page = opened(site.url).page()
    page.goto("/samples")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    names = page.evaluate(
        """() => [...document.querySelectorAll("button, input:not([type=hidden]), select")]
          .filter((e) => !(e.labels?.length || e.ariaLabel || e.textContent.trim()))
          .map((e) => e.outerHTML)"""
    )
    assert names == []


def test_the_pages_work_without_script(site: Served, opened: Callable[..., WatchedContext]) -> None:
    page = opened(site.url, java_script_enabled=False).page()
    page.goto("/samples?place=rejected")
    page.locator("#sort").select_option("raw_chars")
    page.locator("#sort-apply").click()
    page.wait_for_url("**sort=raw_chars**")
    page.locator(".open-row").first.click()
    page.wait_for_url("**/sample/**")
    assert page.locator("h1").is_visible()
