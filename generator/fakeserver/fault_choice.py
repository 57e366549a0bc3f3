"""Which fault a request meets: by name, by a rate, or by a schedule. Pure."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from generator.errors import WrongUse
from generator.fakeserver.draws import draw
from generator.fakeserver.fault_catalogue import FAULTS, WINDOW, WINDOW_DEFAULT
from generator.fakeserver.fault_model import FaultKind
from generator.values import PromptForm

_SPEC = re.compile(r"(?P<name>[a-z0-9_]+)(?::(?P<argument>[0-9./]+))?(?:\*(?P<first>\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A fault with what was said about it: `NAME[:ARGUMENT][*N][=RATE]`.

    `argument` is the fault's number (`window_s`: the seconds of a window, whose
    `argument` are its requests). `first`: only the first N attempts of a
    request meet it. `rate` is the probability, from 0 to 1.
    """

    kind: FaultKind
    argument: float
    window_s: float = 0.0
    first: int | None = None
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    """A fault and when it strikes; all that is given must hold.

    `from_request` to `to_request`: positions in the order of arrival, from 1,
    both included.
    """

    fault: FaultSpec
    from_request: int = 1
    to_request: int | None = None

    def covers(self, number: int) -> bool:
        within = self.to_request is None or number <= self.to_request
        return number >= self.from_request and within


@dataclass(frozen=True, slots=True)
class Occasion:
    """One attempt at one request: its number by arrival and its attempt, both from 1."""

    request: str
    number: int
    attempt: int
    form: PromptForm
    body: Mapping[str, Any]


def faults_of(
    occasion: Occasion,
    schedule: Sequence[ScheduleLine],
    rates: Sequence[FaultSpec],
    seed: int,
) -> Iterator[FaultSpec]:
    """The faults that strike, in the order in which they count: the server takes the first.

    The schedule comes before the rates. Among the rates, faults that pass come
    before those that decide about the request: so which of the latter a request
    meets is the same however often it was tried.
    """
    for line in schedule:
        if line.covers(occasion.number) and _strikes(line.fault, occasion, seed):
            yield line.fault
    for passing in (True, False):
        for spec in rates:
            if (spec.kind.drawn_by == "attempt") is passing and _strikes(spec, occasion, seed):
                yield spec


def _strikes(spec: FaultSpec, occasion: Occasion, seed: int) -> bool:
    kind = spec.kind
    if not kind.meets(occasion.form, occasion.body):
        return False
    if spec.first is not None and occasion.attempt > spec.first:
        return False
    if spec.rate >= 1:
        return True
    attempt = occasion.attempt if kind.drawn_by == "attempt" else 0
    return draw(seed, kind.name, occasion.request, attempt) < spec.rate


def parse_fault(text: str) -> FaultSpec:
    """Read `NAME[:ARGUMENT][*N][=RATE]`. Raises `WrongUse` that names the faults there are."""
    before, equals, rate_text = text.strip().partition("=")
    match = _SPEC.fullmatch(before.strip())
    name = match["name"] if match else before.partition(":")[0].strip()
    kind = FAULTS.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, FAULTS, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise WrongUse(f"there is no fault {name!r}{hint}. There are: {', '.join(FAULTS)}")
    if match is None:
        raise WrongUse(f"the fault {text!r} is not of the form NAME[:ARGUMENT][*N][=RATE]")
    rate = 1.0
    if equals:
        rate = _number(rate_text, f"the rate of the fault {text!r}")
        if not 0 <= rate <= 1:
            raise WrongUse(f"the rate of the fault {text!r} must be from 0 to 1")
    first = int(match["first"]) if match["first"] else None
    if first is not None and kind.drawn_by == "request":
        raise WrongUse(
            f"the fault {text!r}: *N does not go with {name}, which decides about the request "
            "itself and not about one attempt"
        )
    argument, window_s = _argument(kind, match["argument"], text)
    return FaultSpec(kind, argument, window_s, first, rate)


def _argument(kind: FaultKind, given: str | None, text: str) -> tuple[float, float]:
    if kind is WINDOW:
        requests, _, seconds = (given or "").partition("/")
        if given is None:
            return WINDOW_DEFAULT
        limit = _number(requests, f"the fault {text!r}: N of N/T")
        period_s = _number(seconds, f"the fault {text!r}: T of N/T")
        if limit < 1 or limit != int(limit) or period_s <= 0:
            raise WrongUse(f"the fault {text!r}: N/T is a whole number of requests in T seconds")
        return limit, period_s
    if given is None:
        return kind.default, 0.0
    if not kind.argument:
        raise WrongUse(f"the fault {text!r}: {kind.name} takes no argument")
    return _number(given, f"the argument of the fault {text!r} ({kind.argument})"), 0.0


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise WrongUse(f"{what} must be a number, not {text!r}") from None
    if not math.isfinite(value):
        raise WrongUse(f"{what} must be a number, not {text!r}")
    return value


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    fault: str
    from_: Annotated[int, Field(ge=1, alias="from")] = 1
    to: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _in_order(self) -> _Line:
        if self.to is not None and self.to < self.from_:
            raise ValueError("to is smaller than from")
        return self


def read_schedule(content: bytes, name: str) -> tuple[ScheduleLine, ...]:
    """The schedule in a JSON Lines file. Raises `WrongUse` beginning with `name:LINE:`."""
    return tuple(_lines(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), name))


def _lines(rows: Iterable[bytes], name: str) -> Iterator[ScheduleLine]:
    for number, raw in enumerate(rows, start=1):
        if not raw.strip():
            continue
        where = f"{name}:{number}"
        try:
            line = _Line.model_validate(json.loads(raw.decode("utf-8")))
            spec = parse_fault(line.fault)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in fault["loc"])
            message = fault["msg"].removeprefix("Value error, ")
            raise WrongUse(
                f"{where}: {place}: {message}" if place else f"{where}: {message}"
            ) from None
        except (ValueError, RecursionError):
            raise WrongUse(f"{where}: not JSON in UTF-8") from None
        except WrongUse as error:
            raise WrongUse(f"{where}: {error}") from None
        if spec.kind.drawn_by == "request" and (line.from_ > 1 or line.to is not None):
            raise WrongUse(
                f"{where}: {spec.kind.name} decides about the request itself, and the order of "
                "arrival must not: leave out from and to, and give it a rate"
            )
        yield ScheduleLine(spec, line.from_, line.to)
