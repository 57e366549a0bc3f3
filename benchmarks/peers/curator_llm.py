"""Bespoke Curator: one `curator.LLM` over a dataset; for self-play nine of them, one a turn.

Its own two-agent class holds one conversation a call, so the fastest way to hold many is a stage
a turn over all dialogues, as its guides chain stages.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Iterator, Sequence

from adapter import (
    API_KEY,
    MAX_TOKENS,
    MODEL,
    SINGLE,
    TEMPERATURE,
    TURNS,
    Messages,
    Work,
    dialogue_messages,
    main,
    summary_messages,
    turn_messages,
)

os.environ.update(
    TELEMETRY_ENABLED="false",
    CURATOR_DISABLE_CACHE="true",
    CURATOR_VIEWER="0",
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    OPENAI_API_KEY=API_KEY,
    # The vocabulary of its token counter, which it would fetch: its dependency carries a copy.
    TIKTOKEN_CACHE_DIR=os.path.join(
        importlib.util.find_spec("litellm").submodule_search_locations[0],
        "litellm_core_utils",
        "tokenizers",
    ),
)

from bespokelabs import curator
from datasets import Dataset

NO_LIMIT = 1_000_000_000


class Stage(curator.LLM):
    """Asks what a row's `messages` say, and keeps the answer beside the row's number."""

    def prompt(self, row: dict) -> Messages:
        return row["messages"]

    def parse(self, row: dict, answer: str) -> dict:
        return {"row": row["row"], "answer": answer}


def answers(work: Work, asked: list[Messages]) -> list[str]:
    """One stage: all requests of it, and their answers in the order asked."""
    stage = Stage(
        model_name=MODEL,
        backend="openai",
        generation_params={"temperature": TEMPERATURE, "max_tokens": MAX_TOKENS},
        backend_params={
            "base_url": work.base_url,
            "max_concurrent_requests": work.concurrency,
            "max_requests_per_minute": NO_LIMIT,
            "max_tokens_per_minute": NO_LIMIT,
        },
    )
    rows = [{"row": row, "messages": messages} for row, messages in enumerate(asked)]
    made = stage(Dataset.from_list(rows), working_dir=str(work.folder)).dataset
    by_row = dict(zip(made["row"], made["answer"], strict=True))
    return [by_row[row] for row in range(len(asked))]


def run(work: Work) -> Iterable[Sequence[str]]:
    texts = work.segments()
    if work.kind == SINGLE:
        made = answers(work, [dialogue_messages(text) for text in texts])
        return ([text] for text in made)
    summaries = answers(work, [summary_messages(text) for text in texts])
    talks: list[list[str]] = [[] for _ in texts]
    for _ in range(TURNS):
        due = [turn_messages(*each) for each in zip(texts, summaries, talks, strict=True)]
        said = answers(work, due)
        for talk, turn in zip(talks, said, strict=True):
            talk.append(turn)
    return read(talks)


def read(talks: list[list[str]]) -> Iterator[Sequence[str]]:
    yield from talks


if __name__ == "__main__":
    main(run)
