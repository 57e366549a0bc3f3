"""Two runs over the same inputs, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from accessible import grave_findings
from mixed_run import answer, good, make_run
from served_run import Served, inspected
from told_by_files import Told, told
from watched_pages import NARROW, WIDE, WatchedContext, overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHARED = 300


def other_answer(number: int) -> dict[str, object]:
    """A second model: it says no with `number` 6, 16, 26, …, and repairs what ends in 3 or 7."""
    if number % 10 == 6:
        return {"text": "I'm sorry, but I can't help with that request."}
    return {"text": good(number)} if number % 10 in {3, 7} else answer(number)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other")
    return make_run(folder, SHARED, name="another-model", answers=other_answer)


@pytest.fixture(scope="module")
def pair(mixed: Path, other: Path) -> Iterator[Served]:
    with inspected(mixed, "--compare", other) as served:
        yield served


@pytest.fixture(scope="module")
def both(mixed: Path, other: Path) -> list[tuple[Told, Told]]:
    return list(zip(told(mixed), told(other), strict=False))


@pytest.fixture
def page(pair: Served, opened: Callable[..., WatchedContext]) -> Page:
    return opened(pair.url).page()


def moved(both: list[tuple[Told, Told]], old: str, new: str) -> list[tuple[Told, Told]]:
    return [(a, b) for a, b in both if (a.place, b.place) == (old, new)]


def compared(page: Page, address: str = "/compare") -> None:
    page.goto(address)
    page.locator("#gained").wait_for(timeout=60_000)


def test_two_runs_are_counted_over_the_items_that_both_have(
    page: Page, both: list[tuple[Told, Told]]
) -> None:
    page.goto("/")
    page.keyboard.press("c")
    page.wait_for_url("**/compare**")
    page.locator("#gained").wait_for(timeout=60_000)
    assert len(both) == SHARED
    assert page.locator("#gained").inner_text() == str(len(moved(both, "rejected", "accepted")))
    assert page.locator("#lost").inner_text() == str(len(moved(both, "accepted", "rejected")))
    reasons = page.locator("#compare-reasons tbody tr", has_text="refusal")
    refusals = [
        sum(t.reasons[:1] == ("parse/refusal",) for t in side) for side in zip(*both, strict=True)
    ]
    cells = reasons.locator("td.n").all_inner_texts()
    assert cells[2] == f"{refusals[1] - refusals[0]:+d}"
    assert page.locator(".compare-measures").count() >= 1


def test_items_that_changed_sides_are_listed_and_held_side_by_side(
    page: Page, both: list[tuple[Told, Told]]
) -> None:
    compared(page)
    page.locator("[data-change=lost]").click()
    page.wait_for_url("**change=lost**")
    lost = moved(both, "accepted", "rejected")
    links = page.locator("#pairs tbody th a")
    assert links.all_inner_texts() == [a.id for a, _ in lost[:50]]
    links.first.click()
    page.locator("[data-side=B]").wait_for()
    assert page.locator("h1").inner_text() == lost[0][0].id
    assert page.locator("[data-side=A] .badge").first.inner_text() == "accepted"
    assert page.locator("[data-side=B] .badge").first.inner_text() == "rejected"
    assert "I'm sorry" in page.locator("[data-side=B] pre.text").inner_text()
    assert page.locator("[data-side=A] .turn").count() > 4
    page.keyboard.press("Escape")
    page.wait_for_url("**/compare?**change=lost**")


def test_only_runs_that_were_named_can_be_opened(pair: Served, other: Path, tmp_path: Path) -> None:
    status, text = pair.get(f"/compare?with={tmp_path}")
    assert status in {400, 403, 404} or "another-model" in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize("view", ["figures", "one item"])
def test_a_comparison_is_readable_by_everybody(
    pair: Served, opened: Callable[..., WatchedContext], view: str
) -> None:
    page = opened(pair.url, width=NARROW, scheme="dark").page()
    compared(page)
    if view == "one item":
        page.locator("#pairs tbody th a").first.click()
        page.locator("[data-side=B]").wait_for()
    page.keyboard.press("x")
    assert overflow(page) == []
    assert grave_findings(page) == []
    page.set_viewport_size({"width": WIDE, "height": 900})
    page.emulate_media(color_scheme="light")
    assert overflow(page) == []
    assert grave_findings(page, only="color-contrast") == []
