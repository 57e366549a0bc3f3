"""Whatever is decided, undone, refiltered and resumed, in any order: the files follow from the
answers, the settings and the decisions in force alone."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from judged_runs import RECIPE, make_run, places, varied_answers, view_bytes

import generator
from generator.deciding import decide, decisions, undo, write_stale_views
from generator.errors import WrongUse
from generator.filters import FilterSettings
from generator.recipes.parser_words import ParserWords
from generator.refiltering import refilter
from generator.run_directory import RunDirectory
from generator.store import RunStore

EDITS: dict[str, Any] = {
    "short": {
        "summary": "A gauge, told anew.",
        "turns": [
            {"speaker": "person", "text": "What is it?"},
            {"speaker": "bot", "text": "A gauge."},
        ],
    }
}
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"max_echo": 0.1},
    {"off": ["duplicate_dialogue"]},
    {"min_pairs": 4, "off": ["ungrounded"]},
)
WORDS: tuple[dict[str, Any], ...] = ({}, {"summary_labels": ["Nutshell"]})


class Deciding(RuleBasedStateMachine):
    """One run that people decide about, and what is expected of its files."""

    base: Path
    keys: tuple[str, ...]

    @initialize()
    def copy_run(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="deciding-"))
        for name in ("papers.jsonl", "script.jsonl"):
            shutil.copy(self.base.parent / name, self.folder / name)
        self.run = Path(shutil.copytree(self.base, self.folder / "run"))
        self.filters: dict[str, Any] = {}
        self.words: dict[str, Any] = {}
        self.made = 0

    @rule(data=st.data(), action=st.sampled_from(["accept", "refuse"]), edited=st.booleans(),
          views=st.booleans())  # fmt: skip
    def person_decides(self, data: st.DataObject, action: Any, edited: bool, views: bool) -> None:
        key = data.draw(st.sampled_from(self.keys))
        before = places(self.run)[key]
        edit = EDITS["short"] if edited and action == "accept" else None
        try:
            result = decide(self.run, key, action, note="seen", edited=edit, views=views,
                            clock=lambda: 1.0)  # fmt: skip
        except WrongUse:
            assert before == "accepted" or edit is None
            assert places(self.run)[key] == before
            return
        assert result.sample.before == before
        assert (result.sample.after == "accepted") == (action == "accept")
        self.made += 1

    @rule(data=st.data())
    def person_undoes(self, data: st.DataObject) -> None:
        standing = [past for past in decisions(self.run) if past.decision.undone_at is None]
        if standing:
            key = data.draw(st.sampled_from([past.decision.item for past in standing]))
            undo(self.run, key, clock=lambda: 2.0)
            assert len(list(decisions(self.run))) == self.made

    @rule(filters=st.sampled_from(FILTERS), words=st.sampled_from(WORDS))
    def settings_change(self, filters: dict[str, Any], words: dict[str, Any]) -> None:
        defaults = FilterSettings()
        self.filters = {n: getattr(defaults, n) for n in self.filters} | filters
        self.words = dict.fromkeys(self.words, ()) | words
        refilter(self.run, filters=self.filters, words=self.words)

    @rule()
    def run_is_resumed(self) -> None:
        plain = dict(self.filters, off=frozenset(self.filters.get("off", ())))
        generator.generate(
            RECIPE, self.folder / "papers.jsonl", out=self.run,
            model=f"scripted:{self.folder / 'script.jsonl'}",
            filters=FilterSettings(**plain),
            parser_words=ParserWords(**{n: tuple(v) for n, v in self.words.items()}),
        )  # fmt: skip

    @invariant()
    def everything_follows(self) -> None:
        write_stale_views(self.run)
        fresh = self.folder / "fresh"
        shutil.copytree(self.base, fresh)
        store = RunStore(RunDirectory(fresh).store, create=False)
        mine = RunStore(RunDirectory(self.run).store, create=False, writable=False)
        for key in sorted(self.keys):
            decision = mine.decision_on(key)
            if decision is not None:
                store.put_decision(decision)
        counts = mine.counts()
        store.close()
        mine.close()
        refilter(fresh, filters=self.filters, words=self.words)
        assert view_bytes(self.run) == view_bytes(fresh)
        assert places(self.run) == places(fresh)
        accepted = list(places(self.run).values()).count("accepted")
        assert (counts["accepted"], counts["rejected"]) == (accepted, len(self.keys) - accepted)
        assert view_bytes(self.run)["dialogues.jsonl"].count(b"\n") == accepted
        shutil.rmtree(fresh)

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def test_files_follow_from_answers_settings_and_decisions(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    class OfThisRun(Deciding):
        base = make_run(tmp_path_factory.mktemp("base"), varied_answers()[:14])
        keys = tuple(places(base))

    run_state_machine_as_test(
        OfThisRun, settings=settings(deadline=None, max_examples=8, stateful_step_count=8)
    )
