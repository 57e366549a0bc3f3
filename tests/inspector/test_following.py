"""The page over a run that is being written, judged anew, or touched by another process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from browsing import Answer, browsing
from mixed_run import answer as scripted
from mixed_run import good, make_run

from generator import generate
from generator.deciding import decide
from generator.inspector.index_schema import INDEX_NAME
from generator.refiltering import refilter
from generator.report.summary import summarise
from generator.run_directory import RunDirectory
from generator.store import CallRow, ItemRow, RunStore, VerdictRow, pack_request
from generator.values import Completion, Message, Request


def counts_are(run: Path) -> object:
    """Whether the page counts what the store holds."""
    wanted = summarise(run).counts

    def same(answer: Answer) -> bool:
        counts = json.loads(answer.body)["counts"]
        return all(counts[place] == wanted[place] for place in counts)

    return same


def test_a_run_that_is_being_written_is_followed(own_run: Path) -> None:
    with browsing(own_run) as page:
        before = page.get("/samples").text_of("total")
        store = RunStore(RunDirectory(own_run).store, create=False)
        for seq in range(150, 160):
            key = f"new{seq}"
            store.put_item(
                ItemRow(key, seq, f"item {seq}", "new.jsonl", seq, {"text": "A text.", "n": seq})
            ).result()
        page.until("/progress", lambda a: json.loads(a.body)["counts"]["pending"] == 10)
        assert page.get("/samples").text_of("total") == str(int(before) + 10)
        request = pack_request(Request((Message("user", "Write."),)))
        call = CallRow("call", "hash", "new153", "writer", 0, "scripted:x", request,
                       Completion("An unheard of answer."), 1, 0.0)  # fmt: skip
        asyncio.run(put(store, call))
        store.submit_verdict(
            VerdictRow(
                item="new153", seq=153, accepted=False,
                reasons=({"stage": "parse", "code": "not_a_dialogue", "detail": "prose",
                          "span": [0, 2]},),
                measures={},
                candidate={"answers": [{"role": "writer", "key": "call", "item": "new153",
                                        "opening": ""}], "refused": [], "notes": {}},
                parsed=None, record=None, fingerprint=None,
            )
        ).result()  # fmt: skip
        store.put_failure("new154", "server_fault: it fell over").result()
        page.until("/progress", lambda a: json.loads(a.body)["counts"]["pending"] == 8)
        assert page.get("/samples?q=unheard").seqs == [153]
        assert page.get("/samples?place=failed").seqs == [154]
        assert "it fell over" in page.get("/sample/154").body
        assert page.get("/sample/155").status == 200
        store.close()


async def put(store: RunStore, call: CallRow) -> None:
    await store.put_call(call)


def test_a_refilter_by_another_process_is_noticed(own_run: Path) -> None:
    with browsing(own_run) as page:
        before = page.counts()
        refilter(own_run, filters={"off": "ungrounded,garbled_text"})
        page.until("/progress", counts_are(own_run))  # type: ignore[arg-type]
        assert page.counts()["accepted"] > before["accepted"]
        assert page.get("/samples?code=ungrounded").seqs == []


def test_a_decision_by_another_process_is_noticed(own_run: Path) -> None:
    with browsing(own_run) as page:
        item = page.get("/sample/0").all_of(r"&#34;id&#34;: &#34;([^&]+)&#34;")[0]
        decide(own_run, item, "refuse")
        page.until("/progress", counts_are(own_run))  # type: ignore[arg-type]
        assert page.get("/samples?decision=refused").seqs == [0]


def test_what_changed_while_no_page_was_open_is_noticed(own_run: Path) -> None:
    with browsing(own_run) as page:
        before = page.counts()
    refilter(own_run, filters={"off": "ungrounded"})
    with browsing(own_run) as page:
        page.until("/progress", counts_are(own_run))  # type: ignore[arg-type]
        assert page.counts()["accepted"] > before["accepted"]


def test_a_run_is_resumed_while_it_is_looked_at(tmp_path: Path) -> None:
    run = make_run(tmp_path, 40, answers=lambda n: {"text": good(n)})
    script = tmp_path / "script.jsonl"
    more = tmp_path / "more"
    more.mkdir()
    with browsing(run) as page:
        generate(
            "paperpersichat-davinci", str(tmp_path / "papers.jsonl"), out=str(more / "run"),
            model=f"scripted:{script}", limit=10,
        )  # fmt: skip
        with browsing(more / "run") as other:
            assert other.counts()["items"] == 10
            generate(
                "paperpersichat-davinci", str(tmp_path / "papers.jsonl"), out=str(more / "run"),
                model=f"scripted:{script}",
            )  # fmt: skip
            other.until("/progress", counts_are(more / "run"))  # type: ignore[arg-type]
            assert other.counts() == page.counts()


def test_the_run_itself_is_not_changed_by_looking(own_run: Path) -> None:
    def state() -> dict[str, bytes]:
        return {
            path.name: path.read_bytes()
            for path in own_run.iterdir()
            if not path.name.startswith((INDEX_NAME, ".inspect", "store.sqlite-"))
        }

    before = state()
    with browsing(own_run) as page:
        page.get("/samples?place=rejected&sort=raw_chars")
        page.get("/sample/3")
    assert state() == before


def test_an_index_of_another_run_is_not_believed(own_run: Path, tmp_path: Path) -> None:
    with browsing(own_run) as page:
        many = page.counts()["items"]
    few = make_run(tmp_path / "few", 5, answers=lambda n: scripted(n + 3))
    (few / INDEX_NAME).write_bytes((own_run / INDEX_NAME).read_bytes())
    with browsing(few) as page:
        assert page.counts()["items"] == 5 < many
