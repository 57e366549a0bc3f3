"""NeMo Data Designer: one text column; for self-play nine, each prompted with the ones before.

Its scheduler works cell by cell, so that different dialogues are at different turns.
"""

from __future__ import annotations

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

os.environ["NEMO_TELEMETRY_ENABLED"] = "false"
# Its column statistics would fetch a tokenizer's vocabulary; nothing leaves this machine, and the
# statistics are left out, as they are wherever the fetch fails.
os.environ.update(HTTPS_PROXY="http://127.0.0.1:9", NO_PROXY="127.0.0.1")

import data_designer.config as dd
import pandas as pd
from data_designer.interface import DataDesigner

PROVIDER = "local"


def columns(work: Work) -> list[dd.LLMTextColumnConfig]:
    if work.kind == SINGLE:
        prompt = DIALOGUE_PROMPT + "{{ text }}"
        return [dd.LLMTextColumnConfig(name="turn0", prompt=prompt, model_alias=MODEL)]
    summary = dd.LLMTextColumnConfig(
        name="summary", prompt=SUMMARY_PROMPT + "{{ text }}", model_alias=MODEL
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
                model_alias=MODEL,
            )
        )
    return chain


def run(work: Work) -> Iterable[Sequence[str]]:
    sampling = dd.ChatCompletionInferenceParams(
        temperature=TEMPERATURE,
        max_tokens=MAX_TOKENS,
        max_parallel_requests=work.concurrency,
    )
    model = dd.ModelConfig(
        alias=MODEL,
        model=MODEL,
        provider=PROVIDER,
        inference_parameters=sampling,
        skip_health_check=True,
    )
    builder = dd.DataDesignerConfigBuilder(model_configs=[model])
    seed = pd.DataFrame({"text": work.segments()})
    builder.with_seed_dataset(dd.DataFrameSeedSource(df=seed))
    for column in columns(work):
        builder.add_column(column)
    provider = dd.ModelProvider(name=PROVIDER, endpoint=work.base_url, api_key=API_KEY)
    designer = DataDesigner(artifact_path=work.folder, model_providers=[provider])
    designer.set_run_config(
        dd.RunConfig(
            max_in_flight_tasks=max(1024, 2 * work.concurrency),
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
