"""Who speaks in a recipe, and what answers for it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.values import Backend, Sampling


@dataclass(frozen=True, slots=True)
class RoleBinding:
    """A role bound to a backend and its sampling settings."""

    role: str
    backend: Backend
    sampling: Sampling
