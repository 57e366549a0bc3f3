"""Too many connections for this process are named before the run."""

from __future__ import annotations

import pytest

from generator.calling.open_files import enough_open_files, ensure_open_files
from generator.errors import WrongUse


@pytest.mark.parametrize(
    ("concurrency", "soft", "hard", "raised_to"),
    [
        (8, 1024, 4096, None),
        (984, 1024, 4096, None),
        (985, 1024, 4096, 1025),
        (4056, 1024, 4096, 4096),
        (5000, 1024, None, 5040),
        (5000, None, None, None),
    ],
)
def test_the_limit_is_raised_only_as_far_as_needed(
    concurrency: int, soft: int | None, hard: int | None, raised_to: int | None
) -> None:
    assert enough_open_files(concurrency, soft=soft, hard=hard) == raised_to


def test_more_than_the_hard_limit_is_wrong_use_that_says_what_to_do() -> None:
    with pytest.raises(WrongUse) as wrong:
        enough_open_files(4057, soft=1024, hard=4096)
    assert str(wrong.value) == (
        "--concurrency 4057 needs 4097 open files, and this process may have 4096: "
        "lower --concurrency, or raise the limit (ulimit -n)"
    )


def test_a_usual_concurrency_is_fine_here() -> None:
    ensure_open_files(8)
