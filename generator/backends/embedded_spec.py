"""`embedded[:FILE.gguf]`: the embedded model from its SPEC."""

from __future__ import annotations

from pathlib import Path

from generator.backends.context import BackendContext
from generator.backends.spec import BackendSpec
from generator.errors import WrongUse
from generator.values import Backend


def make_embedded(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `embedded` or `embedded:FILE.gguf`."""
    from generator.backends.embedded import EmbeddedBackend

    if spec.base_url is not None:
        raise WrongUse(f"{spec}: the embedded model runs in this process and has no base URL")
    path = Path(spec.model) if spec.model else None
    return EmbeddedBackend(path, context_tokens=context.options.context_tokens)
