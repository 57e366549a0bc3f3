"""SDialog: its one-call generator, and two of its agents in dialogue.

It works one dialogue at a time and has no setting for more, so it gets what its users can do: as
many threads as requests may be in flight, which share one model object.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from adapter import (
    API_KEY,
    BOT_PROMPT,
    DIALOGUE_PROMPT,
    MAX_TOKENS,
    MODEL,
    PERSON_PROMPT,
    SINGLE,
    SUMMARY_PROMPT,
    TEMPERATURE,
    TURNS,
    Work,
    main,
)

os.environ["TQDM_DISABLE"] = "1"

from langchain_openai import ChatOpenAI
from sdialog import Dialog
from sdialog.agents import Agent
from sdialog.generators import DialogGenerator


def model(work: Work, name: str) -> ChatOpenAI:
    return ChatOpenAI(
        model=name,
        base_url=work.base_url,
        api_key=API_KEY,
        temperature=TEMPERATURE,
        max_tokens=MAX_TOKENS,
    )


class Writer:
    """One generator a thread: a generator keeps its messages in itself."""

    def __init__(self, work: Work) -> None:
        self._model = model(work, f"{MODEL}-structured")
        self._own = threading.local()

    def __call__(self, text: str) -> Dialog:
        if not hasattr(self._own, "generator"):
            self._own.generator = DialogGenerator(dialogue_details="", model=self._model)
        return self._own.generator.generate(dialogue_details=DIALOGUE_PROMPT + text)


class Talk:
    """A summary, then two agents that talk about it."""

    def __init__(self, work: Work) -> None:
        self._model = model(work, MODEL)

    def __call__(self, text: str) -> Dialog:
        summary = self._model.invoke(SUMMARY_PROMPT + text).content
        person = Agent(name="Person", system_prompt=PERSON_PROMPT + summary, model=self._model)
        bot = Agent(name="Bot", system_prompt=BOT_PROMPT + text, model=self._model)
        return person.dialog_with(bot, max_turns=TURNS)


def run(work: Work) -> Iterable[Sequence[str]]:
    make = Writer(work) if work.kind == SINGLE else Talk(work)

    def one(numbered: tuple[int, str]) -> Dialog:
        number, text = numbered
        dialog = make(text)
        dialog.to_file(str(work.folder / f"{number}.json"))
        return dialog

    with ThreadPoolExecutor(work.concurrency) as pool:
        dialogs = list(pool.map(one, enumerate(work.segments())))
    return read(work.kind, dialogs)


def read(kind: str, dialogs: list[Dialog]) -> Iterator[Sequence[str]]:
    for dialog in dialogs:
        turns = [turn.text for turn in dialog.turns]
        yield ["\n".join(turns)] if kind == SINGLE else turns


if __name__ == "__main__":
    main(run)
