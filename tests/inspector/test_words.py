"""The full-text index's words, against SQLite itself: any script, and nothing as syntax."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.inspector.words import TOKENIZER, indexed, match_expression


@pytest.fixture(scope="module")
def texts() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        f"CREATE VIRTUAL TABLE t USING fts5(body, ends, content='', tokenize=\"{TOKENIZER}\")"
    )
    yield connection
    connection.close()


def finds(texts: sqlite3.Connection, text: str, query: str) -> bool:
    """Whether a query finds a text."""
    row = texts.execute("SELECT COALESCE(MAX(rowid), 0) + 1 FROM t").fetchone()[0]
    texts.execute("INSERT INTO t (rowid, body, ends) VALUES (?, ?, ?)", (row, *indexed(text)))
    expression = match_expression(query)
    if expression is None:
        return False
    found = texts.execute("SELECT 1 FROM t WHERE t MATCH ? AND rowid = ?", (expression, row))
    return found.fetchone() is not None


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("The cache has two queues.", "cache queues", True),
        ("The cache has two queues.", "CACHE", True),
        ("The cache has two queues.", "cache window", False),
        ("The cache has two queues.", '"two queues"', True),
        ("The cache has two queues.", '"queues two"', False),
        ("The cache has two queues.", "que*", True),
        ("The cache has two queues.", "que", False),
        ("The cache has two queues.", "cache -window", True),
        ("The cache has two queues.", "cache -queues", False),
        ("The café is open.", "cafe", True),
        ("缓存策略由两个队列组成。", "缓存策略", True),
        ("缓存策略由两个队列组成。", "队列", True),
        ("缓存策略由两个队列组成。", "成", True),
        ("缓存策略由两个队列组成。", "策", True),
        ("缓存策略由两个队列组成。", "队缓", False),
        ("缓存策略由两个队列组成。", "缓存 -队列", False),
        ("模型GPT4很好", "GPT4", True),
        ("模型GPT4很好", "模型GPT4很好", True),
        ("模型GPT4很好", "型GPT4", True),
        ("ระบบตรวจสอบค่า", "ตรวจสอบ", True),
        ("시스템은 값을 확인한다", "확인", True),
        ("النظام يفحص القراءات", "القراءات", True),
        ("Система проверяет показания", "показания", True),
        ("Don't stop.", "don't", True),
        ("AND OR NOT NEAR", "NEAR", True),
        ("body: text", "body:text", True),
        ("a^b", '"^b', True),
    ],
)
def test_what_is_found(texts: sqlite3.Connection, text: str, query: str, found: bool) -> None:
    assert finds(texts, text, query) is found


@settings(deadline=None, max_examples=80)
@given(text=st.text(max_size=30), query=st.text(max_size=20))
def test_no_query_is_an_error(texts: sqlite3.Connection, text: str, query: str) -> None:
    finds(texts, text, query)


HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12)


@settings(deadline=None, max_examples=50)
@given(before=HAN, wanted=HAN, after=HAN)
def test_every_part_of_a_chinese_text_is_found(
    texts: sqlite3.Connection, before: str, wanted: str, after: str
) -> None:
    assert finds(texts, f"{before}{wanted}{after}。", wanted)
