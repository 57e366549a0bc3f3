"""The line files of a run after decisions: at once where that is quick, else later."""

from __future__ import annotations

from generator.deciding import write_stale_views
from generator.run_directory import RunDirectory

QUICK_BYTES = 256 * 1024 * 1024
"""Size of all line files up to which each decision rewrites them; it copies what stays."""


class LineFiles:
    """Knows whether decisions made here are not in the line files yet."""

    def __init__(self, directory: RunDirectory, quick_bytes: int = QUICK_BYTES) -> None:
        self._directory = directory
        self._quick_bytes = quick_bytes
        self.behind = 0
        """Decisions that the line files do not have yet."""
        self.ever_behind = 0
        """Such decisions since the beginning."""

    def follow_at_once(self) -> bool:
        """Whether the next decision is to rewrite the files itself."""
        return not self.behind and self._size() <= self._quick_bytes

    def left_behind(self) -> None:
        """A decision was made that the files do not have."""
        self.behind += 1
        self.ever_behind += 1

    def write(self) -> bool:
        """Rewrite the files where decisions left them behind; whether that was needed."""
        if not self.behind:
            return False
        self.behind, written = 0, write_stale_views(self._directory.path)
        return written

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self._directory.views if path.exists())
