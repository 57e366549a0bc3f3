"""Whether a server refuses each call as often, whatever the level: pure.

Some servers and gateways refuse the first attempt of every call (a cold cache, a queue that
wants to be asked twice) and take a later one. A limit on the rate or on the requests in flight
does not look like that: it refuses some calls and not others, and some of them again.
"""

from __future__ import annotations

_ENOUGH = 8
"""So many calls in a row that were answered like the one before, each with an expected refusal
between them, make a pattern."""


class RefusalPattern:
    """Counts the calls in a row that were answered after the same number of 429s.

    Answers with no refusal between them count once: behind a limit per minute that has just
    opened, whoever waited for it is answered together, and then everybody is refused.
    """

    def __init__(self) -> None:
        self._times = 0
        self._row = 0
        self._between = False

    def answered(self, refused: int) -> None:
        """A call was answered that had met `refused` 429s before."""
        if refused != self._times:
            self._times, self._row = refused, 0
        elif self._between:
            self._row += 1
        self._between = False

    def foresees(self, refused: int) -> bool:
        """A call met a 429 that had met `refused` before: True when that says nothing.

        A refusal more than the pattern has ends it.
        """
        self._between = refused < self._times
        if not self._between:
            self._row = 0
        return self._row >= _ENOUGH
