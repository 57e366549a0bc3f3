"""Who is compared, in which environment, with which settings, and where those are documented."""

from __future__ import annotations

from dataclasses import dataclass

SINGLE, SELFPLAY = "single", "selfplay"
CALLS = {SINGLE: 1, SELFPLAY: 9}
"""Calls of a dialogue: one; or a summary and four rounds of question and answer."""

OURS = "dialogsmith"


@dataclass(frozen=True)
class Peer:
    """One row of the comparison."""

    name: str
    script: str
    requirements: tuple[str, ...]
    """What to install into its environment; the versions shown are those of these. Nothing: it
    runs in the environment of the benchmark itself."""
    pace: int
    """Calls a second it is likely to reach at best; only sizes the work."""
    settings: str
    source: str
    """Where the settings are documented."""


PEERS = (
    Peer(
        OURS,
        "ours",
        (),
        2400,
        "`generator.generate`, the whole product: rendering, store, retries, parser, "
        "filters, views",
        "docs/recipes.md",
    ),
    Peer(
        "openai client, bare loop",
        "bare_openai",
        ("openai[aiohttp]==3.57.0",),
        150,
        "`AsyncOpenAI`, one client, as many workers as requests in flight, answers "
        "appended to a file",
        "https://github.com/openai/openai-python#async-usage",
    ),
    Peer(
        "openai client over aiohttp, bare loop",
        "bare_openai_aiohttp",
        ("openai[aiohttp]==3.57.0",),
        250,
        "the same with `DefaultAioHttpClient`",
        "https://github.com/openai/openai-python#with-aiohttp",
    ),
    Peer(
        "aiohttp and orjson, bare loop",
        "bare_aiohttp",
        ("aiohttp==3.14.5", "orjson==3.13.0", "uvloop==0.23.0"),
        2000,
        "one session, uvloop; no retries, no checks, answers appended to a file",
        "https://docs.aiohttp.org/en/stable/http_request_lifecycle.html",
    ),
    Peer(
        "pyreqwest and orjson, bare loop",
        "bare_pyreqwest",
        ("pyreqwest==0.15.1", "orjson==3.13.0", "uvloop==0.23.0"),
        3000,
        "one client (Rust), uvloop; no retries, no checks, answers appended to a file",
        "https://github.com/MarkusSintonen/pyreqwest",
    ),
    Peer(
        "Bespoke Curator",
        "curator_llm",
        ("bespokelabs-curator==0.1.31",),
        250,
        "`curator.LLM`, `backend=openai` (aiohttp), `max_concurrent_requests` = concurrency, "
        "limits a minute out of the way; self-play: a stage a turn over all dialogues, since its "
        "two-agent class holds one conversation a call",
        "https://docs.bespokelabs.ai/curator/guides/online-processing",
    ),
    Peer(
        "distilabel",
        "distilabel_pipeline",
        # The last two are imported by it and not declared.
        ("distilabel[openai]==1.5.3", "requests==2.34.2", "beautifulsoup4==4.15.0"),
        130,
        "`OpenAILLM`, `input_batch_size` = concurrency (a step gathers its batch), log level "
        "WARNING; self-play: nine `TextGeneration` steps in a row, a process each",
        "https://distilabel.argilla.io/latest/sections/how_to_guides/basic/llm/",
    ),
    Peer(
        "NeMo Data Designer",
        "data_designer_columns",
        ("data-designer==0.9.7",),
        150,
        "`max_parallel_requests` = concurrency, `max_in_flight_tasks` above it, one row group, "
        "native Jinja, no health check, no metrics port; self-play: nine text columns",
        "https://nvidia-nemo.github.io/DataDesigner/",
    ),
    Peer(
        "SDialog",
        "sdialog_threads",
        ("sdialog==0.5.3",),
        150,
        "works one dialogue at a time and documents nothing else; given as many threads as "
        "requests in flight, sharing one model object; `DialogGenerator` (structured output), and "
        "two `Agent`s",
        "https://sdialog.readthedocs.io/",
    ),
)
