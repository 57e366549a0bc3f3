"""Decide, what if, apply and compare, over real HTTP and on real runs."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from browsing import Answer, Browser, browsing
from mixed_run import good, make_run

from generator.deciding import decisions
from generator.refiltering import refilter


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def finished(page: Browser, path: str) -> Answer:
    """The page once the work behind it is done."""
    return page.until(path, lambda answer: "data-job=" not in answer.body)


def test_a_rejected_sample_is_accepted_and_that_is_undone(own_run: Path) -> None:
    with browsing(own_run) as page:
        before = page.counts()
        seq = page.get("/samples?fate=filter/ungrounded").seqs[0]
        answer = page.post(f"/sample/{seq}/accept?place=rejected", {"note": "a fine <answer>"})
        assert (answer.status, answer.headers["location"]) == (303, f"/sample/{seq}?place=rejected")
        assert page.counts()["accepted"] == before["accepted"] + 1
        sample = page.get(f"/sample/{seq}")
        assert sample.text_of("decision") == "Accepted by a person. a fine <answer>"
        assert '"note": "a fine <answer>"' in sample.text_of("provenance")
        assert page.get("/samples?decision=accepted").seqs == [seq]
        assert len(lines(own_run / "dialogues.jsonl")) == before["accepted"] + 1

        refilter(own_run)
        page.until("/progress", lambda a: json.loads(a.body)["phase"] == "ready")
        assert page.get("/samples?decision=accepted").seqs == [seq]

        assert page.post(f"/sample/{seq}/undo").status == 303
        assert page.counts() == before
        assert len(lines(own_run / "dialogues.jsonl")) == before["accepted"]
        past = page.get(f"/sample/{seq}")
        assert "undone" in past.text_of("past-decisions")
        assert page.post(f"/sample/{seq}/undo").status == 409


def test_an_accepted_sample_is_refused(own_run: Path) -> None:
    with browsing(own_run) as page:
        before = page.counts()
        assert page.post("/sample/0/refuse", {"note": "not useful"}).status == 303
        assert page.counts()["rejected"] == before["rejected"] + 1
        assert page.get("/samples?code=refused_by_person").seqs == [0]
        assert "person/refused_by_person" in page.get("/").text_of("funnel-table")
        assert "not useful" in page.get("/sample/0").text_of("reasons")


def test_an_edit_is_accepted_word_for_word(own_run: Path) -> None:
    with browsing(own_run) as page:
        seq = page.get("/samples?fate=parse/no_speaker_labels").seqs[0]
        fields = {
            "summary": "How readings are checked.",
            "speaker": ["person", "bot", "person", "bot", "person"],
            "text": ["How?", "By the median,\r\nevery time.", "And then?", "An <alarm>.", " "],
        }
        assert page.post(f"/sample/{seq}/edit", fields).status == 303
        assert page.get("/samples?decision=edited").seqs == [seq]
        [past] = list(decisions(own_run))
        assert past.decision.parsed is not None
        assert past.decision.parsed["turns"][1]["text"] == "By the median,\nevery time."
        assert len(past.decision.parsed["turns"]) == 4
        body = page.get(f"/sample/{seq}").body
        assert "An &lt;alarm&gt;." in body
        assert "<alarm>" not in body


@pytest.mark.parametrize(
    ("path", "fields", "why"),
    [
        ("accept", {}, "is accepted already"),
        ("undo", {}, "no decision to undo"),
        ("edit", {"summary": "S", "speaker": ["person"], "text": ["Kept as typed?"]}, "shape"),
        ("edit", {}, "shape"),
        ("edit", {"record": "{no json"}, "Expecting"),
        ("edit", {"record": "[1]"}, "JSON object"),
    ],
)
def test_what_cannot_be_decided_is_said_and_what_was_typed_stays(
    own_run: Path, path: str, fields: dict[str, object], why: str
) -> None:
    with browsing(own_run) as page:
        before = page.counts()
        answer = page.post(f"/sample/0/{path}", fields)  # type: ignore[arg-type]
        assert answer.status == 409
        assert why in answer.text_of("problem")
        for typed in fields.get("text", []):  # type: ignore[attr-defined]
            assert typed in answer.body
        assert page.counts() == before
        assert page.post("/sample/999/accept").status == 404


def test_what_if_says_which_samples_change_sides_and_changes_nothing(own_run: Path) -> None:
    manifest = (own_run / "manifest.json").read_bytes()
    with browsing(own_run) as page:
        before = page.counts()
        ungrounded = int(page.get("/samples?fate=filter/ungrounded").text_of("total"))
        form = page.get("/whatif?sent=1&f.min_grounding=0&f.max_echo=0.6&off=ungrounded")
        assert (form.status, form.headers["location"]) == (
            303,
            "/whatif?f.min_grounding=0&off=ungrounded",
        )
        answer = finished(page, form.headers["location"])
        assert answer.text_of("accepted-change").startswith("+")
        moves = dict(
            zip(
                answer.all_of(r'data-before="([^"]+)"'),
                map(int, answer.all_of(r'data-before="[^"]+"[^>]*><td class="n">(\d+)')),
                strict=True,
            )
        )
        assert moves["ungrounded"] <= ungrounded
        rows = answer.all_of(r'<tr data-seq="(\d+)">')
        assert len(rows) == min(50, int(answer.text_of("moved-count")))
        narrowed = page.get("/whatif?f.min_grounding=0&off=ungrounded&before=ungrounded"
                            "&after=accepted&offset=1")  # fmt: skip
        assert len(narrowed.all_of(r'<tr data-seq="(\d+)">')) < len(rows)
        assert page.counts() == before
    assert (own_run / "manifest.json").read_bytes() == manifest


def test_a_label_is_added_saved_and_applied_and_rejects_become_records(tmp_path: Path) -> None:
    def other_label(number: int) -> dict[str, object]:
        return {"text": good(number).replace("Person: ", "Lectrix: ", int(number < 5))}

    run = make_run(tmp_path, 12, answers=other_label)
    with browsing(run) as page:
        assert page.counts()["accepted"] == 7
        address = "/whatif?person_labels=Lectrix"
        tried = finished(page, address)
        assert tried.text_of("accepted-change").startswith("+5")
        saved = page.get(tried.all_of(r'id="save-settings" href="([^"]+)"')[0])
        assert tomllib.loads(saved.body) == {"parser": {"person_labels": ["Lectrix"]}}
        assert saved.headers["content-disposition"] == 'attachment; filename="settings.toml"'
        assert page.counts()["accepted"] == 7

        answer = page.post(tried.all_of(r'<form method="post" action="([^"]+)" id="apply-form"')[0])
        assert answer.status == 303
        done = finished(page, answer.headers["location"])
        assert "12 accepted" in done.text_of("applied")
        page.until("/progress", lambda a: json.loads(a.body)["counts"]["accepted"] == 12)
        assert "Lectrix" in page.get("/whatif").body
    assert len(lines(run / "dialogues.jsonl")) == 12


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("/whatif?f.max_echo=much", "max_echo"),
        ("/whatif?f.max_echo=7", "between 0 and 1"),
        ("/whatif?person_labels=a:b", "label"),
        ("/whatif?patterns=person:(", "pattern"),
    ],
)
def test_a_bad_setting_is_named(page: Browser, address: str, why: str) -> None:
    answer = page.get(address)
    assert answer.status == 400
    assert why in answer.text_of("problem")


def test_nothing_changed_cannot_be_applied(own_run: Path) -> None:
    with browsing(own_run) as page:
        assert page.post("/whatif/apply").status == 409


def test_two_runs_side_by_side(own_run: Path, tmp_path: Path) -> None:
    other = make_run(tmp_path / "b", 150, name="other", answers=lambda n: {"text": good(n)})
    with browsing(own_run, compare=[other]) as page:
        answer = finished(page, "/compare")
        gained = int(answer.text_of("gained"))
        assert gained == page.counts()["rejected"] > 0
        assert answer.text_of("lost") == "0"
        assert "filter/ungrounded" in answer.text_of("compare-reasons")
        listed = page.get(f"/compare?with={other}&change=gained")
        keys: list[str] = []
        while True:
            keys += listed.all_of(r'<tr data-key="([0-9a-f]{64})"')
            following = listed.all_of(r'id="next-page" href="([^"]+)"')
            if not following:
                break
            listed = page.get(following[0].partition("#")[0])
        assert len(keys) == len(set(keys)) == gained
        item = page.get(f"/compare/{keys[0]}?with={other}")
        assert item.all_of(r'data-side="(\w)"') == ["A", "B"]
        assert "rejected" in item.text_of("side-A")
        assert "accepted" in item.text_of("side-B")
        assert page.get(f"/compare/{'0' * 64}?with={other}").status == 404


def test_without_another_run_compare_says_how_to_name_one(page: Browser) -> None:
    assert "--compare OTHER" in page.get("/compare").body
