"""NeMo Data Designer: one text column; for self-play nine, each prompted with the ones before.

Its scheduler works cell by cell, so that different dialogues are at different turns.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from adapter import (
    API_KEY,
    BOT_MODEL,
    BOT_PROMPT,
    DIALOGUE_MODEL,
    DIALOGUE_PROMPT,
    MAX_TOKENS,
    OPENING,
    PERSON_MODEL,
    PERSON_PROMPT,
    SINGLE,
    SUMMARIZER_MODEL,
    SUMMARY_PROMPT,
    TEMPERATURE,
    TURNS,
    Work,
    main,
)

os.environ["NEMO_TELEMETRY_ENABLED"] = "false"

import data_designer.config as dd  # noqa: E402
import pandas as pd  # noqa: E402
from data_designer.interface import DataDesigner  # noqa: E402

PROVIDER = "local"


def columns(work: Work) -> list[dd.LLMTextColumnConfig]:
    if work.kind == SINGLE:
        prompt = DIALOGUE_PROMPT + "{{ text }}"
        return [dd.LLMTextColumnConfig(name="turn0", prompt=prompt, model_alias=DIALOGUE_MODEL)]
    summary = dd.LLMTextColumnConfig(
        name="summary", prompt=SUMMARY_PROMPT + "{{ text }}", model_alias=SUMMARIZER_MODEL
    )
    chain = [summary]
    for turn in range(TURNS):
        person = turn % 2 == 0
        system = PERSON_PROMPT + "{{ summary }}" if person else BOT_PROMPT + "{{ text }}"
        told = "\n".join([OPENING, *(f"{{{{ turn{number} }}}}" for number in range(turn))])
        chain.append(
            dd.LLMTextColumnConfig(
                name=f"turn{turn}",
                system_prompt=system,
                prompt=told,
                model_alias=PERSON_MODEL if person else BOT_MODEL,
            )
        )
    return chain


def run(work: Work) -> Iterable[Sequence[str]]:
    chain = columns(work)
    sampling = dd.ChatCompletionInferenceParams(
        temperature=TEMPERATURE,
        max_tokens=MAX_TOKENS,
        max_parallel_requests=work.concurrency,
    )
    models = [
        dd.ModelConfig(
            alias=name,
            model=name,
            provider=PROVIDER,
            inference_parameters=sampling,
            skip_health_check=True,
        )
        for name in sorted({column.model_alias for column in chain})
    ]
    builder = dd.DataDesignerConfigBuilder(model_configs=models)
    seed = pd.DataFrame({"text": work.segments()})
    builder.with_seed_dataset(dd.DataFrameSeedSource(df=seed))
    for column in chain:
        builder.add_column(column)
    provider = dd.ModelProvider(name=PROVIDER, endpoint=work.base_url, api_key=API_KEY)
    designer = DataDesigner(artifact_path=work.folder, model_providers=[provider])
    designer.set_run_config(
        dd.RunConfig(
            max_in_flight_tasks=work.concurrency,
            buffer_size=work.dialogues,
            jinja_rendering_engine=dd.JinjaRenderingEngine.NATIVE,
            otel_metrics_port=None,
        )
    )
    made = designer.create(builder, num_records=work.dialogues, dataset_name="talks")
    return read(made.load_dataset(), 1 if work.kind == SINGLE else TURNS)


def read(rows: pd.DataFrame, turns: int) -> Iterator[Sequence[str]]:
    yield from rows[[f"turn{turn}" for turn in range(turns)]].values.tolist()


if __name__ == "__main__":
    main(run)
