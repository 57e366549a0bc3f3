"""What a run tells while it goes on: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

from generator.values import Completion

_REASONS_SHOWN = 3
_USUAL_WIDTH = 120


class Progress(Protocol):
    """Told of everything that happens in a run. Implementations must be cheap."""

    def start(self, total: int | None) -> None: ...

    def resumed(self, accepted: int, rejected: int) -> None: ...

    def reason(self, code: str) -> None:
        """The first reason against a rejected sample; told before its `item` or `resumed`."""

    def item(self, place: str) -> None:
        """An item reached `accepted`, `rejected` or `failed`."""

    def call(self, completion: Completion) -> None: ...

    def waiting(self, text: str) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Tally:
    """Running counts of one process; the store holds the truth."""

    accepted: int = 0
    rejected: int = 0
    failed: int = 0
    tokens: int = 0
    tokens_known: bool = True
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def items(self) -> int:
        return self.accepted + self.rejected + self.failed

    def add(self, place: str) -> None:
        if place == "accepted":
            self.accepted += 1
        elif place == "rejected":
            self.rejected += 1
        else:
            self.failed += 1

    def add_call(self, completion: Completion) -> None:
        usage = completion.usage
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            self.tokens_known = False
        self.tokens += (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)

    @property
    def yield_text(self) -> str:
        """The yield so far and what costs most of it: `yield 41.7% (echo 4, loop 2, 1 other)`."""
        judged = self.accepted + self.rejected
        if not judged:
            return ""
        most = self.reasons.most_common(_REASONS_SHOWN)
        named = [f"{code} {times}" for code, times in most]
        others = self.reasons.total() - sum(times for _, times in most)
        if others:
            named.append(f"{others} other")
        why = f" ({', '.join(named)})" if named else ""
        return f"yield {self.accepted / judged:.1%}{why}"

    def describe(self) -> str:
        tokens = f"{self.tokens:,}" if self.tokens_known else f"{self.tokens:,}+ (not all known)"
        places = f"accepted {self.accepted}, rejected {self.rejected}, failed {self.failed}"
        return ", ".join(part for part in (places, self.yield_text, f"tokens {tokens}") if part)


class SilentProgress:
    """Says nothing."""

    def start(self, total: int | None) -> None: ...
    def resumed(self, accepted: int, rejected: int) -> None: ...
    def reason(self, code: str) -> None: ...
    def item(self, place: str) -> None: ...
    def call(self, completion: Completion) -> None: ...
    def waiting(self, text: str) -> None: ...
    def close(self) -> None: ...


class BarProgress:
    """A tqdm bar on a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._tally = Tally()
        self._bar: Any = None

    def start(self, total: int | None) -> None:
        from tqdm import tqdm

        # Terminals without a size (`script`, some build servers) would show an empty line.
        known = _has_width(self._stream)
        self._bar = tqdm(
            total=total,
            unit="item",
            file=self._stream,
            dynamic_ncols=known,
            ncols=None if known else _USUAL_WIDTH,
        )

    def resumed(self, accepted: int, rejected: int) -> None:
        self._tally.accepted += accepted
        self._tally.rejected += rejected
        if self._bar is not None:
            self._bar.update(accepted + rejected)

    def reason(self, code: str) -> None:
        self._tally.reasons[code] += 1

    def item(self, place: str) -> None:
        self._tally.add(place)
        if self._bar is not None:
            self._bar.set_postfix_str(self._tally.describe(), refresh=False)
            self._bar.update(1)

    def call(self, completion: Completion) -> None:
        self._tally.add_call(completion)

    def waiting(self, text: str) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(text)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _has_width(stream: IO[str]) -> bool:
    try:
        return os.get_terminal_size(stream.fileno()).columns > 0
    except (OSError, ValueError):
        return True  # No terminal at all: tqdm knows what to do.


class LineProgress:
    """Plain lines at intervals, for pipes and logs; never a carriage return."""

    def __init__(
        self, stream: IO[str], *, clock: Callable[[], float], interval_s: float = 10.0
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._interval_s = interval_s
        self._tally = Tally()
        self._last = clock()
        self._total: int | None = None

    def start(self, total: int | None) -> None:
        self._total = total
        self._last = self._clock()

    def resumed(self, accepted: int, rejected: int) -> None:
        self._tally.accepted += accepted
        self._tally.rejected += rejected

    def reason(self, code: str) -> None:
        self._tally.reasons[code] += 1

    def item(self, place: str) -> None:
        self._tally.add(place)
        self._say_at_intervals()

    def call(self, completion: Completion) -> None:
        self._tally.add_call(completion)
        self._say_at_intervals()

    def waiting(self, text: str) -> None:
        self._say_at_intervals(text)

    def close(self) -> None: ...

    def _say_at_intervals(self, note: str = "") -> None:
        now = self._clock()
        if now - self._last < self._interval_s:
            return
        self._last = now
        of_total = f" of {self._total}" if self._total else ""
        tail = f"; {note}" if note else ""
        self._stream.write(f"{self._tally.items}{of_total} items: {self._tally.describe()}{tail}\n")
        self._stream.flush()


def progress_for(
    stream: IO[str] | None = None, *, clock: Callable[[], float], quiet: bool = False
) -> Progress:
    """A bar where `stream` (standard error) is a terminal, lines where it is not."""
    stream = stream if stream is not None else sys.stderr
    if quiet:
        return SilentProgress()
    if stream.isatty():
        return BarProgress(stream)
    return LineProgress(stream, clock=clock)
