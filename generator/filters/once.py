"""A property that is computed at its first use and then kept with its object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801 - read as a decorator, like property
    """`functools.cached_property` without its lock, which costs more than most values here.

    Two threads may compute a value twice; it is the same value.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> once[Value]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Value: ...

    def __get__(self, owner: object | None, kind: type) -> once[Value] | Value:
        if owner is None:
            return self
        # The object's own entry hides this descriptor from now on.
        value = owner.__dict__[self._name] = self._compute(owner)
        return value
