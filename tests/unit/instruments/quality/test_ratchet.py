"""The baseline rises when better twice, from the confirming run on, and never falls."""

from __future__ import annotations

from msgspec.structs import replace
from tests.unit.instruments.quality.made import accepted, kept

from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.instruments.quality.ratchet import Ratcheted, ratchet
from proctor.instruments.quality.rules import QualityRules

RULES = QualityRules()
AT = "2026-02-01T00:00:00Z"
BASE = accepted(*(kept(f"run-{n}", da=0.90 + 0.005 * (n % 3)) for n in range(6)))


def step(baseline: Baseline, run: RunSummary, confirming: RunSummary | None = None) -> Ratcheted:
    return ratchet(baseline, run, confirming, RULES, at=AT)


def test_an_ordinary_or_worse_run_changes_nothing() -> None:
    for rate in (0.80, 0.905, 0.91):
        found = step(BASE, kept("new", da=rate))
        assert (found.step, found.baseline) == ("unchanged", BASE)


def test_better_once_is_not_enough() -> None:
    assert "confirming run is needed" in step(BASE, kept("new", da=0.98)).reason
    found = step(BASE, kept("new", da=0.98), kept("again", da=0.91))
    assert (found.step, found.baseline) == ("unchanged", BASE)


def test_better_twice_starts_from_the_confirming_side_and_takes_every_run_after() -> None:
    found = step(BASE, kept("lucky", da=0.99), kept("again", da=0.97))
    assert found.step == "rising"
    assert [run.run for run in found.baseline.rising] == ["again"]
    assert found.baseline.runs == BASE.runs
    for number in range(5):
        # Ordinary runs join as they come: choosing the good ones would collect luck.
        found = step(found.baseline, kept(f"later-{number}", da=0.96 + 0.002 * (number % 3)))
    assert found.step == "raised"
    assert [run.run for run in found.baseline.runs] == ["again", *(f"later-{n}" for n in range(5))]
    assert (found.baseline.rising, found.baseline.accepted_at) == ((), AT)
    assert found.baseline.anchor == BASE.anchor


def test_a_rise_that_does_not_hold_is_given_up() -> None:
    rising = step(BASE, kept("lucky", da=0.99), kept("again", da=0.97)).baseline
    found = step(rising, kept("bad", da=0.7))
    assert (found.step, found.baseline) == ("given up", BASE)
    now = rising
    for number in range(5):
        last = step(now, kept(f"later-{number}", da=0.90 + 0.005 * (number % 3)))
        now = last.baseline
    assert (last.step, last.baseline) == ("given up", BASE)


def test_a_run_with_harm_or_half_a_run_moves_nothing() -> None:
    for bad in (replace(kept("bad", da=0.99), s1=1), replace(kept("bad", da=0.99), complete=False)):
        assert step(BASE, bad, kept("again", da=0.99)).step == "unchanged"
        assert step(BASE, kept("good", da=0.99), bad).step == "unchanged"
