"""The tables of `inspect.sqlite`: an index over a run, which can be deleted at any time."""

from __future__ import annotations

from generator.inspector.words import TOKENIZER

INDEX_VERSION = 3
INDEX_NAME = "inspect.sqlite"

SCHEMA = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- One row an item. `facets` lists ids of facet values (32 bits each; those of its measures follow
-- from `columns`), so that a change can be told from what was. `text` is a checksum of the text
-- that was indexed, and `version` counts from 0 how often it has been another one (-1: none yet).
CREATE TABLE rows (
    seq       INTEGER PRIMARY KEY,
    signature INTEGER NOT NULL,
    text      INTEGER NOT NULL,
    version   INTEGER NOT NULL,
    facets    BLOB NOT NULL
);
CREATE INDEX rows_indexed_again ON rows (seq, version) WHERE version > 0;

-- Every value of every facet; bins of measures are facets too ("bin:NAME").
CREATE TABLE facets (
    id    INTEGER PRIMARY KEY,
    facet TEXT NOT NULL,
    value TEXT NOT NULL,
    label TEXT,
    count INTEGER NOT NULL DEFAULT 0,
    UNIQUE (facet, value)
);
CREATE INDEX facets_by_count ON facets (facet, count DESC, value);

-- The rows that have a facet value, as bitmaps (see bits.py).
CREATE TABLE blocks (
    value INTEGER NOT NULL,
    block INTEGER NOT NULL,
    bits  BLOB NOT NULL,
    PRIMARY KEY (value, block)
) WITHOUT ROWID;

-- `edges` (JSON) cuts the values of a measure into bins of about equally many rows.
CREATE TABLE measures (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE,
    edges  TEXT NOT NULL,
    binned INTEGER NOT NULL
);

-- The values of a measure, 64-bit floats in blocks; NaN where a row has none.
CREATE TABLE columns (
    measure INTEGER NOT NULL,
    block   INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    UNIQUE (measure, block)
);

-- The words of each row (see words.py); the texts themselves stay in the run's store.
CREATE VIRTUAL TABLE texts USING fts5(body, ends, content='', tokenize="{TOKENIZER}");
"""

VERSION_SHIFT = 40
"""A row of `texts` is numbered `version << 40 | seq`: contentless rows cannot be replaced."""
