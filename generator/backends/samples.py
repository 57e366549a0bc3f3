"""Backends that must be told which of several equal requests is asked.

A real model gives another answer when it is asked again; a backend without a
model (replay, scripted) needs the sample's number for that.
"""

from __future__ import annotations

from typing import Protocol, cast, runtime_checkable

from generator.values import Backend, Completion, Request


@runtime_checkable
class SampledBackend(Protocol):
    """A backend that tells the samples of one request apart."""

    async def complete_sample(self, request: Request, sample: int) -> Completion:
        """Like `Backend.complete`, for answer number `sample` (from 0)."""


async def complete_sample(backend: Backend, request: Request, sample: int) -> Completion:
    """One attempt at answer number `sample`, by whatever kind of backend."""
    # Not by `isinstance`: for a protocol that costs as much as building the request.
    if hasattr(backend, "complete_sample"):
        return await cast(SampledBackend, backend).complete_sample(request, sample)
    return await backend.complete(request)
