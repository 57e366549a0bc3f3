"""Each view of the inspector over real HTTP: what it shows, and where its links lead."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import Browser, browsing

from generator.report.summary import summarise


class _Checker(HTMLParser):
    """Finds inline script and style, event handlers, double ids and unlabelled fields."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.in_script = tag == "script"
        self.faults += [f"{tag} {name}" for name in about if name.startswith("on")]
        self.faults += [f"{tag} style"] if "style" in about or tag == "style" else []
        for name in ("href", "src", "action", "formaction"):
            if (about.get(name) or "").lower().lstrip().startswith(("javascript:", "data:")):
                self.faults.append(f"{tag} {name}={about[name]}")
        if about.get("id"):
            self.ids.append(str(about["id"]))
        if tag == "label" and about.get("for"):
            self.labelled.add(str(about["for"]))
        if tag in ("input", "select", "textarea") and about.get("type") not in (
            "hidden",
            "checkbox",
        ):
            self.fields.append(about)

    def handle_data(self, data: str) -> None:
        if self.in_script and data.strip():
            self.faults.append(f"inline script {data[:40]}")
        self.in_script = False


PAGES = ("/", "/samples", "/samples?place=rejected&sort=grounding_min", "/samples?q=nothing-at-all",
         "/sample/0", "/sample/9", "/sample/19", "/whatif", "/compare", "/nowhere")  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_inline_script_and_a_label_for_each_field(page: Browser, path: str) -> None:
    checker = _Checker()
    checker.feed(page.get(path).body)
    assert checker.faults == []
    assert len(checker.ids) == len(set(checker.ids))
    for field in checker.fields:
        assert field.get("id") in checker.labelled, field


def test_the_funnel_adds_up_to_the_run(page: Browser, mixed_run: Path) -> None:
    summary = summarise(mixed_run)
    answer = page.get("/")
    assert answer.text_of("count-items") == f"{summary.counts['items']:,}"
    assert answer.text_of("count-accepted") == f"{summary.counts['accepted']:,}"
    rows = answer.all_of(r'<tr class="filter" data-step="([^"]+)">')
    lost = answer.all_of(r'<tr class="filter" data-step="[^"]+">.*?<td class="n">\d+</td>'
                         r'<td class="n">(\d+)</td>')  # fmt: skip
    first = {f"{r.stage}/{r.code}": r.first for r in summary.reasons if r.first}
    assert dict(zip(rows, map(int, lost), strict=True)) == first
    assert summary.counts["items"] - sum(map(int, lost)) == summary.counts["accepted"]


def test_a_bar_of_the_funnel_leads_to_just_those_samples(page: Browser) -> None:
    funnel = page.get("/")
    links = funnel.all_of(r'<a href="([^"]+)" data-step="[^"]+" class="filter">')
    counts = funnel.all_of(r"− (\d+)</text>")
    assert len(links) == len(counts) > 5
    for link, count in zip(links, counts, strict=True):
        assert page.get(link).text_of("total") == count


def test_the_funnel_can_be_narrowed(page: Browser) -> None:
    answer = page.get("/?section=results")
    part = int(answer.text_of("count-items"))
    assert 0 < part < 150
    assert page.get("/samples?section=results").text_of("total") == str(part)
    for dimension in ("model", "language", "section", "paper"):
        assert f'data-dimension="{dimension}"' in answer.body


def test_the_list_filters_by_everything(page: Browser) -> None:
    total = int(page.get("/samples").text_of("total"))
    assert total == 150
    rejected = int(page.get("/samples?place=rejected").text_of("total"))
    accepted = int(page.get("/samples?place=accepted").text_of("total"))
    both = page.get("/samples?place=accepted&place=rejected")
    assert rejected + accepted == int(both.text_of("total")) == total
    for query in ("code=ungrounded", "stage=parse", "language=zh", "reason=filter/ungrounded"):
        some = page.get(f"/samples?place=rejected&{query}")
        assert 0 < int(some.text_of("total")) < rejected
    assert int(page.get("/samples?q=%E8%AF%BB%E6%95%B0").text_of("total")) > 0
    assert int(page.get("/samples?q=football+supporters").text_of("total")) > 0
    assert page.get("/samples?q=granary0").seqs == [0]
    assert page.get("/samples?range=pairs:4:4&range=grounding_min:0.6:").seqs
    assert page.get("/samples?paper=unknown").seqs == []


def test_a_facet_says_how_many_samples_it_leads_to(page: Browser) -> None:
    listed = page.get("/samples?place=rejected")
    choices = listed.all_of(r'<li><a href="([^"]+)" data-value="[^"]+">')
    numbers = listed.all_of(r'<li><a href="[^"]+" data-value="[^"]+"><span.*?<span class="n">'
                            r"([\d,]+)</span></a>")  # fmt: skip
    checked = 0
    for link, number in zip(choices, numbers, strict=True):
        if len(parse_qs(urlsplit(link).query).get("place", [])) == 1:
            assert page.get(link).text_of("total") == number
            checked += 1
    assert checked > 10


