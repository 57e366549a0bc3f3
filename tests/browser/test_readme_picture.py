"""The picture in the README is a page as it is: made here, with DIALOGSMITH_SCREENSHOTS=1."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from told_by_files import seqs, told

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURE = "docs/images/inspector.png"
WIDTH, HEIGHT = 1280, 1000
LARGEST = 300_000


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_the_picture_in_the_readme_can_be_taken_of_the_page(page: Page, mixed: Path) -> None:
    seq = seqs(told(mixed), lambda item: item.reasons == ("filter/ungrounded",))[7]
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"/sample/{seq}?place=rejected")
    page.locator("#conversation .turn.faulty").wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    taken = page.screenshot(scale="css")
    if os.environ.get("DIALOGSMITH_SCREENSHOTS") == "1":
        (ROOT / PICTURE).parent.mkdir(exist_ok=True)
        (ROOT / PICTURE).write_bytes(taken)
    assert f"]({PICTURE})" in (ROOT / "README.md").read_text(encoding="utf-8")
    shipped = (ROOT / PICTURE).read_bytes()
    assert size_of(shipped) == size_of(taken) == (WIDTH, HEIGHT)
    assert len(shipped) < LARGEST
