"""Where the processor time of the whole product goes, call by call."""

from __future__ import annotations

import cProfile
import pstats
from pathlib import Path
from typing import Any

from calling_layer import Stopwatch, whole_product
from fast_server import serving

# Where the time of the whole product goes: functions by file and name, none inside another.
SEAMS = (
    ("reading and segmenting papers", "generator/segment_items.py", ("segment_items",)),
    ("handing items to the store", "store/run_store.py", ("register",)),
    ("rendering the templates", "prompts/loader.py", ("render",)),
    ("cache key and request hash", "calling/key.py", ("identify",)),
    ("token estimates and budget", "calling/budget.py", ("reserve", "settle")),
    ("the request's body, its JSON", "backends/openai_requests.py", ("wire_request",)),
    ("HTTP: sending, receiving", "backends/lean_http.py", ("post",)),
    ("HTTP: what the loop hands in", "asyncio/selector_events.py", ("_read_ready",)),
    ("reading the answer", "backends/openai_backend.py", ("_completion",)),
    ("packing the request", "store/rows.py", ("pack_request",)),
    ("handing calls to the store", "store/run_store.py", ("put_call",)),
    ("parser", "dialogue/pipeline.py", ("parse_dialogue",)),
    ("filters", "filters/dialogue.py", ("run_filters",)),
    ("handing verdicts to the store", "store/run_store.py", ("put_verdict",)),
)


def profile(address: str) -> None:
    """Processor time by thread without a profiler, and shares of the main thread's with one."""
    # So few workers that no second process is started: all of it is in one profile.
    calls, concurrency = 2000, 20
    base_url = f"{address}/0/v1"
    whole_product(base_url, 200, concurrency)
    watch = Stopwatch()
    whole_product(base_url, calls, concurrency, watch)
    main_ms = 1000 * watch.main_thread / calls
    others_ms = 1000 * watch.cpu / calls - main_ms
    print(f"CPU a call: {main_ms:.3f} ms in the main thread, {others_ms:.3f} ms in the store's")
    profiler = cProfile.Profile()
    whole_product(base_url, calls, concurrency, Stopwatch(profiler))
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    called = {(path, name) for path, _, name in stats}
    for label, file, names in SEAMS:
        if not any(path.endswith(file) and name in names for path, name in called):
            print(f"never called, so its share stands below under something else: {label}")
    total = sum(own for _, _, own, _, _ in stats.values())
    print("shares of the main thread under the profiler, and what they are of its time without:")
    shares = {label: _share(stats, total, file, names) for label, file, names in SEAMS}
    shares["all else (event loop, tasks, retries, limits)"] = 1 - sum(shares.values())
    for label, share in shares.items():
        print(f"  {100 * share:5.1f} %  {share * main_ms:6.3f} ms  {label}")
    print("functions by their own time:")
    for (path, _, name), (_, times, own, _, _) in sorted(
        stats.items(), key=lambda entry: -entry[1][2]
    )[:20]:
        where = name if path == "~" else f"{'/'.join(Path(path).parts[-2:])} {name}"
        print(f"  {100 * own / total:5.1f} %  {times / calls:6.1f} times a call  {where}")


def _share(stats: dict[Any, Any], total: float, file: str, names: tuple[str, ...]) -> float:
    return sum(
        within
        for (path, _, name), (_, _, _, within, _) in stats.items()
        if path.endswith(file) and name in names
    ) / total  # fmt: skip


if __name__ == "__main__":
    with serving() as server:
        profile(server)
