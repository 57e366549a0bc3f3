"""`dialogsmith inspect`: a local page that shows what a run accepted, refused, and why."""

from generator.inspector.server import Inspector

__all__ = ["Inspector"]
