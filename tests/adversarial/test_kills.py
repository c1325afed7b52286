"""Runs that are killed at random moments: one of each signal here, 200 in `make attack`."""

from __future__ import annotations

from tests.adversarial.attackers.kills import attack


def test_nothing_is_obtained_by_killing() -> None:
    tally = attack(3, seed=7)
    assert tally.held, tally.obtained
    assert {"SIGKILL", "SIGTERM", "SIGINT"} <= tally.figures.keys()
