"""Chance, latencies, windows, schedules and token counts: pure, without a network."""

import statistics

import pytest
from fake_asking import Hand, chat_body
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import WrongUse
from generator.fakeserver import (
    FAULTS,
    FakeServerSettings,
    Latency,
    count_tokens,
    parse_fault,
    parse_latency,
    read_schedule,
)
from generator.fakeserver.draws import draw, pick
from generator.fakeserver.token_count import count_messages, cut_to
from generator.fakeserver.windows import Window

NUMBERS = [f"request {n}" for n in range(2000)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("abcd", 1, id="four bytes"),
        pytest.param("abcde", 2, id="rounded up"),
        pytest.param("你好", 2, id="a character each"),
        pytest.param("你好ab", 3, id="mixed"),
        pytest.param("日本語とハングル한글", 10, id="japanese and korean"),
        pytest.param("привет", 3, id="two bytes a letter"),
        pytest.param("\ud83d", 1, id="lone surrogate"),
    ],
)
def test_tokens(text, tokens):
    assert count_tokens(text) == tokens
    assert count_messages([text, text]) == 2 * tokens + 8


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=80), st.integers(min_value=0, max_value=30))
def test_a_cut_text_is_the_longest_beginning_that_fits(text, tokens):
    cut = cut_to(text, tokens)
    assert text.startswith(cut)
    assert count_tokens(cut) <= tokens
    assert cut == text or count_tokens(text[: len(cut) + 1]) > tokens


@settings(deadline=None, max_examples=60)
@given(st.integers(), st.text(max_size=20), st.integers(min_value=1, max_value=9))
def test_draws_stay_in_range(seed, what, count):
    assert 0 <= draw(seed, what) < 1
    assert 0 <= pick(seed, count, what) < count
    assert draw(seed, what) == draw(seed, what)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("fixed:0.2", Latency("fixed", 0.2), id="fixed"),
        pytest.param("uniform:0.1,0.5", Latency("uniform", 0.1, 0.5), id="uniform"),
        pytest.param("lognormal:0.8,0.5", Latency("lognormal", 0.8, 0.5), id="lognormal"),
    ],
)
def test_latency_is_read(text, expected):
    assert parse_latency(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "0.2", "fixed", "fixed:", "fixed:x", "fixed:-1", "fixed:nan", "fixed:1,2", "uniform:1",
        "uniform:2,1", "lognormal:inf,1", "normal:1,1",
    ],
)  # fmt: skip
def test_latency_that_cannot_be_read(text):
    with pytest.raises(WrongUse, match=r"--latency"):
        parse_latency(text)


def test_latency_follows_its_distribution_and_the_request():
    uniform = [Latency("uniform", 1.0, 3.0).seconds(0, request) for request in NUMBERS]
    assert 1 <= min(uniform) < 1.05
    assert 2.95 < max(uniform) < 3
    lognormal = [Latency("lognormal", 0.8, 0.5).seconds(0, request) for request in NUMBERS]
    assert statistics.median(lognormal) == pytest.approx(0.8, rel=0.1)
    assert statistics.mean(lognormal) == pytest.approx(0.8 * 2.718281828 ** (0.5**2 / 2), rel=0.1)
    assert Latency("uniform", 1, 3).seconds(0, "a") == Latency("uniform", 1, 3).seconds(0, "a")
    assert Latency("uniform", 1, 3).seconds(0, "a") != Latency("uniform", 1, 3).seconds(1, "a")
    assert Latency("fixed", 0.25).seconds(5, "a") == 0.25


def test_the_reply_carries_its_latency():
    ticket = Hand(FakeServerSettings(latency=Latency("fixed", 1.5))).send()
    assert ticket.reply.delay_s == 1.5
    slow = Hand(FakeServerSettings(latency=Latency("fixed", 1.5))).send(x_fault="slow:2")
    assert slow.reply.delay_s == 3.5


def test_a_window():
    window = Window(limit=2, period_s=10.0)
    assert window.wait_s(100.0) is None
    window.take(100.0)
    window.take(101.0)
    assert window.wait_s(104.0) == 6.0
    assert window.left == 0
    assert window.wait_s(110.0) is None
    window.take(115.0, 5)
    assert window.wait_s(116.0) == 9.0


def test_an_empty_window_takes_what_is_larger_than_itself():
    window = Window(limit=10, period_s=60.0)
    assert window.wait_s(0.0, 25) is None
    window.take(0.0, 25)
    assert window.wait_s(1.0, 1) == 59.0


