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
    """A rejected sample: every reason, then the raw output with the known faults marked.

    Marked in red with `colour`, in ⟦brackets⟧ without.
    """
    bold, plain = (_BOLD, _PLAIN) if colour else ("", "")
    lines = [f"{bold}{harmless(sample.item.id)}{plain}"]
    lines += [
        f"  {r['stage']}/{r['code']}: {harmless(r['detail'])}" for r in sample.verdict.all_reasons
    ]
    for number, raw in enumerate(sample.raw):
        spans = fault_spans(sample, len(raw)) if number == sample.verdict.spans_in else []
        lines += ["  | " + line for line in _marked(raw, spans, colour=colour).split("\n")]
    if not sample.raw:
        lines.append("  (no output)")
    return "\n".join(lines)


def fault_spans(sample: Sample, length: int) -> list[tuple[int, int]]:
    """Where the faults stand in the first raw output, in order; what overlaps is one."""
    known = sorted(
        (max(0, r["span"][0]), min(length, r["span"][1]))
        for r in sample.verdict.all_reasons
        if r["span"]
    )
    spans: list[tuple[int, int]] = []
    for start, end in known:
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif start <= end:
            spans.append((start, end))
    return spans


def _marked(raw: str, spans: list[tuple[int, int]], *, colour: bool) -> str:
    if not spans:
        return _shortened(raw, head=2 * _AROUND, tail=0)
    begin, end = (_RED, _PLAIN) if colour else ("⟦", "⟧")
    parts = [_shortened(raw[: spans[0][0]], head=0, tail=_AROUND)]
    for (start, stop), following in zip(spans, [*spans[1:], None], strict=True):
        fault = _shortened(raw[start:stop], head=_AROUND, tail=_AROUND)
        # A terminal may end a colour with the line, so every line of a fault has its own.
        parts.append("\n".join(f"{begin}{line}{end}" for line in fault.split("\n")))
        rest = raw[stop:] if following is None else raw[stop : following[0]]
        parts.append(_shortened(rest, head=_AROUND, tail=0 if following is None else _AROUND))
    return "".join(parts)


def _shortened(text: str, *, head: int, tail: int) -> str:
    """The beginning and the end of a text that is longer than both."""
    if len(text) <= head + tail:
        return harmless(text)
    first = harmless(text[:head]) + " " if head else ""
    last = " " + harmless(text[-tail:]) if tail else ""
    return f"{first}…{last}"


def _name(turn: Mapping[str, Any]) -> str:
    return "Person" if turn["speaker"] == "person" else "Bot"
