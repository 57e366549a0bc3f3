"""What if, decide and undo, on a copy of the run: the page, the files and `refilter` agree."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from accessible import grave_findings
from served_run import Served, dialogsmith, inspected
from told_by_files import Told, lines, seqs, told
from watched_pages import NARROW, WIDE, WatchedContext, overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASKED_BY_ANOTHER = "Reviewer: Did that"
"""Outputs with it are rejected for the name of the speaker alone."""


@pytest.fixture(scope="module")
def run(mixed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run that may be changed. Neither papers nor script are beside it, so that
    nothing can be asked of a model."""
    copy = tmp_path_factory.mktemp("changed") / mixed.name
    shutil.copytree(mixed, copy, ignore=shutil.ignore_patterns("inspect*", ".*"))
    return copy


@pytest.fixture(scope="module")
def changing(run: Path, before: list[Told]) -> Iterator[Served]:
    with inspected(run) as served:
        served.wait_until_indexed(len(before))
        yield served


@pytest.fixture(scope="module")
def before(mixed: Path) -> list[Told]:
    """The items as they were before anybody changed anything."""
    return told(mixed)


@pytest.fixture
def page(changing: Served, opened: Callable[..., WatchedContext]) -> Page:
    return opened(changing.url).page()


def accepted_ids(run: Path) -> set[str]:
    return {line["id"] for line in lines(run / "provenance.jsonl")}


def calls_made(run: Path) -> int:
    with sqlite3.connect(f"file:{run}/store.sqlite?mode=ro", uri=True) as store:
        return int(store.execute("SELECT count(*) FROM calls").fetchone()[0])


def badge(page: Page) -> str:
    return page.locator("h1 .badge").inner_text()


def wait_for_place(page: Page, place: str) -> None:
    page.locator("h1 .badge", has_text=place).wait_for()
    # The keys work once the page is whole.
    page.wait_for_load_state()


def yields(page: Page) -> tuple[str, str]:
    page.locator("#result").wait_for()
    return page.locator("#yield-before").inner_text(), page.locator("#yield-after").inner_text()


def counted(page: Page, selector: str) -> int:
    return int(re.sub(r"[^\d+-]", "", page.locator(selector).inner_text()))


def moves(page: Page) -> dict[tuple[str, str], int]:
    found = {}
    for row in page.locator("#moves tbody tr").all():
        move = (row.get_attribute("data-before") or "", row.get_attribute("data-after") or "")
        found[move] = int(row.locator("td").first.inner_text().replace(",", ""))
    return found


def test_a_new_user_finds_from_help_to_a_rescued_sample(
    run: Path, before: list[Told], opened: Callable[..., WatchedContext], changing: Served
) -> None:
    listed = dialogsmith("--help").stdout
    command = next(line.split()[0] for line in listed.splitlines() if "filtered out" in line)
    assert command == "inspect"
    assert "a run directory" in dialogsmith(command, "--help").stdout
    page = opened(changing.url).page()
    page.goto("/")
    page.get_by_role("link", name=re.compile(r"rejected$")).click()
    page.wait_for_url("**/samples?place=rejected")
    # The first that can be understood: its turns were read, so that they can be accepted.
    seq = seqs(before, lambda item: item.reasons[:1] == ("filter/echo",))[0]
    page.get_by_role("link", name=re.compile(r"^echo")).click()
    page.wait_for_url("**code=echo")
    page.locator("#rows .open-row").first.click()
    page.wait_for_url(f"**/sample/{seq}?**")
    page.get_by_role("button", name="Accept", exact=True).click()
    wait_for_place(page, "accepted")
    ids = [line["id"] for line in lines(run / "provenance.jsonl")]
    assert before[seq].id in ids
    written = lines(run / "dialogues.jsonl")
    assert len(written) == len(ids)
    assert "single cheap board" in str(written[ids.index(before[seq].id)])


def test_a_decision_is_made_noted_and_undone_by_keys(
    page: Page, run: Path, before: list[Told]
) -> None:
    item = [item for item in before if item.place == "accepted"][5]
    page.goto(f"/sample/{item.seq}")
    page.locator("#note").fill("reads like an advertisement <b>")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    wait_for_place(page, "rejected")
    assert "reads like an advertisement <b>" in page.locator("#decision").inner_text()
    page.locator("#provenance summary").click()
    assert "reads like an advertisement <b>" in page.locator("#provenance pre").inner_text()
    refused = {line["id"]: line for line in lines(run / "rejected.jsonl")}
    assert refused[item.id]["reasons"][0]["stage"] == "person"
    assert item.id not in accepted_ids(run)
    page.keyboard.press("u")
    wait_for_place(page, "accepted")
    assert item.id in accepted_ids(run)
    assert "undone" in (page.locator("#past-decisions").text_content() or "")


