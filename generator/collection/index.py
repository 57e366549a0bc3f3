"""Documents on disk with a lexical index over them: memory does not grow with their number.

SQLite's FTS5 ranks by BM25 (k1 1.2, b 0.75). It comes with Python, keeps its
postings in a temporary file, and gives the same numbers for the same documents,
which an index held in memory would only do at the price of growing with the
collection. The terms are the project's own (`parsers.text.terms`), so that
Chinese is found by pairs of characters and any other script by its words.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import zlib
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generator.errors import WrongUse
from parsers.text.terms import search_terms

_CACHE_KIB = 64 * 1024
_BUCKETS = 1 << 20
_QUERY_TERMS = 128
_MOST_WORK = 40_000
"""Documents that the terms of one query may touch, times its terms: what its time grows with."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of the collection. `number` counts from 0, `id` is 16 hex digits of its text.

    `origin` is shared by the documents that were cut from one text.
    """

    number: int
    id: str
    title: str
    text: str
    origin: str
    source: str
    line: int | None


class Collection:
    """Takes documents one by one, then finds those that are like a given one.

    Memory: 64 MiB of page cache and 4 MiB of counts, however many documents
    there are; on disk, in SQLite's temporary folder (`SQLITE_TMPDIR`, else `TMPDIR`),
    two to three times the size of the texts.
    """

    def __init__(self) -> None:
        # An empty name makes SQLite keep the tables in a temporary file of its own.
        self._db = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        try:
            self._db.executescript(
                f"""
                PRAGMA cache_size = -{_CACHE_KIB};
                PRAGMA journal_mode = OFF;
                PRAGMA synchronous = OFF;
                CREATE TABLE documents (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
                    text TEXT NOT NULL, origin TEXT NOT NULL, source TEXT NOT NULL, line INTEGER
                );
                CREATE VIRTUAL TABLE terms USING fts5 (
                    body, content = '', detail = 'full', tokenize = 'ascii'
                );
                BEGIN;
                """
            )
        except sqlite3.OperationalError as error:
            raise WrongUse(
                f"this Python's SQLite cannot index the documents ({error}); it needs FTS5, which "
                "the builds of python.org, Debian and conda have"
            ) from None
        self._with_term = array("I", bytes(4 * _BUCKETS))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def close(self) -> None:
        self._db.close()

    def add(
        self, title: str, text: str, *, origin: str, source: str, line: int | None
    ) -> StoredDocument | None:
        """Take a document in; None when its very text (white space aside) is there already."""
        id_ = document_id(text)
        stored = StoredDocument(self._count, id_, title, text, origin or id_, source, line)
        try:
            self._db.execute(
                "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)",
                (stored.number, id_, title, text, stored.origin, source, line),
            )
        except sqlite3.IntegrityError:
            return None
        found = search_terms(f"{title}\n{text}")
        self._db.execute(
            "INSERT INTO terms (rowid, body) VALUES (?, ?)", (stored.number, " ".join(found))
        )
        for bucket in {_bucket(term) for term in found}:
            self._with_term[bucket] += 1
        self._count += 1
        return stored

    def first_with_text_of(self, text: str) -> StoredDocument:
        """The document that kept another of the same text out."""
        return self._one("id = ?", document_id(text))

    def document(self, number: int) -> StoredDocument:
        """The document of that number. Raises `IndexError` where there is none."""
        return self._one("number = ?", number)

    def like(self, document: StoredDocument, most: int) -> list[StoredDocument]:
        """The documents nearest to one, by BM25, best first; those of its own origin as well.

        Of equals the one that was read first comes first.
        """
        terms = self._telling(search_terms(f"{document.title}\n{document.text}"))
        return [found for found in self.search(terms, most + 1) if found.number != document.number][
            :most
        ]

    def search(self, terms: Sequence[str], most: int) -> list[StoredDocument]:
        """The documents nearest to a set of terms, best first."""
        if not terms:
            return []
        query = " OR ".join(f'"{term}"' for term in terms)
        rows = self._db.execute(
            "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY bm25(terms), rowid LIMIT ?",
            (query, most),
        ).fetchall()
        return [self.document(number) for (number,) in rows]

    def _telling(self, found: Sequence[str]) -> list[str]:
        """The terms that tell most about a text: frequent in it, rare among the documents."""
        weighed = []
        for term, count in Counter(found).items():
            holding = self._with_term[_bucket(term)]
            if holding > 1:
                rarity = math.log(1 + (self._count - holding + 0.5) / (holding + 0.5))
                weighed.append((-rarity * (count / (count + 1.2)), term, holding))
        chosen: list[str] = []
        touched = 0
        for _, term, holding in sorted(weighed):
            rows = min(touched + holding, self._count)
            if chosen and rows * (len(chosen) + 1) > _MOST_WORK:
                continue
            chosen.append(term)
            touched = rows
            if len(chosen) == _QUERY_TERMS:
                break
        return chosen

    def _one(self, where: str, value: int | str) -> StoredDocument:
        row = self._db.execute(
            "SELECT number, id, title, text, origin, source, line FROM documents WHERE " + where,
            (value,),
        ).fetchone()
        if row is None:
            raise IndexError(value)
        return StoredDocument(*row)


def document_id(text: str) -> str:
    """16 hex digits of a text, the same whatever its white space and case."""
    return hashlib.sha256(" ".join(text.casefold().split()).encode()).hexdigest()[:16]


def _bucket(term: str) -> int:
    return zlib.crc32(term.encode()) % _BUCKETS
