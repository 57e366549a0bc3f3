"""Waits by response headers, as pure functions of headers and clock."""

import pytest

from generator.backends.waits import asked_wait_s, retry_after_s

NOW = 1_750_000_000.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Sun, 15 Jun 2025 15:07:40 GMT", 60.0),
        ("Sunday, 15-Jun-25 15:07:40 GMT", 60.0),
        ("Sun Jun 15 15:07:40 2025", 60.0),
        ("Sun, 15 Jun 2025 17:07:40 +0200", 60.0),
        ("Sun, 99 Jun 2025 15:07:40 GMT", None),
        ("-5", 0.0),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
        ("", None),
        ("  12 ", 12.0),
        ("30s", 30.0),
        ("1m30s", 90.0),
        ("5, 7", 7.0),
        ("Sun, 15 Jun 2025 15:07:40 GMT, Sun, 15 Jun 2025 15:07:40 GMT", 60.0),
        ("2025-06-15T15:07:40Z", 60.0),
        ("1750000060", 60.0),
        ("1750000060000", 60.0),
        ("1700000000", 0.0),
        ("99999999999", None),
        ("1e300", None),
        ("Sun, 15 Jun 2042 15:07:40 GMT", None),
    ],
)
def test_retry_after_forms(value, expected):
    assert asked_wait_s({"retry-after": value}, NOW) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param({"x-ratelimit-reset-requests": "120ms"}, 0.12, id="milliseconds"),
        pytest.param({"x-ratelimit-reset-requests": "1h2m3.5s"}, 3723.5, id="span"),
        pytest.param({"x-ratelimit-reset-tokens": "17"}, 17.0, id="plain seconds"),
        pytest.param({"x-ratelimit-reset-tokens": "later"}, None, id="nonsense"),
        pytest.param({"x-ratelimit-reset-tokens": "5 bananas 3s"}, None, id="half nonsense"),
        pytest.param(
            {"x-ratelimit-reset-requests": "24h", "x-ratelimit-reset-tokens": "2s"},
            2.0,
            id="the earlier when neither is known to be used up",
        ),
        pytest.param(
            {
                "x-ratelimit-reset-requests": "24h",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-tokens": "2s",
                "x-ratelimit-remaining-tokens": "900",
            },
            86400.0,
            id="the one used up",
        ),
        pytest.param(
            {"x-ratelimit-reset-tokens": "2s", "retry-after": "9"}, 9.0, id="retry-after first"
        ),
        pytest.param({"x-ratelimit-reset": "30"}, 30.0, id="Envoy"),
        pytest.param({"ratelimit-reset": "30", "ratelimit-remaining": "0"}, 30.0, id="Kong"),
        pytest.param(
            {"x-ratelimit-reset": "1750000060000", "x-ratelimit-remaining": "0"},
            60.0,
            id="OpenRouter: a moment in milliseconds",
        ),
        pytest.param(
            {
                "x-ratelimit-reset-requests-day": "40000",
                "x-ratelimit-remaining-requests-day": "77",
                "x-ratelimit-reset-tokens-minute": "12.5",
                "x-ratelimit-remaining-tokens-minute": "0",
            },
            12.5,
            id="Cerebras: by day and minute",
        ),
    ],
)
def test_reset_headers(headers, expected):
    assert retry_after_s(headers, NOW) == expected