def test_faults_are_read():
    spec = parse_fault("rate_limit:2.5*3=0.25")
    assert (spec.kind.name, spec.argument, spec.first, spec.rate) == ("rate_limit", 2.5, 3, 0.25)
    window = parse_fault("rate_limit_window:20/1.5")
    assert (window.argument, window.window_s) == (20, 1.5)
    assert parse_fault("slow").argument == FAULTS["slow"].default


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("rate_limt", "did you mean rate_limit", id="near miss"),
        pytest.param("", "There are: rate_limit_window", id="empty"),
        pytest.param("quota=2", "from 0 to 1", id="rate above one"),
        pytest.param("quota=often", "must be a number", id="rate is a word"),
        pytest.param("quota=nan", "must be a number", id="rate is not a number"),
        pytest.param("quota:3", "takes no argument", id="argument"),
        pytest.param("slow:1/2", "must be a number", id="window of another fault"),
        pytest.param("slow:x", "NAME", id="argument is a word"),
        pytest.param("length*2", "decides about the request", id="attempts of a request fault"),
        pytest.param("rate_limit_window:5", "must be a number", id="window without seconds"),
        pytest.param("rate_limit_window:1.5/2", "whole number", id="half a request"),
    ],
)
def test_faults_that_cannot_be_read(text, said):
    with pytest.raises(WrongUse, match=said):
        parse_fault(text)


def _struck(fault, *, seed=0, count=600, attempts=1):
    """For each of so many requests, at which of its attempts it met the fault."""
    hand = Hand(FakeServerSettings(seed=seed, faults=(parse_fault(fault),)))
    struck = []
    for n in range(count):
        for attempt in range(1, attempts + 1):
            ticket = hand.begin(chat_body(f"Number {n}."))
            hand.rehearsal.end(ticket, delivered=False)
            struck.append((n, attempt, ticket.fault is not None))
    return struck


def test_a_rate_is_kept_and_repeats_with_the_seed():
    first = _struck("server_error=0.2")
    assert 0.15 < statistics.mean(hit for *_, hit in first) < 0.25
    assert first == _struck("server_error=0.2")
    assert first != _struck("server_error=0.2", seed=1)
    assert not any(hit for *_, hit in _struck("server_error=0", count=50))


def test_faults_that_pass_are_drawn_anew_and_the_others_are_not():
    passing = _struck("server_error=0.5", count=60, attempts=4)
    deciding = _struck("length=0.5", count=60, attempts=4)

    def outcomes(struck, n):
        return {hit for number, _, hit in struck if number == n}

    assert any(len(outcomes(passing, n)) == 2 for n in range(60))
    assert all(len(outcomes(deciding, n)) == 1 for n in range(60))
    assert {hit for *_, hit in deciding} == {True, False}


def test_which_deciding_fault_a_request_meets_does_not_depend_on_the_attempts():
    settings = FakeServerSettings(
        faults=tuple(map(parse_fault, ("length=0.5", "server_error=0.5", "refusal=0.5")))
    )
    hand, other = Hand(settings), Hand(settings)
    for n in range(50):
        body = chat_body(f"Number {n}.")
        hand.rehearsal.end(hand.begin(body), delivered=False)
        finals = []
        for each in (hand, other):
            ticket = each.send(body)
            while ticket.reply.status != 200:
                ticket = each.send(body)
            finals.append((ticket.fault, ticket.reply.body))
        assert finals[0] == finals[1]


def test_a_schedule_counts_requests():
    lines = (
        b'{"fault": "overloaded:3", "from": 2, "to": 3}\n\n'
        b'{"fault": "quota", "from": 3}\n{"fault": "server_error*1", "to": 1}\n'
    )
    hand = Hand(FakeServerSettings(schedule=read_schedule(lines, "plan.jsonl")))
    assert [hand.send().fault for _ in range(5)] == [
        "server_error", "overloaded", "overloaded", "quota", "quota",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param(b"{", "plan:2: not JSON", id="json"),
        pytest.param(b"\xff", "plan:2: not JSON in UTF-8", id="utf-8"),
        pytest.param(b"[]", "plan:2: ", id="a list"),
        pytest.param(b'{"fault": "qota"}', "plan:2: there is no fault 'qota'", id="name"),
        pytest.param(b'{"fault": "quota", "form": 1}', "plan:2: form", id="key"),
        pytest.param(b'{"fault": "quota", "from": 0}', "plan:2: from", id="zero"),
        pytest.param(b'{"fault": "quota", "from": 3, "to": 2}', "smaller than from", id="order"),
        pytest.param(b'{"fault": "length", "from": 3}', "give it a rate", id="decides"),
        pytest.param(b'{"from": 3}', "plan:2: fault", id="no fault"),
    ],
)
def test_schedules_that_cannot_be_read(line, said):
    with pytest.raises(WrongUse, match=said):
        read_schedule(b'{"fault": "quota"}\n' + line, "plan")
