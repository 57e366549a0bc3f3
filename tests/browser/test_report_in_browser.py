"""`report.html` as a reader has it: wide and narrow, light and dark, with hostile texts in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import generator
from generator.report.html import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = (
    "<script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"
    "<a href=\"javascript:document.title='ran'\">here</a> \u202etxet\x1b[31m "
)
NAMES = ("kiln", "ferry", "mill", "forge")


def paper(name: str) -> str:
    text = f"The {name} keeps a log of each day, and a clerk copies the log every evening. " * 16
    headings = ("1 Introduction", "2 Method", "3 Experiments", "4 Results", "5 Conclusion")
    return json.dumps(
        {
            "title": f"On the {name}", "abstract": f"A study of the {name}.", "authors": "",
            "pub_date": "", "references": [], "figures": [], "formulas": [], "doi": "",
            "sections": [
                {"heading": heading, "text": text if heading[0] == "1" else "Short."}
                for heading in headings
            ],
        }
    )  # fmt: skip


def dialogue(name: str) -> str:
    return (
        f"Summary: The text tells how the {name} keeps a log of each day.\n"
        f"Person: What does the {name} keep?\nYou: It keeps a log of each day.\n"
        "Person: Who copies it?\nYou: A clerk copies the log every evening.\n"
    )


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run with one sound sample and three hostile ones."""
    folder = tmp_path_factory.mktemp("report")
    answers = [
        dialogue("kiln"),
        HOSTILE * 3,
        dialogue("mill").replace("You: A clerk", f"Person: {HOSTILE}\nYou: A clerk"),
        f"Summary: {HOSTILE}\nPerson: [question 1]\nYou: [answer 1]\n" + "字" * 1_000_000,
    ]
    (folder / "papers.jsonl").write_text("\n".join(map(paper, NAMES)), "utf-8")
    (folder / "script.jsonl").write_text(
        "\n".join(
            json.dumps({"match": {"contains": f"study of the {name}."}, "text": answer})
            for name, answer in zip(NAMES, answers, strict=True)
        ),
        "utf-8",
    )
    generator.generate(
        "paperpersichat-davinci", folder / "papers.jsonl", out=folder / "run",
        model=f"scripted:{folder / 'script.jsonl'}",
    )  # fmt: skip
    return write_report(folder / "run")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_is_accessible_and_runs_nothing(
    browser: Browser, page_file: Path, width: int, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        # The page's own policy would forbid the checker.
        bypass_csp=True,
    )
    page = context.new_page()
    told, asked = listen(page)
    page.goto(page_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.title() == "run – dialogsmith report"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("mark").count() > 0
    assert page.locator("svg").count() > 1
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found] == []
    assert (told, asked) == ([], [page_file.as_uri()])
    context.close()


def test_with_its_own_policy_the_page_is_silent_and_complete(
    browser: Browser, page_file: Path
) -> None:
    page = browser.new_page()
    told, asked = listen(page)
    page.goto(page_file.as_uri())
    page.locator("summary", has_text="placeholder_text").click()
    assert page.get_by_text("every item is in exactly one place").is_visible()
    assert page.locator("svg text").first.is_visible()
    assert page.locator("script, img").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('svg path')).fill") == "none"
    assert (page.title(), told) == ("run – dialogsmith report", [])
    assert asked == [page_file.as_uri()]
    page.close()


def listen(page: Page) -> tuple[list[str], list[str]]:
    """What the page says to the console or in dialogs, and the addresses it asks for."""
    told: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    return told, asked
