"""Cuts out what a reasoning model thought before or between what it said.

Known marks: `<think>`, `<thinking>`, `<thought>`, `<reasoning>`, `<reflection>`, `<scratchpad>` and
their kin in angle brackets, escaped (`\\<think\\>`, `&lt;think&gt;`), as `[THINK]` or `◁think▷`, as
`<|begin_of_thought|>`, the channels of the "harmony" format, and the "Thinking... done thinking."
that one runner prints. Sources: model cards and the bug threads on unclosed, nested and
closing-only blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .model import Span
from .offsets import gaps

_NAMES = (
    r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratch_?pad|inner_monologue|"
    r"analysis|plan(?:ning)?|internal_thoughts?|chain_of_thought|cot|antthinking|seed:think|"
    r"seed:cot_budget_reflect|reasoning_content|思考|思考过程)"
)
_TAG = re.compile(
    rf"\\?(?:<|&lt;|◁|＜)[ ]?\\?(?P<slash>/?)[ ]?{_NAMES}(?:\s[^<>\n]{{0,80}})?[ ]?\\?(?:>|&gt;|"
    rf"▷|＞)"
    r"|\\?\[(?P<slash2>/?)THINK(?:ING)?\\?\]"
    r"|<\|(?P<begin>begin|end)_of_thought\|>",
    re.IGNORECASE,
)
_SPEAKS = re.compile(r"[ \t]*(?:\n|\Z|[^\Wa-z\d_]|[*#{\[<(\"“「【`|>-]|\d+[.)])")
_FINAL_CHANNEL = re.compile(
    r"<\|channel\|>final(?:<\|[a-z_]{1,20}\|>[^<\n]{0,40}){0,2}<\|message\|>"
)
_OTHER_CHANNEL = re.compile(r"<\|channel\|>(?:analysis|commentary)")
_RUNNER_END = "...done thinking."


@dataclass(frozen=True, slots=True)
class ThinkingStripped:
    """What is left without the thoughts.

    `text` is the rest, `removed` the raw spans cut out (in order), `unclosed` the span of a
    thought that never ended because the output was cut, or None.
    """

    text: str
    removed: tuple[Span, ...]
    unclosed: Span | None = None


def may_hold_thoughts(raw: str) -> bool:
    """A cheap look ahead of `strip_thinking`: False means that it takes nothing away."""
    return (
        "<" in raw
        or ("[" in raw and ("[THINK" in raw or "[/THINK" in raw))
        or ("&" in raw and "&lt;" in raw)
        or "Thinking..." in raw
        or (not raw.isascii() and ("◁" in raw or "＜" in raw))
    )


def strip_thinking(raw: str) -> ThinkingStripped:
    """Cut every thinking block out of `raw`.

    A closing mark without an opening one ends a thought that began with the text; nested blocks
    end with the outermost mark, or with the last closing one when an inner mark was only
    mentioned. A block that never closes reaches to the end and is reported as `unclosed`. Marks
    that stand inside a sentence are the author's words and stay. Never fails.
    """
    if not may_hold_thoughts(raw):
        return ThinkingStripped(raw, ())
    removed, unclosed = _thoughts(raw)
    if unclosed is not None:
        removed = (*removed, unclosed)
    if not removed:
        return ThinkingStripped(raw, ())
    rest = "".join(raw[start:end] for start, end in gaps(len(raw), removed))
    return ThinkingStripped(rest, removed, unclosed)


def _thoughts(raw: str) -> tuple[tuple[Span, ...], Span | None]:
    begin = 0
    leading: tuple[Span, ...] = ()
    channel = None
    for channel in _FINAL_CHANNEL.finditer(raw):
        begin = channel.end()
    if channel is None and (other := _OTHER_CHANNEL.search(raw)):
        return (), (other.start(), len(raw))
    if not begin and raw.lstrip().startswith("Thinking...") and _RUNNER_END in raw:
        begin = raw.index(_RUNNER_END) + len(_RUNNER_END)
    if begin:
        leading = ((0, begin),)
    tagged, unclosed = _tagged(raw, begin)
    return leading + tagged, unclosed


def _tagged(raw: str, begin: int) -> tuple[tuple[Span, ...], Span | None]:
    spans: list[Span] = []
    depth = 0
    opened = last_close = -1
    for mark in _TAG.finditer(raw, begin):
        if _is_closing(mark):
            if depth:
                depth -= 1
                last_close = mark.end()
                if not depth:
                    spans.append((opened, last_close))
            elif _ends_a_thought(raw, mark.start(), mark.end()):
                # whatever was kept so far was the thought's beginning
                spans = [(begin, mark.end())]
        elif depth:
            depth += 1
        elif _begins_a_thought(raw, mark.start(), spans[-1][1] if spans else begin):
            depth = 1
            opened, last_close = mark.start(), -1
    if not depth:
        return tuple(spans), None
    if last_close >= 0:
        return (*spans, (opened, last_close)), None
    return tuple(spans), (opened, len(raw))


def _is_closing(mark: re.Match[str]) -> bool:
    if mark["begin"]:
        return mark["begin"].lower() == "end"
    return bool(mark["slash"] or mark["slash2"])


def _begins_a_thought(raw: str, position: int, after: int) -> bool:
    """Whether nothing but space, a label or an earlier thought comes before it on its line."""
    reach = max(after, position - 80)
    before = raw[max(raw.rfind("\n", reach, position) + 1, reach) : position].rstrip()
    return not before or before[-1] in ":：*"


def _ends_a_thought(raw: str, start: int, end: int) -> bool:
    """Whether what follows is the beginning of something said, not the rest of a sentence."""
    if start and raw[start - 1] in "`'\"“‘":
        return False
    return _SPEAKS.match(raw, end) is not None
