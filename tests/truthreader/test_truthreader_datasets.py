"""The records load with the libraries that people train with, whatever is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cited_corpus import made

from generator.shapes import dump_record, truthreader_record

RECORDS = [
    truthreader_record(
        question=made(0, lang).question,
        history=history,
        documents=[(made(n, lang).title, made(n, lang).text) for n in range(count)],
        answer=answer,
    )
    for lang, history, count, answer in (
        ("en", [], 1, "It is copper[1]."),
        ("zh", ["钟有多大？", "文中没有提到。"], 3, "钟锤是铜做的[2]。"),
        ("zh", [], 4, "很抱歉，文档没有提到。"),
        ("en", ["One?", "Two.", "Three?", "Four."], 2, "Both are[1][2]."),
    )
]


def test_a_mixed_file_loads_with_exactly_the_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("datasets", reason="pip install -e .[dev]")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    import datasets

    path = tmp_path / "dialogues.jsonl"
    path.write_text("".join(dump_record(r) + "\n" for r in RECORDS), encoding="utf-8")
    loaded = datasets.load_dataset(
        "json", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.column_names == ["question", "history", "documents", "answer"]
    assert json.loads(json.dumps(list(loaded))) == RECORDS
