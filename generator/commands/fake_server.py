"""`dialogsmith fake-server`: a strict OpenAI-compatible server on this machine, for rehearsals."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.commands.numbers import positive
from generator.errors import WrongUse

if TYPE_CHECKING:
    from generator.fakeserver import ScheduleLine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=_port, default=8012, metavar="N",
        help="port on 127.0.0.1; 0 takes a free one (default: 8012)",
    )  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", help=argparse.SUPPRESS)
    group = parser.add_argument_group("answers")
    group.add_argument(
        "--script", type=Path, metavar="FILE",
        help="prepared answers, the file that scripted:FILE reads; without it they are made "
        "from the prompt",
    )  # fmt: skip
    group.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of answers, latencies and faults"
    )
    group.add_argument(
        "--latency", default="fixed:0", metavar="SPEC",
        help="seconds an answer takes: fixed:S, uniform:FROM,TO or lognormal:MEDIAN,SIGMA",
    )  # fmt: skip
    group = parser.add_argument_group("faults")
    group.add_argument(
        "--fault", action="append", default=[], metavar="NAME[:ARG][*N][=RATE]", dest="faults",
        help="a fault, and how likely it is; *N: in the first N attempts of a request; repeatable",
    )  # fmt: skip
    group.add_argument(
        "--schedule", type=Path, metavar="FILE", help="JSON lines that say when which fault strikes"
    )
    group.add_argument("--list-faults", action="store_true", help="list the faults and exit")
    group = parser.add_argument_group("limits")
    group.add_argument("--rpm", type=positive, metavar="N", help="requests a minute")
    group.add_argument("--tpm", type=positive, metavar="N", help="tokens a minute")
    group.add_argument(
        "--concurrency", type=positive, metavar="N", help="requests at once, more get a 429"
    )
    group.add_argument(
        "--context",
        type=positive,
        metavar="N",
        help="context in tokens, prompt and answer together",
    )
    group = parser.add_argument_group("strictness")
    group.add_argument(
        "--strict", action="store_true",
        help="check roles, parameters, values and the model's name as strict servers do",
    )  # fmt: skip
    group.add_argument("--no-system", action="store_true", help="refuse the system role")
    group.add_argument("--no-choices", action="store_true", help="refuse n larger than 1")
    group.add_argument(
        "--refuse-with", type=int, choices=(400, 422), default=400,
        help="status and form of complaints about a parameter: as OpenAI, or as FastAPI",
    )  # fmt: skip
    group.add_argument(
        "--model", action="append", default=[], metavar="NAME", dest="models",
        help="a model there is, others get a 404; repeatable (default: any; strict: fake)",
    )  # fmt: skip
    group.add_argument(
        "--api-key-env", metavar="VAR", help="want the key that this environment variable holds"
    )
    group = parser.add_argument_group("run")
    group.add_argument(
        "--log", type=Path, metavar="FILE", help="append one JSON line for each request"
    )
    group.add_argument("--max-seconds", type=_seconds, metavar="S", help="end after so long")
    group.add_argument(
        "--max-requests", type=positive, metavar="N", help="end after so many requests"
    )


def run(options: argparse.Namespace) -> int:
    from generator.fakeserver import FAULTS, FakeServer
    from generator.loopback import stopped_by_signals

    if options.list_faults:
        for fault in FAULTS.values():
            argument = f":{fault.argument}" if fault.argument else ""
            _say(f"{fault.name}{argument}\n    {fault.does} → {fault.ends_as}")
        return 0
    if options.host not in ("127.0.0.1", "localhost"):
        raise WrongUse(
            f"--host {options.host}: the fake server binds to 127.0.0.1 only; it is made for "
            "rehearsals on this machine and has no protection against others"
        )
    server = FakeServer(_settings(options), port=options.port)
    model = options.models[0] if options.models else "fake"
    with stopped_by_signals(server.stop):
        _say(server.base_url)
        sys.stderr.write(
            f"fake server: use it as --model openai:{model}@{server.base_url}; Ctrl+C ends it\n"
        )
        server.run()
    counts = server.stats()
    sys.stderr.write(f"fake server: {counts['requests']} requests, {counts['answered']} answered\n")
    return 0


def _settings(options: argparse.Namespace) -> Any:
    from generator.backends.script_file import read_script
    from generator.fakeserver import FakeServerSettings, parse_fault, parse_latency, read_schedule

    script = None
    schedule: tuple[ScheduleLine, ...] = ()
    if options.script is not None:
        script = read_script(_bytes(options.script, "--script"), str(options.script))
    if options.schedule is not None:
        schedule = read_schedule(_bytes(options.schedule, "--schedule"), str(options.schedule))
    return FakeServerSettings(
        script=script,
        seed=options.seed,
        latency=parse_latency(options.latency),
        faults=tuple(parse_fault(text) for text in options.faults),
        schedule=schedule,
        strict=options.strict,
        system_allowed=not options.no_system,
        several_choices=not options.no_choices,
        refusal_status=options.refuse_with,
        models=tuple(options.models),
        api_key=_key(options.api_key_env),
        context_tokens=options.context,
        rpm=options.rpm,
        tpm=options.tpm,
        concurrency=options.concurrency,
        max_seconds=options.max_seconds,
        max_requests=options.max_requests,
        log=options.log,
    )


def _key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise WrongUse(
            f"--api-key-env {variable}: the environment variable {variable} is not set or empty"
        )
    return key


def _bytes(path: Path, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WrongUse(f"{option} {path}: cannot be read ({error.strerror})") from None


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port from 0 to 65535")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not more than 0 seconds")
    return value


def _say(line: str) -> None:
    """One line at once: whoever started this process may be waiting for it."""
    from generator.commands.options import say

    say(line)
    sys.stdout.flush()
