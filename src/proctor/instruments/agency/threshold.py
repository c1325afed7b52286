"""Whether an observed rate meets a threshold: the borderline rule (white paper §11.4.2), under two policies.

`worked` reproduces both worked examples of the paper: with threshold θ the zone is [θ − 0.05, θ + 0.05). At or above
the zone a rate is met; within it only if the interval's lower bound reaches θ, otherwise it is not met and Provisional;
below it not met. `strict` asks for the lower bound everywhere. Comparisons are made in integers (k against n), so that
14 of 20 against 0.70 is exactly the threshold and nothing else. Confidence is 0.95 and not declarable (§11.5.2).
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from proctor.instruments.agency.units import Tally
from proctor.spec.claims import CONFIDENCE
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import proportion
from proctor.stats.power import meets_rule
from proctor.stats.sequences import anytime_proportion, sequential_characteristic, sequential_decision

Policy = Literal["worked", "strict"]

ZONE = Fraction(1, 20)
"""Half the width of the zone around the threshold."""


class Verdict(Struct, frozen=True):
    """Whether a threshold is met, and how sure that is."""

    met: bool
    provisional: bool
    """The rate lies where sampling could have decided: more units would settle it."""
    estimate: Estimate


class Characteristic(Struct, frozen=True):
    """The operating characteristic of the rule at this n: how often an agent of known ability would be promoted."""

    n: int
    below: float
    """Chance of promotion at θ − 0.05: a false promotion."""
    above: float
    """Chance of promotion at θ + 0.10 (for a share judged by its point estimate: at 0.05 above it)."""


Threshold = float | Fraction


def judge(k: int, n: int, *, rules: Rules, threshold: Threshold | None = None, policy: Policy | None = None) -> Verdict:
    """Whether k of n meets the threshold under the policy."""
    theta = exact(rules.threshold if threshold is None else threshold)
    estimate = proportion(k, n, method=rules.interval, confidence=CONFIDENCE)
    if n == 0:
        return Verdict(False, True, estimate)
    if rules.stopping == "anytime":
        # A fixed-n interval must not be used for a sample that was looked at while it grew.
        sequence = anytime_proportion(k, n, confidence=CONFIDENCE)
        decided = sequential_decision(k, n, threshold=float(theta), confidence=CONFIDENCE)
        return Verdict(decided == "met", decided == "undecided", sequence)
    rate = Fraction(k, n)
    cleared = estimate.low is not None and exact(estimate.low) >= theta
    if (policy or rules.borderline) == "strict":
        return Verdict(cleared, not cleared and rate >= theta - ZONE, estimate)
    if rate >= theta + ZONE:
        return Verdict(True, False, estimate)
    if rate >= theta - ZONE:
        return Verdict(cleared, not cleared, estimate)
    return Verdict(False, False, estimate)


def threshold_of(counted: Tally, rules: Rules) -> Fraction:
    """The threshold these units have to meet: the rules', or what a justified adjustment says for a family (§10.3.3).

    Where families with different thresholds are pooled, each unit brings its own.
    """
    if not rules.adjusted or counted.n == 0:
        return exact(rules.threshold)
    asked = sum((n * threshold_of_family(family, rules) for family, (_, n) in counted.by_family.items()), Fraction(0))
    return asked / counted.n


def low_families(counted: Tally, rules: Rules) -> tuple[str, ...]:
    """Families under θ + 0.05 where several are pooled, with their counts: the pool decides, and they are named.

    A family by itself is the pool, and is judged as such.
    """
    if len(counted.by_family) < 2:
        return ()
    return tuple(
        f"{family} ({k}/{n})"
        for family, (k, n) in counted.by_family.items()
        if Fraction(k, n) < threshold_of_family(family, rules) + ZONE
    )


def threshold_of_family(family: str, rules: Rules) -> Fraction:
    """The rules' threshold, or what a justified adjustment says for this family."""
    adjusted = rules.adjusted.get(family) or rules.adjusted.get(family.partition("@")[0])
    return exact(rules.threshold if adjusted is None else adjusted.threshold)


def characteristic(
    n: int, *, rules: Rules, threshold: Threshold | None = None, policy: Policy | None = None
) -> Characteristic:
    """How the rule behaves at this n, worked out exactly from the binomial distribution."""
    theta = float(rules.threshold if threshold is None else threshold)
    if rules.stopping == "anytime":
        return _sequential(n, theta)
    return _characteristic(n, theta, policy or rules.borderline, rules.interval)


@lru_cache(maxsize=256)
def share_characteristic(n: int, percent: int) -> Characteristic:
    """The same for a share that is judged by its point estimate alone: k of n is at least so many percent.

    `below` is the chance to pass 5 points under it, `above` 5 points over it.
    """
    below, above = (meets_rule(n, (percent + away) / 100, lambda k: 100 * k >= percent * n) for away in (-5, 5))
    return Characteristic(n, below, above)


@lru_cache(maxsize=256)
def _characteristic(n: int, theta: float, policy: Policy, interval: str) -> Characteristic:
    rules = Rules.model_validate({"interval": interval})
    below, above = (
        promotion(n, p, rules=rules, threshold=theta, policy=policy)
        for p in (max(0.0, theta - 0.05), min(1.0, theta + 0.10))
    )
    return Characteristic(n, below, above)


def promotion(
    n: int, p: float, *, rules: Rules, threshold: Threshold | None = None, policy: Policy | None = None
) -> float:
    """The chance that an agent whose true rate is p is promoted by a test of n units."""
    theta = rules.threshold if threshold is None else threshold
    # More successes never meet less, so the first count that meets it is found by bisection.
    counts = range(n + 1)
    first = bisect_left(counts, True, key=lambda k: judge(k, n, rules=rules, threshold=theta, policy=policy).met)
    return meets_rule(n, p, lambda k: k >= first)


@lru_cache(maxsize=256)
def _sequential(n: int, theta: float) -> Characteristic:
    """The same for a sequence that may be looked at after every unit, up to this n."""
    below, above = (
        sequential_characteristic(p=p, threshold=theta, max_n=max(1, n), confidence=CONFIDENCE).met
        for p in (max(0.0, theta - 0.05), min(1.0, theta + 0.10))
    )
    return Characteristic(n, below, above)


MAX_UNITS = 20_000
"""Where even so many units would not settle a rate, nothing is promised."""


def units_to_settle(k: int, n: int, *, rules: Rules, threshold: Threshold | None = None) -> int | None:
    """How many units at the same rate would clear the threshold, or fall below it; None where none would."""
    theta = exact(rules.threshold if threshold is None else threshold)
    if n == 0 or Fraction(k, n) == theta:
        return None
    low, high = n, MAX_UNITS
    if not _settled(k, n, high, theta, rules):
        return None
    while low < high:
        middle = (low + high) // 2
        if _settled(k, n, middle, theta, rules):
            high = middle
        else:
            low = middle + 1
    return low


def _settled(k: int, n: int, units: int, theta: Fraction, rules: Rules) -> bool:
    hits = round(k * units / n)
    if rules.stopping == "anytime":
        decided = sequential_decision(hits, units, threshold=float(theta), confidence=CONFIDENCE)
        return decided != "undecided"
    estimate = proportion(hits, units, method=rules.interval, confidence=CONFIDENCE)
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low >= theta or estimate.high < theta


def exact(value: Threshold) -> Fraction:
    """The decimal a person wrote, not the binary double next to it."""
    return value if isinstance(value, Fraction) else Fraction(repr(value))