def test_turns_are_edited_before_they_are_accepted(
    page: Page, run: Path, before: list[Told]
) -> None:
    seq = seqs(before, lambda item: item.reasons[:1] == ("filter/ungrounded",))[0]
    page.goto(f"/sample/{seq}")
    page.keyboard.press("e")
    page.locator("#edit-text-6").fill("Yes, one false alarm a week is left. 只剩一次误报。")
    page.get_by_role("button", name="Accept as edited").click()
    wait_for_place(page, "accepted")
    assert "in other words" in page.locator("#decision").inner_text()
    assert "只剩一次误报" in page.locator("#conversation").inner_text()
    ids = [line["id"] for line in lines(run / "provenance.jsonl")]
    record = lines(run / "dialogues.jsonl")[ids.index(before[seq].id)]
    assert "只剩一次误报" in str(record)
    # What the model said stays as it was.
    assert "Football supporters" in page.locator("#raw").inner_text()


def test_an_edit_that_is_no_dialogue_is_refused_and_kept_in_the_form(
    changing: Served, opened: Callable[..., WatchedContext], before: list[Told]
) -> None:
    watched = opened(changing.url)
    page = watched.page()
    seq = seqs(before, lambda item: item.reasons[:1] == ("filter/ungrounded",))[1]
    page.goto(f"/sample/{seq}")
    page.keyboard.press("e")
    for box in page.locator("#edit-form textarea[name=text]").all()[1:]:
        box.fill("")
    page.get_by_role("button", name="Accept as edited").click()
    page.locator("#problem").wait_for()
    assert "Nothing was decided" in page.locator("#problem").inner_text()
    assert page.locator("#edit-text-1").input_value() != ""
    page.goto(f"/sample/{seq}")
    assert badge(page) == "rejected"
    watched.troubles[:] = [t for t in watched.troubles if "status of 4" not in t]


def test_what_if_shows_who_changes_sides_and_changes_nothing(
    page: Page, run: Path, before: list[Told]
) -> None:
    files = (run / "dialogues.jsonl").read_bytes(), (run / "manifest.json").read_bytes()
    page.goto("/")
    page.keyboard.press("w")
    page.wait_for_url("**/whatif")
    page.get_by_label("max_echo", exact=True).fill("0.2")
    page.get_by_role("button", name="Try").click()
    page.wait_for_url("**/whatif?f.max_echo=0.2")
    now, then = yields(page)
    assert float(then.split()[0]) < float(now.split()[0])
    lost = [i for i in before if i.place == "accepted" and i.measures["echo_max"] > 0.2]
    assert moves(page)["accepted", "echo"] >= len(lost) - 5
    page.locator('#moves tr[data-after="echo"] a').first.click()
    page.wait_for_url("**after=echo**")
    assert "echo" in page.locator("#moved-samples tbody tr").first.inner_text()
    page.reload()
    assert yields(page) == (now, then)
    assert files == ((run / "dialogues.jsonl").read_bytes(), (run / "manifest.json").read_bytes())


def test_what_if_a_filter_were_off(page: Page, before: list[Told]) -> None:
    page.goto("/whatif")
    page.get_by_label("garbled_text", exact=True).check()
    page.get_by_role("button", name="Try").click()
    page.wait_for_url("**/whatif?off=garbled_text")
    yields(page)
    alone = seqs(before, lambda item: item.reasons == ("filter/garbled_text",))
    assert moves(page) == {("garbled_text", "accepted"): len(alone)}
    assert counted(page, "#accepted-change") == len(alone)


def test_a_wrong_threshold_is_named_and_nothing_is_tried(
    changing: Served, opened: Callable[..., WatchedContext]
) -> None:
    watched = opened(changing.url)
    page = watched.page()
    page.goto("/whatif")
    page.get_by_label("max_echo", exact=True).fill("many")
    page.get_by_role("button", name="Try").click()
    page.locator("#problem").wait_for()
    assert "max_echo" in page.locator("#problem").inner_text()
    assert page.get_by_label("max_echo", exact=True).input_value() == "many"
    assert page.locator("#result").count() == 0
    watched.troubles[:] = [t for t in watched.troubles if "status of 400" not in t]


