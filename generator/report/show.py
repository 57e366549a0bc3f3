"""One sample as text for a terminal: what was made of it, and where it went wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from generator.report.samples import Sample

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_RED, _BOLD, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"
_AROUND = 600
"""Characters of raw text shown before and after a fault."""


def harmless(text: str) -> str:
    """The text without characters that would steer a terminal; they are shown as codes."""
    return _CONTROL.sub(_code, text)


def _code(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def harmless_line(text: str) -> str:
    """The same in one line, so that a text cannot pass for lines of the program's own."""
    return " ".join(harmless(text).split())


def show_dialogue(sample: Sample) -> str:
    """An accepted sample: its summary and turns, or its question with history and answer."""
    parsed = sample.verdict.parsed or {"summary": "", "turns": []}
    if "question" in parsed:
        return _show_question(sample.item.id, parsed)
    lines = [sample.item.id, f"  Summary: {harmless(str(parsed['summary']))}"]
    lines += [f"  {_name(turn)}: {harmless(turn['text'])}" for turn in parsed["turns"]]
    return "\n".join(lines)


def _show_question(name: str, parsed: Mapping[str, Any]) -> str:
    lines = [
        f"  {'Reader' if number % 2 == 0 else 'Assistant'}: {harmless(str(said))}"
        for number, said in enumerate(parsed["history"])
    ]
    question, answer = harmless(str(parsed["question"])), harmless(str(parsed["answer"]))
    return "\n".join([name, *lines, f"  Question: {question}", f"  Answer: {answer}"])


def show_reject(sample: Sample, *, colour: bool) -> str:
    """A rejected sample: every reason, then the raw output with the first known fault marked."""
    bold, plain = (_BOLD, _PLAIN) if colour else ("", "")
    lines = [f"{bold}{harmless(sample.item.id)}{plain}"]
    lines += [
        f"  {r['stage']}/{r['code']}: {harmless(r['detail'])}" for r in sample.verdict.all_reasons
    ]
    for number, raw in enumerate(sample.raw):
        span = _first_span(sample) if number == sample.verdict.spans_in else None
        lines += ["  | " + line for line in _marked(raw, span, colour=colour).split("\n")]
    if not sample.raw:
        lines.append("  (no output)")
    return "\n".join(lines)


def _first_span(sample: Sample) -> tuple[int, int] | None:
    for reason in sample.verdict.all_reasons:
        if reason["span"]:
            return reason["span"][0], reason["span"][1]
    return None


def _marked(raw: str, span: tuple[int, int] | None, *, colour: bool) -> str:
    before, fault, after = (raw, "", "") if span is None else (
        raw[: span[0]], raw[span[0] : span[1]], raw[span[1] :]
    )  # fmt: skip
    if span is None:
        shown = harmless(before[: 2 * _AROUND])
        return shown + (" …" if len(before) > 2 * _AROUND else "")
    start, end = (_RED, _PLAIN) if colour else ("⟦", "⟧")
    head = ("… " if len(before) > _AROUND else "") + harmless(before[-_AROUND:])
    tail = harmless(after[:_AROUND]) + (" …" if len(after) > _AROUND else "")
    return f"{head}{start}{harmless(fault[: 2 * _AROUND])}{end}{tail}"


def _name(turn: Mapping[str, Any]) -> str:
    return "Person" if turn["speaker"] == "person" else "Bot"
