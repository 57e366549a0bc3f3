"""How a run is asked to end, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.errors import DialogsmithError
from prompts import TemplateProblem


class StopSignal:
    """Asks a run to end: what is in flight is finished and stored, nothing new is begun."""

    def __init__(self) -> None:
        self.draining = False
        self._told: list[Callable[[], None]] = []

    def drain(self) -> None:
        """Begin to end. Call it on the run's own event loop; more than once does no harm."""
        if not self.draining:
            self.draining = True
            for tell in self._told:
                tell()

    def on_drain(self, tell: Callable[[], None]) -> None:
        self._told.append(tell)


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended. `counts` are those of the store (items, accepted, rejected, …)."""

    counts: dict[str, int]
    stopped: DialogsmithError | TemplateProblem | None = None
    interrupted: bool = False

    @property
    def complete(self) -> bool:
        """Every item of the inputs was reached and answered for."""
        return self.stopped is None and not self.interrupted and not self.counts["failed"]
