"""Whom the inspector answers, what it lets be read and changed, and hostile text."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser, browsing
from mixed_run import good, make_run

from generator.inspector.safety import LARGEST_BODY

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    f'{SCRIPT}<img src=x onerror=alert(2)><a href="javascript:alert(3)">x</a>'
    "<svg/onload=alert(4)> {{ 7 * 7 }} {% raw %} \x1b[31mred\x1b[0m \u202egnp.exe\u202c \x00 \u200b"
    " </textarea></pre></script><!-- &amp; &#60;"
)


def answers(number: int) -> dict[str, object]:
    """Hostile answers of every fate: accepted, rejected by the parser, by a filter, refused."""
    if number == 0:
        return {"text": HOSTILE}
    if number == 1:
        return {"text": good(1).replace("It is held back", HOSTILE + " It is held back")}
    if number == 2:
        return {"text": good(2).replace("a suspicious value", "<b>a suspicious value</b>")}
    if number == 3:
        return {"text": good(3).replace("same week.", "same week. " * 100_000)}
    if number == 4:
        return {"text": good(4) + f"{SCRIPT}: I disagree.\n"}
    if number == 5:
        return {"text": "نص عربي: السؤال؟ \u202eabc\nشخص: ما هذا؟\nروبوت: نظام."}
    return {"text": good(number), "finish_reason": SCRIPT}


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("hostile"), 8, name='"><b>&run', answers=answers)


@pytest.fixture(scope="module")
def hostile(hostile_run: Path) -> Iterator[Browser]:
    with browsing(hostile_run) as page:
        yield page


ALL_PAGES = ["/", "/samples", "/samples?q=%3Cscript%3E", *(f"/sample/{n}" for n in range(8)),
             "/sample/3?full=raw&full=talk&full=calls&full=record&full=edit",
             "/samples?place=%3Cscript%3Ealert(1)%3C/script%3E",
             "/?paper=%22%3E%3Cscript%3E", "/whatif?person_labels=%3Cscript%3E&f.max_echo=%3Cb%3E",
             "/compare?with=%3Cscript%3E", "/nowhere/%3Cscript%3E"]  # fmt: skip


@pytest.mark.parametrize("path", ALL_PAGES)
def test_hostile_text_is_never_markup(hostile: Browser, path: str) -> None:
    body = hostile.get(path).body
    scripts = re.findall(r"<script[^>]*>", body)
    assert all('src="/static/' in tag for tag in scripts)
    assert len(scripts) == 2
    for tag in re.findall(r"<[a-zA-Z/!][^>]*>", body):
        assert not re.search(r"\son\w+\s*=", tag), tag
        assert "javascript:" not in tag, tag
    assert "<img" not in body
    assert "49" not in re.findall(r"\{\{ 7 \* 7 \}\}|\b49\b", body)


@pytest.mark.parametrize("path", ALL_PAGES)
def test_what_cannot_be_seen_is_shown(hostile: Browser, path: str) -> None:
    body = hostile.get(path).body
    main = re.sub(r"<textarea.*?</textarea>", "", body, flags=re.S)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]", main)


def test_terminal_escapes_and_direction_are_boxes(hostile: Browser) -> None:
    body = hostile.get("/sample/0").body
    assert 'title="U+001B CONTROL CHARACTER">ESC</span>' in body
    assert 'title="U+202E RIGHT-TO-LEFT OVERRIDE">U+202E</span>' in body


def test_a_turn_of_a_megabyte_is_cut_until_all_is_asked_for(hostile: Browser) -> None:
    cut = hostile.get("/sample/3")
    assert len(cut.body) < 200_000
    assert "characters not shown" in cut.body
    link = cut.all_of(r'data-show-all href="([^"]+)"')[0]
    whole = hostile.get(link)
    assert len(whole.body) > 1_000_000
    assert "characters not shown" not in whole.text_of("raw")


def test_every_answer_forbids_foreign_script_and_frames(hostile: Browser) -> None:
    for path in ("/", "/nowhere", "/static/inspector.css", "/progress", "/samples"):
        headers = hostile.get(path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    refused = hostile.get("/", {"host": "evil.example"})
    assert "content-security-policy" in refused.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:{port}"}, 200),
        ({"host": "localhost:{port}"}, 200),
        ({"host": "localhost:9"}, 200),
        ({"host": "LOCALHOST"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "evil.example:{port}"}, 403),
        ({"host": "127.0.0.1.evil.example:{port}"}, 403),
        ({"host": "127.0.0.1@evil.example"}, 403),
        ({"host": "192.168.0.7:{port}"}, 403),
        ({"host": ""}, 403),
        ({"origin": "http://127.0.0.1:{port}"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "https://127.0.0.1:{port}"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "http://localhost:{port}"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[bad"}, 403),
    ],
    ids=lambda v: str(v),
)
def test_only_this_machine_is_answered(
    hostile: Browser, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.format(port=hostile.port) for name, value in headers.items()}
    answer = hostile.get("/samples", sent)
    assert answer.status == status
    if status == 403:
        assert "Refused" in answer.body
        assert "granary" not in answer.body


CHANGES = ["/sample/2/refuse", "/sample/2/accept", "/sample/2/edit", "/sample/2/undo",
           "/files", "/whatif/apply?f.max_echo=0.9"]  # fmt: skip


@pytest.mark.parametrize("path", CHANGES)
def test_nothing_is_changed_without_the_token(hostile: Browser, path: str) -> None:
    before = hostile.counts()
    origin = f"http://127.0.0.1:{hostile.port}"
    assert hostile.post(path, token="").status == 403
    assert hostile.post(path, token="wrong").status == 403
    assert hostile.post(path, cookie="").status == 403
    assert hostile.post(path, headers={"sec-fetch-site": "cross-site"}).status == 403
    assert hostile.post(path, headers={"origin": "http://evil.example"}).status == 403
    assert hostile.post(path, token="é", headers={"origin": origin}).status == 403
    assert hostile.get(path).status == 405
    assert hostile.counts() == before


def test_a_form_without_end_is_refused(hostile: Browser) -> None:
    answer = hostile.post("/sample/2/accept", {"note": "x" * (LARGEST_BODY + 1)})
    assert answer.status == 413


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd",
     "/static/%2fetc%2fpasswd", "/static/..\\app.py", "/../manifest.json", "/manifest.json",
     "/store.sqlite", "/static/inspector.css/.."],
)  # fmt: skip
def test_no_file_but_the_pages_own_can_be_read(hostile: Browser, path: str) -> None:
    assert hostile.get(path).status == 404


def test_only_runs_named_at_the_start_can_be_compared(
    hostile_run: Path, mixed_run: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(hostile_run, other)
    with browsing(hostile_run, compare=[other]) as page:
        assert page.get("/compare").status == 200
        assert page.get(f"/compare?with={mixed_run}").status == 404
        assert page.get(f"/compare/abc?with={mixed_run}").status == 404
        assert page.get("/compare?with=/etc").status == 404
        assert page.get("/compare?with=").status == 404


def test_the_server_listens_on_this_machine_alone(hostile: Browser) -> None:
    local = Path("/proc/net/tcp").read_text(encoding="ascii")
    listening = {line.split()[1] for line in local.splitlines()[1:] if line.split()[3] == "0A"}
    wanted = f"{hostile.port:04X}"
    assert {a.partition(":")[0] for a in listening if a.endswith(f":{wanted}")} == {"0100007F"}
