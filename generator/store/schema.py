"""The tables of `store.sqlite`, and the version that guards them.

The large rows stand in tables with a rowid: they are appended one behind another,
and only their short keys go to random places. (Stores made `WITHOUT ROWID` hold the
same columns and are read and written by the same statements.)
"""

from __future__ import annotations

SCHEMA_VERSION = 2
"""What is written. 1 had no decisions; such a store is read as it is and gets their table when
it is opened for writing."""

READABLE_VERSIONS = (1, 2)

PAID = "attempts > 0"
"""Which calls this run made, and did not take over from another."""
UNCOUNTED = "(prompt_tokens IS NULL OR completion_tokens IS NULL)"
"""Which calls have a usage that the server did not tell whole."""

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- One row an input item; `seq` is its place in the input, from 0.
CREATE TABLE IF NOT EXISTS items (
    key     TEXT NOT NULL PRIMARY KEY,
    seq     INTEGER NOT NULL UNIQUE,
    id      TEXT NOT NULL,
    source  TEXT NOT NULL,
    line    INTEGER,
    payload TEXT NOT NULL,
    state   TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
    failure TEXT
);
CREATE INDEX IF NOT EXISTS items_by_state ON items (state, seq);

-- What the inputs held that never became an item; `ordinal` is the order met,
-- `before` the place of the item that comes next.
CREATE TABLE IF NOT EXISTS skips (
    ordinal INTEGER PRIMARY KEY,
    source  TEXT NOT NULL,
    line    INTEGER,
    id      TEXT,
    code    TEXT NOT NULL,
    detail  TEXT NOT NULL,
    before  INTEGER NOT NULL
);

-- One row a completed model call, exactly as answered. `request` is zlib-compressed JSON.
-- `key` says what was asked of whom; two items may have asked the same.
CREATE TABLE IF NOT EXISTS calls (
    key               TEXT NOT NULL,
    request_hash      TEXT NOT NULL,
    item              TEXT NOT NULL,
    role              TEXT NOT NULL,
    sample            INTEGER NOT NULL,
    spec              TEXT NOT NULL,
    request           BLOB NOT NULL,
    text              TEXT NOT NULL,
    finish_reason     TEXT,
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    cached_tokens     INTEGER,
    model             TEXT,
    refusal           TEXT,
    reasoning         TEXT,
    notes             TEXT NOT NULL,
    latency_s         REAL,
    attempts          INTEGER NOT NULL,
    at                REAL NOT NULL,
    PRIMARY KEY (key, item)
);
CREATE INDEX IF NOT EXISTS calls_by_request ON calls (request_hash);
CREATE INDEX IF NOT EXISTS calls_by_item ON calls (item);
-- Tokens are added up from this index alone, without the texts; `at` lets it grow at the end of
-- each `spec`, so that writing it costs next to nothing.
CREATE INDEX IF NOT EXISTS calls_usage
    ON calls (spec, at, attempts, prompt_tokens, completion_tokens, cached_tokens);
CREATE INDEX IF NOT EXISTS calls_uncounted ON calls (spec) WHERE {PAID} AND {UNCOUNTED};

-- One row an attempt that failed, for inspection.
CREATE TABLE IF NOT EXISTS attempts (
    ordinal  INTEGER PRIMARY KEY,
    call_key TEXT NOT NULL,
    item     TEXT NOT NULL,
    role     TEXT NOT NULL,
    code     TEXT NOT NULL,
    status   INTEGER,
    detail   TEXT NOT NULL,
    body     TEXT,
    wait_s   REAL,
    at       REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS attempts_by_item ON attempts (item);

-- One row a judged item. `reasons` are those of the sample alone; `corpus_reasons`
-- depend on the samples before it in input order and are recomputed at the end of a run.
-- `candidate` names the answers it was read from, so that it can be read again.
CREATE TABLE IF NOT EXISTS verdicts (
    item           TEXT NOT NULL PRIMARY KEY,
    seq            INTEGER NOT NULL,
    accepted       INTEGER NOT NULL,
    reasons        TEXT NOT NULL,
    corpus_reasons TEXT,
    corpus_measures TEXT,
    measures       TEXT NOT NULL,
    candidate      TEXT NOT NULL,
    parsed         TEXT,
    record         TEXT,
    fingerprint    TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS verdicts_by_seq ON verdicts (seq);
CREATE INDEX IF NOT EXISTS verdicts_by_fingerprint
    ON verdicts (fingerprint, seq) WHERE accepted = 1 AND fingerprint IS NOT NULL;
"""