def test_a_label_is_tried_saved_and_applied_and_the_rejects_become_records(
    page: Page, run: Path, before: list[Told], tmp_path: Path
) -> None:
    waiting = seqs(before, lambda item: ASKED_BY_ANOTHER in item.raw)
    ids = {before[seq].id for seq in waiting}
    assert len(ids) > 20
    assert not ids & accepted_ids(run)
    calls, records = calls_made(run), len(accepted_ids(run))

    page.goto("/whatif")
    page.get_by_label("Labels of the one who asks").fill("Reviewer")
    page.get_by_role("button", name="Try").click()
    page.wait_for_url("**/whatif?person_labels=Reviewer")
    yields(page)
    assert moves(page)["unknown_speaker", "accepted"] == len(waiting)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as settings").click()
    saved = tmp_path / "settings.toml"
    download.value.save_as(saved)
    assert 'person_labels = ["Reviewer"]' in saved.read_text(encoding="utf-8")

    page.get_by_role("button", name="Apply to the run").click()
    page.locator("#applied").wait_for()
    assert accepted_ids(run) >= ids
    assert len(accepted_ids(run)) == records + len(waiting)
    assert calls_made(run) == calls
    assert not (run.parent / "script.jsonl").exists()
    page.goto(f"/sample/{waiting[0]}")
    wait_for_place(page, "accepted")


def test_decisions_survive_a_refilter_in_another_process_and_the_files_follow(
    page: Page, run: Path, before: list[Told]
) -> None:
    rescued, again = (
        before[seq] for seq in seqs(before, lambda item: item.reasons == ("filter/echo",))[3:5]
    )
    refused = [item for item in before if item.place == "accepted"][11]
    for item, key, place in ((rescued, "a", "accepted"), (refused, "r", "rejected"),
                             (again, "a", "accepted")):  # fmt: skip
        page.goto(f"/sample/{item.seq}")
        page.keyboard.press(key)
        wait_for_place(page, place)
    page.keyboard.press("u")
    wait_for_place(page, "rejected")

    finished = dialogsmith("refilter", run, "--set", "filters.max_echo=0.4")
    assert finished.returncode == 0, finished.stderr
    records = {line["id"]: line for line in lines(run / "provenance.jsonl")}
    rejected = {line["id"]: line for line in lines(run / "rejected.jsonl")}
    assert records.keys().isdisjoint(rejected)
    assert records.keys() | rejected.keys() == {item.id for item in before}
    assert len(lines(run / "dialogues.jsonl")) == len(records)
    assert records[rescued.id]["decision"]["action"] == "accept"
    assert rejected[refused.id]["reasons"][0]["stage"] == "person"
    assert [reason["code"] for reason in rejected[again.id]["reasons"]] == ["echo"]

    for item, place, word in ((rescued, "accepted", "Accepted by a person"),
                              (refused, "rejected", "Refused by a person")):  # fmt: skip
        page.goto(f"/sample/{item.seq}")
        assert badge(page) == place
        assert word in page.locator("#decision").inner_text()
    page.goto("/samples?decision=accepted")
    page.locator(f'.row[data-seq="{rescued.seq}"] .badge.accepted').wait_for()


@pytest.mark.parametrize(
    "headers",
    [
        {}, {"origin": "http://rebound.example"}, {"sec-fetch-site": "cross-site"},
        {"x-dialogsmith-token": "guessed"},
    ],
    ids=["no token", "another origin", "another site", "a guess"],
)  # fmt: skip
def test_nothing_changes_without_the_token_of_the_page(
    changing: Served, page: Page, headers: dict[str, str], before: list[Told]
) -> None:
    item = [item for item in before if item.place == "accepted"][20]
    files = (changing.run / "dialogues.jsonl").read_bytes()
    page.goto("/")
    # With the cookie of the page, as a browser would send it.
    answer = page.request.post(f"/sample/{item.seq}/refuse", headers=headers, form={"note": "x"})
    assert answer.status == 403
    assert (changing.run / "dialogues.jsonl").read_bytes() == files


VIEWS = {
    "decided sample": "/sample/1?" + urlencode({"place": "accepted"}),
    "what if": "/whatif",
    "what if with a result": "/whatif?off=ungrounded",
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_that_changes_things_is_readable_by_everybody(
    changing: Served, opened: Callable[..., WatchedContext], view: str
) -> None:
    page = opened(changing.url, width=NARROW, scheme="dark").page()
    page.goto(VIEWS[view])
    if "off" in VIEWS[view]:
        yields(page)
    page.keyboard.press("x")
    assert overflow(page) == []
    assert grave_findings(page) == []
    page.set_viewport_size({"width": WIDE, "height": 900})
    page.emulate_media(color_scheme="light")
    assert overflow(page) == []
    assert grave_findings(page, only="color-contrast") == []
