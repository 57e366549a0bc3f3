"""Hostile text does nothing and is shown; strangers on the network get no answer."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from served_run import Served, inspected
from strange_run import CONTROLS, DIRECTIONS, LONG, MARKUP, NAME, PLACES, TEXTS, make_strange_run
from watched_pages import NARROW, WatchedContext, overflow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

UNSEEN = sorted(set(DIRECTIONS) | {c for c in CONTROLS if not c.isprintable()})

VIEWS = ("/", "/samples", "/samples?q=" + quote("<script>window.owned"),
         *(f"/sample/{place}" for place in PLACES.values()))  # fmt: skip


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with inspected(make_strange_run(tmp_path_factory.mktemp("strange"))) as served:
        served.wait_until_indexed(len(TEXTS))
        yield served


@pytest.fixture
def page(strange: Served, opened: Callable[..., WatchedContext]) -> Page:
    return opened(strange.url).page()


def assert_nothing_happened(page: Page) -> None:
    """No corpus text became markup, a script, a handler or a link."""
    found = page.evaluate(
        """() => ({
          owned: window.owned ?? null,
          scripts: [...document.querySelectorAll("script")].filter(
            (s) => !s.src.startsWith(location.origin + "/static/")).length,
          foreign: document.querySelectorAll(
            "main img, iframe, style, #escaped, #go, main meta, main b").length,
          handlers: [...document.querySelectorAll("*")].filter(
            (e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
          links: [...document.querySelectorAll("[href], [action], [src]")].filter((e) =>
            !new URL(e.getAttribute("href") ?? e.getAttribute("action") ?? e.getAttribute("src"),
                     location).href.startsWith(location.origin + "/")).length,
        })"""
    )
    nothing = {"owned": None, "scripts": 0, "foreign": 0, "handlers": 0, "links": 0}
    assert found == nothing
    assert page.locator("main").is_visible()


@pytest.mark.parametrize("view", VIEWS)
def test_corpus_text_never_becomes_part_of_a_page(page: Page, view: str) -> None:
    page.goto(view)
    assert_nothing_happened(page)
    # Titles of windows and tabs, attributes and texts: nothing there can steer a display. What is
    # to be edited stands in its field as it is.
    everything = page.evaluate(
        """() => {
          for (const field of document.querySelectorAll("textarea")) field.remove();
          return document.documentElement.outerHTML + document.title;
        }"""
    )
    assert [f"U+{ord(c):04X}" for c in UNSEEN if c in everything] == []


def test_markup_is_shown_as_it_was_written(page: Page) -> None:
    page.goto(f"/sample/{PLACES['markup']}?full=1")
    raw = page.locator("#raw .raw").inner_text()
    assert [piece for piece in MARKUP if piece not in raw] == []
    assert "<script>window.owned = 6</script>" in page.locator("h1").inner_text()
    assert page.locator("#brand .run").inner_text() == NAME
    page.goto("/samples")
    assert "<script>window.owned = 6</script>" in page.locator("#rows").inner_text()


def test_controls_are_shown_as_boxes_with_their_names(page: Page) -> None:
    page.goto(f"/sample/{PLACES['controls']}")
    boxes = page.locator("#raw .unseen")
    named = set(boxes.evaluate_all("all => all.map((box) => box.title.split(' ')[0])"))
    assert named == {f"U+{ord(c):04X}" for c in UNSEEN}
    assert "ESC[31m" in page.locator("#raw").inner_text()
    assert page.locator('#raw .unseen[title*="RIGHT-TO-LEFT OVERRIDE"]').count() == 1


def test_a_megabyte_is_cut_until_it_is_asked_for(page: Page) -> None:
    page.goto(f"/sample/{PLACES['a megabyte']}")
    text = page.locator("#raw .raw")
    assert "characters not shown" in text.inner_text()
    assert len(page.content()) < 300_000
    page.locator("#raw [data-show-all]").click()
    page.wait_for_url("**full=1**")
    assert len(text.text_content() or "") >= LONG
    assert overflow(page) == []


@pytest.mark.parametrize(
    "address",
    [
        "/samples?q={}", "/samples?place={}", "/samples?range={}:1:2", "/samples?sort={}",
        "/samples?after={}", "/?find={}", "/?paper={}", "/sample/0?model={}",
        "/samples?measure={}&min=1",
    ],
)  # fmt: skip
def test_what_an_address_says_is_text_too(page: Page, address: str) -> None:
    page.goto(address.format(quote("\"'><script>window.owned=8</script>\x1b\u202e{{7*7}}")))
    assert_nothing_happened(page)


@pytest.mark.parametrize(
    "address",
    [
        "/sample/99999", "/<script>window.owned=9</script>", "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2fmanifest.json", "/..%2f..%2f..%2fetc%2fpasswd",
        "/static/%2fetc%2fpasswd",
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_plainly(
    strange: Served, opened: Callable[..., WatchedContext], address: str
) -> None:
    watched = opened(strange.url)
    page = watched.page()
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 404
    assert page.get_by_role("heading", name="Nothing here").is_visible()
    assert_nothing_happened(page)
    # The browser itself notes the status on the console, and nothing else may be there.
    assert [t for t in watched.troubles if "status of 404" not in t] == []
    watched.troubles.clear()


@pytest.mark.parametrize("name", ["Arabic", "Hebrew"])
def test_text_from_right_to_left_stands_so(page: Page, name: str) -> None:
    page.goto(f"/sample/{PLACES[name]}")
    said = page.locator("#conversation .turn p, #conversation .summary p, h1 [dir=auto]")
    directions = said.evaluate_all("all => all.map((e) => getComputedStyle(e).direction)")
    assert directions == ["rtl"] * 6
    # The page around it keeps its own direction.
    assert page.evaluate("getComputedStyle(document.body).direction") == "ltr"
    page.goto("/samples")
    row = page.locator(f'.row[data-seq="{PLACES[name]}"] .excerpt')
    assert row.evaluate("(e) => getComputedStyle(e).direction") == "rtl"


def test_chinese_is_shown_and_found(page: Page) -> None:
    page.goto("/samples?q=" + quote("再次核对"))
    row = page.locator("#rows .row")
    assert row.get_attribute("data-seq") == str(PLACES["Chinese"])
    row.locator(".open-row").click()
    page.wait_for_url("**/sample/**")
    turn = page.locator("#conversation .turn p").nth(1)
    assert turn.inner_text().startswith("它把读数与相邻读数的中位数进行比较")
    assert page.locator("h1").inner_text().endswith("关于读数系统的研究")


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_is_too_wide_for_a_page(page: Page, name: str) -> None:
    page.goto(f"/sample/{PLACES[name]}")
    page.keyboard.press("x")
    assert overflow(page) == []
    page.set_viewport_size({"width": NARROW, "height": 900})
    assert overflow(page) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example"}, {"Host": "rebound.example:{port}"},
        {"Host": "127.0.0.1.example"},
        {"Host": ""}, {"Origin": "http://rebound.example"}, {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"}, {"Origin": "https://127.0.0.1:{port}"},
    ],
    ids=lambda headers: "=".join(next(iter(headers.items()))),
)  # fmt: skip
def test_a_foreign_host_or_origin_is_refused(strange: Served, headers: dict[str, str]) -> None:
    port = strange.url.rpartition(":")[2]
    status, text = strange.get("/", **{k: v.format(port=port) for k, v in headers.items()})
    assert status == 403
    assert text.startswith("Refused")
    assert "study" not in text


def test_a_name_that_was_pointed_here_is_refused_to_the_browser(
    browser: Browser, strange: Served
) -> None:
    page = browser.new_page()
    answer = page.goto(strange.url.replace("127.0.0.1", "rebound.example"))
    assert answer is not None
    assert answer.status == 403
    assert "DNS rebinding" in page.locator("body").inner_text()
    page.close()


def test_a_page_of_another_site_can_neither_read_nor_show_this_one(
    browser: Browser, strange: Served
) -> None:
    attack = (
        f"<body><iframe src='{strange.url}/'></iframe><script>"
        f"fetch('{strange.url}/progress').then((a) => a.text())"
        ".then((t) => document.title = 'read ' + t, () => document.title = 'nothing')</script>"
    )

    class Attacker(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(attack.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Attacker) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/page")
        page.wait_for_function("document.title !== ''")
        assert page.title() == "nothing"
        assert [frame.url for frame in page.frames if strange.url in frame.url] == []
        page.close()
        server.shutdown()
