"""The page that is sent to somebody: complete, harmless, the same for the same run."""

from __future__ import annotations

import re
import sys
import tracemalloc
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_runs import Made, made_run

from generator.report.excerpts import shown_example
from generator.report.figures import Example, gather
from generator.report.html import write_report
from generator.report.measures import MEANINGS

ROOT = Path(__file__).resolve().parent.parent.parent
ECHO, PARSE = "filter/echo", "parse/odd_turn_count"
RAW = "Summary: Words.\nPerson: Why?\nYou: Therefore."


class Page(HTMLParser):
    """Tags with their attributes, and the text of the `mark` elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.marked: list[str] = []
        self.text: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside.append(tag)
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._inside:
            return
        self.text.append(data)
        if "mark" in self._inside:
            self.marked[-1] += data


def record(summary: str = "Words are here.", answer: str = "Therefore it is so.") -> dict[str, Any]:
    turns = [{"speaker": "person", "text": "Why is it so?"}, {"speaker": "bot", "text": answer}]
    return {"text": "A segment of five words.", "dialogue": RAW, "meta_segments": [],
            "meta_paper": {"title": "T", "paper_id": "p"},
            "parsed_dialogue": {"summary": summary, "turns": turns * 2}}  # fmt: skip


def rejected(name: str, *reasons: str, **more: Any) -> Made:
    return Made(name, "rejected", reasons, **more)


def page_of(run: Path) -> str:
    return write_report(run).read_text(encoding="utf-8")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return made_run(
        tmp_path / "run one",
        [
            *(Made(f"good{n}", record=record(), measures={"pairs": 2, "echo_max": n / 10})
              for n in range(4)),
            *(rejected(f"bad{n}", PARSE, span=(16, 28)) for n in range(5)),
            rejected("both", ECHO, "filter/loop"),
            rejected("twin", "corpus/duplicate_dialogue", corpus=True),
            Made("down", "failed"),
            Made("later", "pending"),
        ],
    )  # fmt: skip


def test_the_funnel_leads_from_the_items_to_the_accepted(run: Path) -> None:
    steps = gather(run).summary.funnel
    assert [(s.name, s.dropped, s.left) for s in steps] == [
        ("items", 0, 13), ("candidates", 2, 11), ("answered", 0, 11), ("parsed", 5, 6),
        ("filter/echo", 1, 5), ("corpus/duplicate_dialogue", 1, 4), ("accepted", 0, 4),
    ]  # fmt: skip


def test_the_page_says_that_the_counts_add_up(run: Path) -> None:
    text = page_of(run)
    assert "4 accepted + 7 rejected + 1 failed + 1 pending" in text
    assert "= 13 items: every item is in exactly one place" in text
    assert "36.4 %" in text


def test_three_examples_a_reason_in_input_order_with_the_fault_marked(run: Path) -> None:
    page = Page(page_of(run))
    shown = [text for text in page.text if re.fullmatch(r"(bad|both|twin)\d?", text)]
    assert shown == ["bad0", "bad1", "bad2", "twin", "both", "both"]
    assert page.marked == ["Person: Why?"] * 3


def test_every_reason_has_its_example_in_the_gathered_figures(run: Path) -> None:
    examples = gather(run).examples
    assert {f"{stage}/{code}": len(found) for (stage, code), found in examples.items()} == {
        PARSE: 3, ECHO: 1, "filter/loop": 1, "corpus/duplicate_dialogue": 1,
    }  # fmt: skip


def test_what_people_decided_is_in_the_funnel(tmp_path: Path) -> None:
    run = made_run(
        tmp_path / "run",
        [Made("a", record=record(), decision="refuse"), Made("b", record=record()),
         rejected("c", ECHO, record=record(), decision="accept"), rejected("d", ECHO)],
    )  # fmt: skip
    found = gather(run)
    assert [(s.name, s.left) for s in found.summary.funnel][3:] == [
        ("parsed", 4), ("filter/echo", 3), ("person/refused_by_person", 2), ("accepted", 2),
    ]  # fmt: skip
    assert found.summary.adds_up
    assert "as I see it" in page_of(run)


def test_published_figures_stand_beside_those_of_the_run(run: Path) -> None:
    text = page_of(run)
    for published in ("626", "588", "1,242", "60.2", "98.8", "53.6", "123", "3.89", "78.5 %"):
        assert published in text
    assert "github.com/ai-forever/paper_persi_chat" in text
    (segment,) = [d for d in gather(run).lengths if d.name == "segment_tokens"]
    assert (segment.spread.count, segment.spread.mean) == (4, 5)


def test_settings_models_and_versions_are_told(run: Path) -> None:
    text = "".join(Page(page_of(run)).text)
    for told in ("filters.max_echo", "0.6", "scripted:a", "0.1.0", "writer/plain"):
        assert told in text


def test_the_same_run_gives_the_same_bytes(run: Path) -> None:
    first = page_of(run)
    assert page_of(run) == first
    assert "<svg" in first
    assert not re.search(r"20\d\d-\d\d-\d\d", first)


def test_nothing_is_loaded_and_no_script_may_run(run: Path) -> None:
    page = Page(page_of(run))
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    for tag, attributes in page.tags:
        assert tag not in ("script", "img", "iframe", "object", "embed", "link", "form", "base")
        assert (attributes.get("href") or "#").startswith("#")
        assert "src" not in attributes
    assert "http://" not in page_of(run)


def test_ids_are_unique_and_what_is_referred_to_is_there(run: Path) -> None:
    text = page_of(run)
    ids = [a["id"] for _, a in Page(text).tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:url\(|href=")#([\w-]+)', text)) <= set(ids)


def test_plots_have_names_and_follow_the_reader_s_colours(run: Path) -> None:
    text = page_of(run)
    plots = [a for t, a in Page(text).tags if t == "svg"]
    assert len(plots) == 1 + 5 + 1
    assert all(a["role"] == "img" and a["aria-label"] for a in plots)
    drawings = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert not re.search(r"#[0-9a-f]{6}", drawings)
    assert "var(--bar)" in drawings


def test_without_matplotlib_there_are_tables_and_one_line_that_says_how_to_get_plots(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = page_of(run)
    assert "<svg" not in text
    assert text.count("dialogsmith[report]") == 1
    assert "626" in text


@pytest.fixture
def no_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tests do not look at plots, which take the time."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></details><form action=/x>",
    "<a href='javascript:alert(1)'>x</a>",
    "<svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% include 'run.html.jinja' %}",
    "]]><!--",
    "$\\frac{a}{b}$ &lt;b&gt;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_corpus_text_is_never_markup(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text != HOSTILE[0]:
        # One is enough for the plots, which take the time.
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    about = {
        "roles": {text: {"spec": text, "capabilities": {}}}, "recipe": text,
        "settings": {"note": text}, "versions": {text: text},
    }  # fmt: skip
    run = made_run(
        tmp_path / "run",
        [
            rejected("a", f"filter/{text}", detail=text, raw=text * 3, span=(0, len(text)),
                     item_id=text),
            rejected("b", f"{text}/code".replace("/", "", text.count("/"))),
            Made("c", record=record(text, text), measures={text: 0.5, "x": 1}),
            Made("d", record=record(), measures={text: 0.25}),
        ],
        **about,
    )  # fmt: skip
    found = page_of(run)
    page = Page(found)
    plain = page_of(made_run(tmp_path / "plain", [Made("c", record=record())]))
    allowed = {tag for tag, _ in Page(plain).tags} | {"mark", "article", "pre", "details",
               "summary", "strong", "bdi", "code"}  # fmt: skip
    assert {tag for tag, _ in page.tags} <= allowed
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert "javascript" not in "".join(v or "" for v in attributes.values()).replace(text, "")
    assert text in page.marked
    assert "49" not in "".join(t for t in page.text if "7" in t and "*" in t)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"), ("a\x00b", "a\\x00b"), ("\u202etxet", "\\u202etxet"),
        ("\u2066x", "\\u2066x"), ("line\r\nline", "line\nline"), ("שלום עולם", "שלום עולם"),
        ("河流的水位", "河流的水位"), ("x²\u0301 \U0001f600", "x²\u0301 \U0001f600"),
    ],
    ids=["escape", "nul", "override", "isolate", "CRLF", "Hebrew", "Chinese", "marks"],
)  # fmt: skip
@pytest.mark.usefixtures("no_plots")
def test_what_steers_text_is_shown_as_a_code_and_scripts_stay(
    tmp_path: Path, text: str, shown: str
) -> None:
    run = made_run(
        tmp_path / "run", [rejected("a", ECHO, raw=f"<{text}>", span=(0, len(text) + 2))]
    )
    assert Page(page_of(run)).marked == [f"<{shown}>"]


@pytest.mark.parametrize("span", [None, (0, 1), (500_000, 500_010), (0, 1_000_000), (10**7, 10**8)])
@pytest.mark.usefixtures("no_plots")
def test_a_turn_of_a_megabyte_is_cut_around_its_fault(
    tmp_path: Path, span: tuple[int, int] | None
) -> None:
    raw = "".join(f"word{n:06} " for n in range(90_000))
    run = made_run(tmp_path / "run", [rejected(str(n), ECHO, raw=raw, span=span) for n in range(3)])
    text = page_of(run)
    assert len(text) < 60_000
    assert "[…]" in text
    marked = Page(text).marked
    assert len(marked) == (0 if span is None or span[0] > len(raw) else 3)
    if span == (500_000, 500_010):
        assert marked[0] == raw[500_000:500_010]


def test_a_dialogue_of_many_answers_shows_who_said_what_and_how_many_more_there_are() -> None:
    raw = tuple(("person" if n % 2 else "bot", f"utterance {n}") for n in range(12))
    reason = {"stage": "turn", "code": "echo", "detail": "turn 3", "span": [0, 9]}
    shown = shown_example(Example("id", "p.jsonl", None, reason, raw))
    texts = [(t["role"], t["marked"] + t["after"]) for t in shown["texts"]]
    assert texts == list(raw[:9])
    assert [t["marked"] for t in shown["texts"]] == ["utterance"] + [""] * 8
    assert (shown["more"], shown["source"]) == (3, "p.jsonl")


def test_labels_that_not_every_font_has_stay_out_of_the_plots(tmp_path: Path) -> None:
    run = made_run(
        tmp_path / "run",
        [rejected("a", "filter/重复"), Made("b", measures={"比例": 0.1}, record=record()),
         Made("c", measures={"比例": 0.4}, record=record())],
    )  # fmt: skip
    text = page_of(run)
    assert "filter/重复" in text
    assert not re.search(r"[\u2e80-\uffff]", "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL)))


def test_a_run_of_nothing_has_a_page(tmp_path: Path) -> None:
    text = page_of(made_run(tmp_path / "run", [], ended=False))
    assert "Nothing was rejected" in text
    assert "Not finished" in text


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _whole(short: str) -> str:
    return "#" + "".join(2 * digit for digit in short[1:])


def schemes(text: str) -> Iterator[dict[str, str]]:
    for block in re.findall(r":root \{(.*?)\}", text, re.DOTALL):
        found = dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", block))
        yield {
            n: c if len(c) == 7 else "#" + "".join(2 * x for x in c[1:]) for n, c in found.items()
        }


def test_colours_keep_the_contrast_that_wcag_asks_for(run: Path) -> None:
    found = list(schemes(page_of(run)))
    assert len(found) == 3
    for scheme in found:
        for ground in (scheme["paper"], scheme["panel"]):
            for text in ("ink", "soft", "published", "link"):
                assert contrast(scheme[text], ground) >= 4.5, (text, scheme)
            for graphic in ("bar", "good", "bad", "open"):
                assert contrast(scheme[graphic], ground) >= 3, (graphic, scheme)
        assert contrast(scheme["ink"], scheme["mark"]) >= 4.5


def test_memory_does_not_grow_with_the_records(tmp_path: Path) -> None:
    def run_of(number: int) -> Path:
        items = (
            Made(str(n), record=record(answer="word " * (n % 50 + 1)), measures={"pairs": n % 5})
            if n % 3
            else rejected(str(n), ECHO)
            for n in range(number)
        )
        return made_run(tmp_path / str(number), items)

    def peak(run: Path) -> int:
        tracemalloc.start()
        try:
            gather(run)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = run_of(300), run_of(3_000)
    # What is kept once and for all is filled before anything is measured.
    gather(many)
    assert peak(many) < 1.2 * peak(few) + 50_000


def test_what_measures_say_is_said_of_measures_there_are() -> None:
    formats = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for name in MEANINGS:
        assert f"`{name}`" in formats
