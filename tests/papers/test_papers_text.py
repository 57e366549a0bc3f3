"""Markdown and plain text."""

from __future__ import annotations

import pytest

from parsers.papers import Paper, Unread

from .conftest import Read

MARKDOWN = """---
title: 'On the sock''s whereabouts'
authors:
  - name: nobody
---

# Abstract

We look for `socks` [@foot1999; @shoe2001].

Introduction
============

See [the drawer](http://example.org/a_(b)) and ![a sock](sock.png) wait.
<!-- a note
over lines -->

Second paragraph.

## Related work ##

Gloves.

```python
# not a heading
```

# Method

One two.

### Deep detail

C# code.

# References

Foot (1999).
"""

PLAIN = """Proceedings of the Sock Society
On the Whereabouts of Socks
A. Nobody, B. Noone
Abstract
We describe a sys-
tem for ﬁnding socks
in large drawers.
1 Introduction
Socks are lost. In
2 of 3 homes this is true.
1.1 Motivation
Cold feet.
2
Methods
We look under the bed.
7 Dwarfs are not a section
3 Results
Nine of ten were found.
References
1 Foot. Socks.
2 Shoe. Laces.
"""


def paper_of(results: list[Paper | Unread]) -> Paper:
    [result] = results
    assert isinstance(result, Paper), result
    return result


def outline(paper: Paper) -> list[tuple[str, str]]:
    return [(section.title, section.section_type) for section in paper.sections]


def test_markdown(read: Read) -> None:
    paper = paper_of(read(MARKDOWN))
    assert (paper.format, paper.title) == ("markdown", "On the sock's whereabouts")
    assert outline(paper) == [
        ("Abstract", "abstract"),
        ("Introduction", "introduction"),
        ("Related work", "background"),
        ("Method", "methodology"),
        ("Deep detail", "methodology"),
    ]
    assert paper.sections[0].text == "We look for `socks` [@foot1999; @shoe2001]."
    assert paper.sections[1].text == "See the drawer and  wait.\nSecond paragraph."
    assert "# not a heading" in paper.sections[2].text
    assert paper.sections[4].text == "C# code."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Socks\n\n## Introduction\n\nText.\n", "Socks"),
        ("# Socks\n\nA. Nobody\n\n# Abstract\n\nA.\n\n# Method\n\nText.", "Socks"),
        ("# Introduction\n\nText.\n", ""),
        ("# Socks\n\nText.\n\n# Shoes\n\nText.", ""),
        ("---\ntitle: Socks\n---\nText.\n", "Socks"),
        ("# 一种自动灌溉方法\n\n## 摘要\n\n概要。\n\n## 引言\n\n文字。\n", "一种自动灌溉方法"),
        (
            "# A New Method for Watering Community Gardens\n\n## Setting\n\nText.\n",
            "A New Method for Watering Community Gardens",
        ),
        ("# Methods\n\n## Setting\n\nText.\n", ""),
    ],
    ids=[
        "h1-above",
        "h1-beside-abstract",
        "section-first",
        "two-sections",
        "yaml-only",
        "title-of-a-method-zh",
        "title-of-a-method",
        "section-alone",
    ],
)
def test_markdown_title(text: str, title: str, read: Read) -> None:
    assert paper_of(read(text)).title == title


def test_markdown_keeps_text_before_the_first_section(read: Read) -> None:
    paper = paper_of(read("# Socks\n\nThey vanish.\n\n## Where\n\nUnder the bed.\n"))
    assert [s.text for s in paper.sections] == ["They vanish.", "Under the bed."]


def test_markdown_in_chinese(read: Read) -> None:
    paper = paper_of(
        read("# 袜子研究\n\n## 摘要\n\n本文。\n\n## 1 引言\n\n丢失。\n\n## 结论\n\n找到。\n")
    )
    assert paper.title == "袜子研究"
    assert outline(paper) == [
        ("摘要", "abstract"),
        ("1 引言", "introduction"),
        ("结论", "results"),
    ]