@pytest.mark.parametrize("sort", ["input", "grounding_min", "loop_share", "raw_chars"])
@pytest.mark.parametrize("direction", ["", "desc"])
def test_pages_of_the_list_show_each_sample_once(page: Browser, sort: str, direction: str) -> None:
    link = f"/samples?place=rejected&sort={sort}&dir={direction}"
    seen: list[int] = []
    pages: list[list[int]] = []
    while link:
        answer = page.get(link)
        seen += answer.seqs
        pages.append(answer.seqs)
        link = (answer.all_of(r'id="next-page" href="|href="([^"]+)" id="next-page"') or [""])[0]
    assert len(seen) == len(set(seen)) == int(answer.text_of("total"))
    assert len(pages) > 1
    back = answer.all_of(r'href="([^"]+)" id="previous-page"')[0]
    assert page.get(back).seqs == pages[-2]


def test_a_sample_shows_its_fault_where_it_is(page: Browser) -> None:
    seq = page.get("/samples?fate=filter/ungrounded").seqs[0]
    answer = page.get(f"/sample/{seq}")
    marked = answer.all_of(r'<mark class="fault" data-reason="1"[^>]*>(.*?)</mark>')
    assert marked == [
        "Football supporters celebrated the championship with fireworks and brass bands."
    ]
    assert answer.all_of(r'<li class="turn bot faulty" data-turn="(\d+)"') == ["6"]
    assert "filter/ungrounded" in answer.text_of("reasons")
    assert "✗" in answer.text_of("measures-table")
    assert "min_grounding" in answer.text_of("measures-table")


def test_a_sample_shows_all_that_was_asked_and_where_it_comes_from(page: Browser) -> None:
    answer = page.get("/sample/0")
    assert "as sent" in answer.text_of("calls")
    assert "The granary0 system keeps a ledger" in answer.text_of("calls")
    assert "temperature" in answer.text_of("calls")
    assert '"templates"' in answer.text_of("provenance")
    assert "dialogsmith generate paperpersichat-davinci" in answer.text_of("command-2")
    assert "--limit 1" in answer.text_of("command-1")
    assert "papers.jsonl</span>, line 1" in answer.body


def test_a_turn_names_the_sentences_it_rests_on(page: Browser) -> None:
    answer = page.get("/sample/0")
    numbers = answer.all_of(r'data-turn="8" data-sentences="([^"]*)"')[0].split()
    assert numbers
    assert "measured a delay of 5 seconds" in answer.text_of(f"sentence-{numbers[0]}")


def test_next_and_previous_follow_the_list_that_was_left(page: Browser) -> None:
    query = "place=rejected&sort=raw_chars&dir=desc"
    order = page.get(f"/samples?{query}").seqs
    answer = page.get(f"/sample/{order[3]}?{query}")
    before = answer.all_of(r'id="previous-sample" href="/sample/(\d+)')
    after = answer.all_of(r'id="next-sample" href="/sample/(\d+)')
    assert (int(before[0]), int(after[0])) == (order[2], order[4])
    assert answer.text_of("place-in-list").startswith("4 of ")


@pytest.mark.parametrize(
    "path", ["/sample/150", "/sample/99999999999", "/nowhere", "/static/x.css"]
)
def test_what_is_not_there_is_said_on_a_page(page: Browser, path: str) -> None:
    answer = page.get(path)
    assert answer.status == 404
    assert "Nothing here" in answer.body


@pytest.mark.parametrize(
    "query",
    ["after=x", "after=-1", "after=9:nan", "sort=nothing", "range=a:b:c", "range=pairs:9:1",
     "measure=pairs&min=abc", "dir=sideways", "q=%22", "q=*", "q=-x", "q=AND+OR+NOT+(", "place=",
     "after=99999999999999999999", "range=pairs:-inf:inf", "q=%00%ff"],
)  # fmt: skip
def test_an_address_that_makes_no_sense_still_gives_a_page(page: Browser, query: str) -> None:
    assert page.get(f"/samples?{query}").status == 200
    assert page.get(f"/?{query}").status == 200
    assert page.get(f"/sample/3?{query}").status == 200


def test_progress_counts_every_item(page: Browser) -> None:
    state = json.loads(page.get("/progress").body)
    counts = state["counts"]
    assert counts["items"] == 150 == sum(counts[p] for p in counts if p != "items")
    assert state["finished"] is True


def test_two_inspectors_of_one_run_work_side_by_side(page: Browser, mixed_run: Path) -> None:
    with browsing(mixed_run) as second:
        assert second.counts() == page.counts()
        assert (
            second.get("/samples?code=ungrounded").seqs == page.get("/samples?code=ungrounded").seqs
        )


def test_the_keys_are_in_the_page_once_each(page: Browser) -> None:
    keys = page.get("/").all_of(r'<tr data-key="([^"]+)"')
    assert len(keys) == len(set(keys)) > 15
