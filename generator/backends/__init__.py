"""What answers requests: the backends, and how one is made from a SPEC.

Importing this package imports no backend; see `registry`.
"""

from generator.backends.context import BackendContext, BackendOptions, CallSource
from generator.backends.registry import BackendInfo, list_backends, make_backend
from generator.backends.samples import SampledBackend, complete_sample
from generator.backends.spec import BackendSpec, parse_spec

__all__ = [
    "BackendContext",
    "BackendInfo",
    "BackendOptions",
    "BackendSpec",
    "CallSource",
    "SampledBackend",
    "complete_sample",
    "list_backends",
    "make_backend",
    "parse_spec",
]
