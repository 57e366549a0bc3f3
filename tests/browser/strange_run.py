"""A run of texts that no page expects: markup, controls, one of a megabyte, scripts from right to
left. Titles, headings and outputs are as hostile as can be."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from mixed_run import good, marker, paper

from generator import generate

DIRECTIONS = "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200F, 0x061C)))
CONTROLS = "\x1b[2J\x1b[31m\x1b]0;owned\x07\x00\x08\x7f\x9b"
MARKUP = (
    "<script>window.owned = 1</script>",
    "<img src=x onerror=\"window.owned = 2\">",
    "<svg onload=\"window.owned = 3\"></svg>",
    "<a href=\"javascript:window.owned = 4\">here</a>",
    "<iframe srcdoc=\"<script>parent.owned = 5</script>\"></iframe>",
    "<style>main { display: none }</style>",
    "</pre></textarea></title></script><b id=escaped>bold</b>",
    "<form action=\"https://example.org/\"><button id=go>go</button></form>",
    "<!-- {{ 7 * 7 }} {% raw %} ${7 * 7} &lt;kept&gt; -->",
    "<meta http-equiv=refresh content=\"0;url=https://example.org/\">",
)  # fmt: skip

LONG = 1_000_000
NAME = "<b id=escaped>strange"

ARABIC = (
    "Summary: يصف النص كيف يراجع النظام القراءات قبل الإنذار.\n"
    "Person: كيف يقرر النظام أن القراءة خاطئة؟\n"
    "You: يقارن النظام كل قراءة بوسيط القراءات المجاورة.\n"
    "Person: ماذا يحدث للقيمة المشبوهة؟\nYou: تحجز القيمة حتى تراجع مرة أخرى.\n"
)
HEBREW = (
    "Summary: הטקסט מתאר כיצד המערכת בודקת קריאות לפני אזעקה.\n"
    "Person: כיצד המערכת מחליטה שהקריאה שגויה?\n"
    "You: היא משווה כל קריאה לחציון של שכנותיה.\n"
    "Person: מה קורה לערך חשוד?\nYou: הוא מוחזק עד לבדיקה חוזרת.\n"
)
CHINESE = (
    "摘要：本文介绍了系统如何检查读数，并在报警之前再次核对。\n"
    "提问者：系统如何判断读数有误？\n作者：它把读数与相邻读数的中位数进行比较，这一步骤不需要任何额外的硬件。\n"
    "提问者：可疑的读数会怎样？\n作者：它会被暂时保留，等待再次核对。\n"
)


def _with(number: int, more: str) -> str:
    return good(number).replace("It is held back", f"{more} It is held back")


TEXTS = {
    "markup": _with(0, " ".join(MARKUP)),
    "controls": _with(1, f"{CONTROLS} {DIRECTIONS}"),
    "a megabyte": _with(2, "Held and held. " + "readings " * (LONG // 9)),
    "one long word": _with(3, "x" * 5000),
    "Arabic": ARABIC,
    "Hebrew": HEBREW,
    "Chinese": CHINESE,
    "LaTeX": _with(7, r"$\frac{\partial L}{\partial x_t} \le \sqrt{2\pi}\,\sigma$, \begin{align}"),
}
"""Raw outputs by what is strange about them; the place of each in the input is its place here."""

PLACES = {name: place for place, name in enumerate(TEXTS)}

_TITLES = {
    "markup": "A study <script>window.owned = 6</script><img src=x onerror='window.owned = 7'>",
    "controls": f"A study \x1b[31m {DIRECTIONS} of controls",
    "Arabic": "دراسة عن نظام القراءات",
    "Hebrew": "מחקר על מערכת הקריאות",
    "Chinese": "关于读数系统的研究",
}


def make_strange_run(folder: Path) -> Path:
    """A finished run with one item for each of `TEXTS`; answers its directory."""
    with (folder / "papers.jsonl").open("w", encoding="utf-8") as papers:
        for name, number in PLACES.items():
            line = paper(number)
            line["title"] = _TITLES.get(name, line["title"])
            papers.write(json.dumps(line) + "\n")
    with (folder / "script.jsonl").open("w", encoding="utf-8") as script:
        for name, text in TEXTS.items():
            match = {"contains": f"The {marker(PLACES[name])} system keeps"}
            script.write(json.dumps({"match": match, "text": text}) + "\n")
    with contextlib.chdir(folder):
        generate(
            "paperpersichat-davinci", "papers.jsonl",
            out=NAME, model="scripted:script.jsonl",
        )  # fmt: skip
    return folder / NAME
