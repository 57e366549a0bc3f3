"""Funnel, list and sample of a run with thousands of items, as a person uses them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from accessible import grave_findings
from cited_run import make_cited_run
from mixed_run import marker
from served_run import Served, inspected
from told_by_files import Told, lines, seqs, told
from watched_pages import NARROW, WatchedContext, overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS = 50


@pytest.fixture(scope="module")
def items(mixed: Path) -> list[Told]:
    return told(mixed)


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    run = make_cited_run(tmp_path_factory.mktemp("cited"))
    with inspected(run) as served:
        served.wait_until_indexed(4)
        yield served


def shown_rows(page: Page) -> list[int]:
    rows = page.locator("#rows > .row")
    return list(map(int, rows.evaluate_all("rows => rows.map((row) => row.dataset.seq)")))


def total(page: Page) -> int:
    return int(page.locator("#total").inner_text().replace(",", ""))


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def test_the_funnel_counts_what_the_files_hold(page: Page, items: list[Told]) -> None:
    page.goto("/")
    places = Counter(item.place for item in items)
    assert number(page.locator("#count-items").inner_text()) == len(items)
    assert number(page.locator("#count-accepted").inner_text()) == places["accepted"]
    assert number(page.locator("#count-rejected").inner_text()) == places["rejected"]
    assert page.locator("#yield").inner_text() == f"{100 * places['accepted'] / len(items):.1f} %"
    page.locator("#funnel-numbers summary").click()
    lost = {
        row.locator("th").inner_text(): number(row.locator("td").nth(1).inner_text())
        for row in page.locator("#funnel-table tr.filter").all()
    }
    assert lost == Counter(item.reasons[0] for item in items if item.reasons)


def test_a_click_on_a_bar_shows_those_samples(page: Page, items: list[Told]) -> None:
    page.goto("/")
    bar = page.locator('#funnel-plot a[data-step="parse/wrong_order"] rect.lost')
    bar.click()
    page.wait_for_url("**/samples?**")
    expected = seqs(items, lambda item: item.reasons[:1] == ("parse/wrong_order",))
    assert total(page) == len(expected)
    assert shown_rows(page) == expected[:ROWS]


@pytest.mark.parametrize(
    ("dimension", "value"),
    [("language", "zh"), ("section", "methodology"), ("model", "writer=scripted:script.jsonl")],
)
def test_the_funnel_narrows_to_a_value_of_each_table(
    page: Page, dimension: str, value: str
) -> None:
    page.goto("/")
    row = page.locator(f'table[data-dimension="{dimension}"] tr[data-value="{value}"]')
    count = number(row.locator("td").first.inner_text())
    row.locator("th a").click()
    page.wait_for_url(f"**/?{dimension}=**")
    assert number(page.locator("#count-items").inner_text()) == count
    page.locator(".chip").first.click()
    page.wait_for_url(re.compile(r"/$"))


def test_a_paper_is_found_by_its_title(page: Page) -> None:
    page.goto("/")
    page.locator("#find-paper").fill(marker(777))
    page.locator("#find-paper").press("Enter")
    page.wait_for_url("**/?find=**")
    rows = page.locator('table[data-dimension="paper"] tbody tr')
    assert rows.count() == 1
    assert marker(777) in rows.first.inner_text()


@pytest.mark.parametrize(
    ("facet", "value"),
    [
        ("place", "rejected"), ("stage", "filter"), ("code", "duplicate_turns"),
        ("model", "writer=scripted:script.jsonl"), ("language", "zh"), ("section", "results"),
    ],
)  # fmt: skip
def test_every_filter_narrows_the_list_to_the_number_beside_it(
    page: Page, facet: str, value: str
) -> None:
    page.goto("/samples")
    choice = f'[data-facet="{facet}"] [data-value="{value}"]'
    count = number(page.locator(f"{choice} .n").inner_text())
    page.locator(choice).click()
    page.wait_for_url(f"**/samples?{facet}=**")
    assert total(page) == count > 0
    assert page.locator(choice).get_attribute("aria-current") == "true"
    page.locator(choice).click()
    page.wait_for_url(re.compile(r"/samples$"))


def test_filters_add_up_and_a_deep_link_shows_the_same_after_a_reload(
    page: Page, items: list[Told]
) -> None:
    page.goto("/samples")
    page.locator('[data-facet="place"] [data-value="rejected"]').click()
    page.wait_for_url("**place=rejected**")
    page.locator('[data-facet="code"] [data-value="wrong_order"]').click()
    page.wait_for_url("**code=wrong_order**")
    page.locator('[data-facet="code"] [data-value="unknown_speaker"]').click()
    page.wait_for_url("**code=unknown_speaker**")
    wanted = {"parse/wrong_order", "parse/unknown_speaker"}
    expected = seqs(items, lambda item: bool(wanted & set(item.reasons)))
    assert total(page) == len(expected)
    assert shown_rows(page) == expected[:ROWS]
    address = page.url
    page.reload()
    assert shown_rows(page) == expected[:ROWS]
    page.goto("/")
    page.goto(address)
    assert shown_rows(page) == expected[:ROWS]


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("中位数", lambda text: "中位数" in text),
        ("核对 报警", lambda text: "核对" in text and "报警" in text),
        ('"reviewer i disagree"', lambda text: "Reviewer: I disagree" in text),
        ("fireworks brass", lambda text: "fireworks and brass" in text),
    ],
    ids=["Chinese", "two Chinese words", "a phrase", "two words"],
)
def test_a_search_finds_the_outputs_that_hold_the_words(
    page: Page, items: list[Told], words: str, holds: object
) -> None:
    assert callable(holds)
    page.goto("/samples")
    page.keyboard.press("/")
    page.keyboard.insert_text(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/samples?q=**")
    expected = seqs(items, lambda item: bool(holds(item.raw)))
    assert total(page) == len(expected) > 0
    assert shown_rows(page) == expected[:ROWS]


def test_a_search_for_nothing_that_is_there_says_how_to_search(page: Page) -> None:
    page.goto("/samples?q=" + quote('zeppelin "') + "&place=accepted")
    assert total(page) == 0
    assert "clear all" in page.locator(".results .empty").inner_text()


def test_a_measure_range_keeps_what_lies_in_it_and_the_order_follows_the_measure(
    page: Page, items: list[Told]
) -> None:
    page.goto("/samples")
    page.locator("#measure").select_option("echo_max")
    page.locator("#min").fill("0.25")
    page.locator("#max").fill("0.9")
    page.locator("#range-apply").click()
    page.wait_for_url("**measure=echo_max**")
    page.locator("#sort").select_option("echo_max")
    page.wait_for_url("**sort=echo_max**")
    page.locator("#dir").select_option("desc")
    page.wait_for_url("**dir=desc**")
    inside = [item for item in items if 0.25 <= item.measures.get("echo_max", -1) <= 0.9]
    inside.sort(key=lambda item: (-item.measures["echo_max"], item.seq))
    assert total(page) == len(inside) > 0
    assert shown_rows(page) == [item.seq for item in inside[:ROWS]]
    page.locator(".chip", has_text="echo_max").click()
    page.wait_for_url(re.compile(r"/samples\?sort=echo_max&dir=desc$"))


def test_pages_follow_each_other_forward_and_back(page: Page, items: list[Told]) -> None:
    expected = seqs(items, lambda item: item.place == "rejected")
    page.goto("/samples?place=rejected")
    for start in (0, ROWS, 2 * ROWS):
        assert shown_rows(page) == expected[start : start + ROWS]
        assert page.locator("#page-place").inner_text().startswith(f"{start + 1}–{start + ROWS} ")
        page.keyboard.press("n")
        page.wait_for_url(f"**after={expected[start + ROWS - 1]}")
    for start in (2 * ROWS, ROWS, 0):
        page.keyboard.press("p")
        page.wait_for_url(f"**before={expected[start + ROWS]}")
        assert shown_rows(page) == expected[start : start + ROWS]
    assert page.locator("#previous-page").count() == 0


def test_the_last_page_ends_the_list(page: Page, items: list[Told]) -> None:
    page.goto("/samples?sort=input&dir=desc")
    assert shown_rows(page) == [item.seq for item in reversed(items)][:ROWS]
    page.goto(f"/samples?after={len(items) - 4}")
    assert shown_rows(page) == [item.seq for item in items[-3:]]
    assert page.locator("#next-page").count() == 0


def test_keys_go_through_list_and_samples_without_a_mouse(page: Page, items: list[Told]) -> None:
    expected = seqs(items, lambda item: item.reasons[:1] == ("parse/unknown_speaker",))
    page.goto("/samples?fate=parse/unknown_speaker")
    for key in "jjk":
        page.keyboard.press(key)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/sample/{expected[1]}?**")
    page.keyboard.press("j")
    page.wait_for_url(f"**/sample/{expected[2]}?**")
    page.keyboard.press("k")
    page.wait_for_url(f"**/sample/{expected[1]}?**")
    assert page.locator("#place-in-list").inner_text() == f"2 of {len(expected)}"
    page.keyboard.press("Escape")
    page.wait_for_url("**/samples?fate=**")
    page.keyboard.press("f")
    page.wait_for_url("**/?fate=**")
    page.keyboard.press("l")
    page.wait_for_url("**/samples?fate=**")


def test_the_help_lists_every_key_and_closes_by_escape(page: Page) -> None:
    from generator.inspector.keys import KEYS

    page.goto("/")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    assert dialog.locator("tbody kbd").all_inner_texts() == [key.key for key in KEYS]
    # Keys belong to the dialog while it is open.
    page.keyboard.press("l")
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.url.endswith("/")
    page.get_by_role("button", name="Keys").click()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="hidden")


def test_a_key_typed_into_a_field_is_text(page: Page) -> None:
    page.goto("/samples")
    page.keyboard.press("/")
    page.keyboard.type("flat")
    assert page.locator("#search").input_value() == "flat"
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.wait_for_url(re.compile(r"/$"))


def test_a_sample_shows_its_fault_where_it_is(page: Page, items: list[Told]) -> None:
    seq = seqs(items, lambda item: "Reviewer: I disagree" in item.raw)[3]
    page.goto(f"/sample/{seq}")
    assert page.locator("#reasons li").get_attribute("data-code") == "unknown_speaker"
    mark = page.locator("#raw mark.fault")
    assert mark.inner_text() == "Reviewer: I disagree with all of it."
    assert page.locator("#raw .raw").inner_text().strip() == items[seq].raw.strip()
    page.get_by_role("button", name="show the place").click()
    page.locator("#raw mark.fault.lit").wait_for()


def test_m_goes_from_fault_to_fault(page: Page, items: list[Told]) -> None:
    seq = seqs(items, lambda item: len(item.reasons) > 1 and item.place == "rejected")[0]
    page.goto(f"/sample/{seq}")
    assert page.locator("#reasons li").count() == len(items[seq].reasons)
    seq = seqs(items, lambda item: item.reasons[:1] == ("parse/wrong_order",))[0]
    page.goto(f"/sample/{seq}")
    page.keyboard.press("m")
    page.locator("mark.fault.lit").wait_for()


def test_a_sample_shows_turns_prompts_attempts_measures_and_origin(
    page: Page, items: list[Told]
) -> None:
    seq = next(item.seq for item in items if item.place == "accepted")
    page.goto(f"/sample/{seq}")
    turns = page.locator("#conversation .turn")
    assert turns.count() == items[seq].measures["pairs"] * 2
    assert "person" in (turns.first.get_attribute("class") or "")
    call = page.locator("#calls details.call")
    assert call.get_attribute("data-role") == "writer"
    page.keyboard.press("x")
    assert f"The {marker(seq)} system keeps" in call.inner_text()
    row = page.locator('#measures-table tr[data-measure="echo_max"]')
    assert "passes" in row.inner_text()
    assert items[seq].id in page.locator("#provenance").inner_text()
    again = page.locator("#again pre").all_inner_texts()
    assert all(line.startswith("dialogsmith generate paperpersichat-davinci") for line in again)
    assert "replay:" in again[0]


def test_a_formula_stays_as_it_was_written(page: Page, items: list[Told]) -> None:
    seq = next(item.seq for item in items if item.place == "accepted")
    page.goto(f"/sample/{seq}")
    assert r"\sigma$" in page.locator("#conversation").inner_text()
    assert r"$|x_t - \tilde{x}| <" in page.locator("#source").inner_text()


def test_pointing_at_an_answer_lights_the_sentences_it_rests_on(
    page: Page, items: list[Told]
) -> None:
    seq = next(item.seq for item in items if item.place == "accepted" and item.seq % 3)
    page.goto(f"/sample/{seq}")
    turn = page.locator("#conversation .turn.bot", has_text="single cheap board").first
    lit = page.locator("#source .sentence.lit")
    assert lit.count() == 0
    turn.hover()
    lit.first.wait_for()
    assert "single cheap board" in lit.first.inner_text()
    page.mouse.move(0, 0)
    lit.first.wait_for(state="detached")
    turn.focus()
    lit.first.wait_for()


def test_the_command_that_reproduces_a_sample_can_be_copied(page: Page, site: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
    page.goto("/sample/4")
    page.locator("[data-copy=command-1]").click()
    page.get_by_role("button", name="Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == page.locator("#command-1").inner_text()


def test_the_theme_follows_the_system_until_somebody_chooses(page: Page) -> None:
    def ground() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.goto("/")
    light = ground()
    page.emulate_media(color_scheme="dark")
    dark = ground()
    assert light != dark
    page.keyboard.press("t")
    assert ground() == light
    page.goto("/samples")
    assert ground() == light
    page.get_by_role("button", name="Dark or light").click()
    assert ground() == dark
    page.evaluate("localStorage.clear()")


def test_pointing_at_a_cited_statement_lights_the_place_in_its_document(
    cited: Served, opened: Callable[..., WatchedContext]
) -> None:
    record = lines(cited.run / "dialogues.jsonl")[0]
    page = opened(cited.url).page()
    page.goto("/samples?place=accepted")
    page.locator("#rows .open-row").first.click()
    page.wait_for_url("**/sample/**")
    assert page.locator("#source article").count() == len(record["documents"]) > 1
    number = int(record["answer"].rpartition("[")[2].partition("]")[0])
    statement = page.locator("#conversation .turn.bot .cited")
    statement.hover()
    article = page.locator(f"#source article.lit[data-document='{number}']")
    article.wait_for()
    lit = page.locator("#source .sentence.lit")
    assert lit.count() == 1
    assert statement.inner_text() in lit.inner_text()
    assert article.locator(".sentence.lit").count() == 1
    page.mouse.move(0, 0)
    lit.wait_for(state="detached")
    assert grave_findings(page) == []
    page.set_viewport_size({"width": NARROW, "height": 900})
    assert overflow(page) == []
