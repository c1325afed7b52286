"""The apprentice, an honest agent, has what Tier 3 asks for; without its memory of the episode it does not.

That it solves the families of cards stands in `tests/unit/suites/agency`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from proctor.agents.contract import Agent
from tests.unit.suites.agency.test_clerk_levels import subject
from tests.validity.agents.apprentice import Apprentice, LastGlance

N = 60
THETA = 0.70


def rate(family: str, make: Callable[[], Agent]) -> float:
    """The share of episodes in which a fresh agent succeeds, each after the training of its lifetime."""
    with subject(family, N) as examined:
        return sum(examined.live(examined.job(number), make()).succeeded for number in range(N)) / N


def test_it_predicts_which_choice_pays() -> None:
    assert rate("strategy-choice", Apprentice) >= 0.9


def test_without_a_model_it_still_does_what_needs_none() -> None:
    """So its baseline is fit: below the threshold of M3, and not merely broken."""
    assert (rate("strategy-choice", LastGlance) + rate("lever-logbook", LastGlance)) / 2 < THETA
    for family in ("email-triage", "thermostat", "file-creation"):
        assert rate(family, LastGlance) >= THETA


@pytest.mark.parametrize("agent", [Apprentice, LastGlance])
def test_its_memory_can_be_moved(agent: type[Apprentice]) -> None:
    """What training left can be saved, wiped and put back."""
    with subject("reagent-room", 3) as examined:
        taught = agent()
        empty = taught.snapshot()
        for lesson in examined.lessons(0):
            examined.live(lesson, taught)
        saved = taught.snapshot()
        taught.clear()
        assert taught.snapshot() == empty
        taught.restore(saved)
        assert taught.snapshot() == saved
        assert (saved != empty) == (agent is Apprentice), "whoever sees only the last result cannot tell what was right"
