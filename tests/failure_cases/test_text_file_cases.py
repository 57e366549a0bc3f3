"""Text files on machines whose own encoding is not UTF-8."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from whole_runs import fake_server, finished, generate_command, write_papers

import generator
from generator.backends.scripted import Answer, Script, ScriptLine

OWN = tuple(
    str(Path(generator.__path__[0]).parent / name) for name in ("generator", "parsers", "prompts")
)
CHINESE = "摘要：港口的验潮仪测量潮位。\n" + "\n".join(
    f"{'对方' if n % 2 == 0 else '你'}：{text}"
    for n, text in enumerate(["测什么？", "测潮位。", "多久一次？", "十分钟一次。"])
)


@pytest.mark.slow
def test_no_file_is_opened_in_the_machines_own_encoding(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 2, times=2)
    script = Script((ScriptLine(Answer(CHINESE)),))
    with fake_server(script=script) as server:
        arguments = generate_command(server, papers, tmp_path / "run", "--set", "filters.off=loop")
        asked = [sys.executable, "-X", "warn_default_encoding", *arguments[1:]]
        # In the C locale, with UTF-8 mode off, the machine's own encoding is ASCII.
        done = finished(asked, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode in (0, 1), done.stderr
    warned = re.findall(r"^(.+):\d+: EncodingWarning", done.stderr, re.MULTILINE)
    assert [path for path in warned if path.startswith(OWN)] == []
    files = [tmp_path / "run" / name for name in ("rejected.jsonl", "dialogues.jsonl")]
    assert any("验潮仪".encode() in path.read_bytes() for path in files)