def test_plain_text(read: Read) -> None:
    paper = paper_of(read(PLAIN))
    assert (paper.format, paper.title) == ("plain-text", "On the Whereabouts of Socks")
    assert outline(paper) == [
        ("Abstract", "abstract"),
        ("Introduction", "introduction"),
        ("Motivation", "introduction"),
        ("Methods", "methodology"),
        ("Results", "results"),
    ]
    assert paper.sections[0].text == "We describe a system for finding socks in large drawers."
    assert paper.sections[1].text == "Socks are lost. In 2 of 3 homes this is true."
    assert paper.sections[3].text == "We look under the bed. 7 Dwarfs are not a section"


def test_plain_text_in_chinese(read: Read) -> None:
    front = "袜子去哪儿了\n张三\n摘要：本文研究袜子\n的去向。\n"
    paper = paper_of(read(front + "一、引言\n袜子丢了。\n二、方法\n翻箱\n倒柜。\n致谢\n感谢。\n"))
    assert paper.title == "袜子去哪儿了"
    assert outline(paper) == [
        ("摘要", "abstract"),
        ("引言", "introduction"),
        ("方法", "methodology"),
        ("致谢", "acknowledgement"),
    ]
    assert paper.sections[0].text == "本文研究袜子的去向。"
    assert paper.sections[2].text == "翻箱倒柜。"


def test_pages_lose_running_heads_and_numbers(read: Read) -> None:
    bodies = ["Socks go\nmissing.", "Shoes stay\nput.", "Gloves are\nworse.", "Hats fly\noff."]
    pages = [f"Sock Journal {n}\n{body}\n{n}\n" for n, body in enumerate(bodies, start=100)]
    paper = paper_of(read("A Title\n\n" + "\f".join(pages)))
    [section] = paper.sections
    assert section.text == "Socks go missing. Shoes stay put. Gloves are worse. Hats fly off."


def test_plain_text_without_headings_gives_paragraphs(read: Read) -> None:
    paper = paper_of(read("A title\n\nFirst one\ngoes on.\n\nSecond one.\n"))
    assert paper.title == "A title"
    assert [s.text for s in paper.sections] == ["First one goes on.", "Second one."]


def test_long_lines_are_paragraphs_of_their_own(read: Read) -> None:
    first, second = "Socks are lost in the wash. " * 8, "Shoes are lost elsewhere. " * 8
    paper = paper_of(read(f"1 Introduction\n{first}\n{second}\n"))
    assert paper.sections[0].text == f"{first.strip()}\n{second.strip()}"


@pytest.mark.parametrize(
    "text",
    [
        "مقدمة\n\nهذا نص.\n\nفقرة ثانية.\n",
        "Εισαγωγή\n\nΚείμενο.\n\nΆλλο.\n",
        "서론\n\n본문.\n\n둘째.\n",
    ],
    ids=["arabic", "greek", "korean"],
)
def test_other_scripts_are_read(text: str, read: Read) -> None:
    paper = paper_of(read(text))
    assert [paper.title, *(s.text for s in paper.sections)] == text.strip().split("\n\n")


@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["crlf", "cr"])
@pytest.mark.parametrize("text", [MARKDOWN, PLAIN], ids=["markdown", "plain"])
def test_line_ends_do_not_matter(text: str, newline: str, read: Read) -> None:
    assert read(text.replace("\n", newline)) == read(text)


@pytest.mark.parametrize(
    "text",
    [
        "# " + " " * 50_000 + "x",
        "![" * 30_000,
        "[a](" * 30_000,
        "# T\n" + "<!--" * 50_000,
        "a\n" + "\n" * 60_000 + "b",
        "# T\n\n" + "- " * 30_000,
        "-" * 60_000 + "\n" + "=" * 60_000,
    ],
    ids=["spaces", "images", "links", "comments", "blank-lines", "bullets", "rules"],
)
def test_odd_text_is_read_quickly(text: str, read: Read) -> None:
    assert len(read(text)) == 1
