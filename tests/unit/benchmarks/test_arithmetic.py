"""Rates by difference, limits and the table."""

import pytest
from benchmarks.figure import Figure, missing
from benchmarks.rate import Pair, Timed, middle, spread
from benchmarks.report import document, markdown

FACTS = {
    "proctor": "0.1.0",
    "inspect_ai": None,
    "python": "3.11.7",
    "machine": "2 × x",
    "load_before": [0.1, 0.2, 0.3],
    "sizes": "quick",
}


def test_what_is_paid_once_cancels() -> None:
    pair = Pair(Timed(1_000, 2.5, 3.0), Timed(5_000, 4.5, 7.0))
    assert pair.rate == pytest.approx(2_000)
    assert pair.paid_once == pytest.approx(2.0)
    assert pair.cpu_each == pytest.approx(0.001)


def test_noise_larger_than_the_difference_gives_no_rate() -> None:
    pair = Pair(Timed(1_000, 2.5, 3.0), Timed(5_000, 2.4, 7.0))
    assert pair.rate is None
    assert pair.paid_once is None
    assert middle([None, 3.0, 1.0, 2.0]) == 2.0
    assert middle([None]) is None
    assert spread([None, 120.0, 100.0]) == "median of 2 rounds, 100 to 120, 1 lost in noise"


@pytest.mark.parametrize(
    ("figure", "met", "margin"),
    [
        (Figure("s", "n", 0.05, "s", 0.10), True, 2.0),
        (Figure("s", "n", 0.20, "s", 0.10), False, 0.5),
        (Figure("s", "n", 600.0, "×", 300.0, "more"), True, 2.0),
        (Figure("s", "n", 150.0, "×", 300.0, "more"), False, 0.5),
        (Figure("s", "n", 150.0, "×"), None, None),
        (missing("s", "n", "×", "why", limit=300.0, better="more"), None, None),
    ],
)
def test_limits(figure: Figure, met: bool | None, margin: float | None) -> None:
    assert figure.met is met
    assert figure.margin == (None if margin is None else pytest.approx(margin))


def test_the_table_names_what_is_short_and_what_is_missing() -> None:
    figures = [
        Figure("start-up", "import", 0.2, "s", 0.1, note="median of 5"),
        Figure("start-up", "help", 0.05, "s", 0.1),
        missing("episodes", "times Inspect", "×", "not installed", limit=300, better="more"),
    ]
    text = markdown(FACTS, figures)
    assert "## Start-up" in text
    assert "| import |  0.200 s | ≤ 0.1 s |   0.50 | short | median of 5 |" in text
    assert text.endswith("1 of 3 limits kept; short: import; not measured: times Inspect.")
    assert "an indication only" in text
    written = document(FACTS, figures)
    assert [figure["met"] for figure in written["figures"]] == [False, True, None]
