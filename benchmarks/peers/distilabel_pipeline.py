"""distilabel: a pipeline of one `TextGeneration`; for self-play nine in a row, one a turn.

A step asks a whole batch at once and waits for the last answer, so the batch is as large as the
concurrency. Each later turn's prompt is a template over the columns of the turns before it.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Sequence

from adapter import (
    API_KEY,
    BOT_PROMPT,
    DIALOGUE_PROMPT,
    MAX_TOKENS,
    MODEL,
    OPENING,
    PERSON_PROMPT,
    SINGLE,
    SUMMARY_PROMPT,
    TEMPERATURE,
    TURNS,
    Work,
    main,
)

os.environ.update(HF_DATASETS_DISABLE_PROGRESS_BARS="1", DISTILABEL_LOG_LEVEL="WARNING")

from datasets import Dataset, disable_caching
from distilabel.models import OpenAILLM
from distilabel.pipeline import Pipeline
from distilabel.steps.tasks import TextGeneration


def step(work: Work, name: str, template: str, columns: list[str]) -> TextGeneration:
    """A step that asks `template` of each row, and puts the answer into the column `name`."""
    return TextGeneration(
        name=f"step_{name}",
        llm=OpenAILLM(
            model=MODEL,
            base_url=work.base_url,
            api_key=API_KEY,
            generation_kwargs={"temperature": TEMPERATURE, "max_new_tokens": MAX_TOKENS},
        ),
        template=template,
        columns=columns,
        input_batch_size=work.concurrency,
        output_mappings={"generation": name, "model_name": f"model_{name}"},
        add_raw_input=False,
        add_raw_output=False,
    )


def steps(work: Work) -> list[TextGeneration]:
    if work.kind == SINGLE:
        return [step(work, "turn0", DIALOGUE_PROMPT + "{{ text }}", ["text"])]
    chain = [step(work, "summary", SUMMARY_PROMPT + "{{ text }}", ["text"])]
    for turn in range(TURNS):
        person = turn % 2 == 0
        seen = "summary" if person else "text"
        earlier = [f"turn{number}" for number in range(turn)]
        template = (PERSON_PROMPT if person else BOT_PROMPT) + f"{{{{ {seen} }}}}\n{OPENING}\n"
        template += "\n".join(f"{{{{ {name} }}}}" for name in earlier)
        chain.append(step(work, f"turn{turn}", template, [seen, *earlier]))
    return chain


def run(work: Work) -> Iterable[Sequence[str]]:
    disable_caching()
    with Pipeline(name=f"talk{work.first}") as pipeline:
        chain = steps(work)
        for before, after in itertools.pairwise(chain):
            before >> after
    made = pipeline.run(
        dataset=Dataset.from_list([{"text": text} for text in work.segments()]),
        dataset_batch_size=work.concurrency,
        use_cache=False,
    )
    rows = made["default"]["train"]
    rows.to_json(str(work.folder / "dialogues.jsonl"))
    return read(rows, 1 if work.kind == SINGLE else TURNS)


def read(rows: Dataset, turns: int) -> Iterator[Sequence[str]]:
    for row in rows:
        yield [row[f"turn{turn}"] for turn in range(turns)]


if __name__ == "__main__":
    main(run)
