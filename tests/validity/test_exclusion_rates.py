"""How often honest trouble makes a reading Provisional: worked out exactly, for the default rules at n = 100.

A unit is lost with a chance of 1 %, whatever the agent does; the level is that of k/(n + e), and Provisional where k/n
gives another, or more than 5 % are missing. A second try leaves one unit in ten thousand.
"""

from __future__ import annotations

from functools import cache
from math import comb

from proctor.instruments.agency.threshold import judge
from proctor.spec.rules import Rules
from proctor.stats.exclusions import too_many_excluded

N = 100
TROUBLE = 0.01
SKILLS = [step / 200 for step in range(1, 200)]


def chance(k: int, n: int, p: float) -> float:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


@cache
def met(k: int, n: int) -> bool:
    return judge(k, n, rules=Rules()).met


@cache
def turned(n: int, lost: int) -> tuple[int, ...]:
    """The successes at which what is missing could turn the verdict."""
    return tuple(k for k in range(n + 1) if met(k, n) != met(k, n + lost))


def provisional(skill: float, trouble: float) -> float:
    """The share of readings of an agent of this skill."""
    share = 0.0
    for lost in range(15):
        n = N - lost
        weight = chance(lost, N, trouble)
        turning = 1.0 if too_many_excluded(n, lost) else sum(chance(k, n, skill) for k in turned(n, lost))
        share += weight * turning
    return share


def test_one_percent_of_honest_trouble_is_borne() -> None:
    shares = {skill: provisional(skill, TROUBLE) for skill in SKILLS}
    worst = max(shares, key=lambda skill: shares[skill])
    assert 0.7 < worst < 0.8, "it matters at the threshold, and nowhere else"
    assert shares[worst] < 0.035
    assert sum(shares.values()) / len(shares) < 0.005


def test_after_a_second_try_hardly_any_is_left() -> None:
    assert max(provisional(skill, TROUBLE**2) for skill in SKILLS) < 0.001
