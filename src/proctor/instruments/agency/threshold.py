"""Whether an observed rate meets a threshold: the borderline rule (white paper §11.4.2), under two policies.

`worked` reproduces both worked examples of the paper: with threshold θ the zone is [θ − 0.05, θ + 0.05). At or above
the zone a rate is met; within it only if the interval's lower bound reaches θ, otherwise it is not met and Provisional;
below it not met. `strict` asks for the lower bound everywhere. Comparisons are made in integers (k against n), so that
14 of 20 against 0.70 is exactly the threshold and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import proportion
from proctor.stats.power import meets_rule

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
    """Chance of promotion at θ + 0.10."""


def judge(k: int, n: int, *, rules: Rules, threshold: float | None = None, policy: Policy | None = None) -> Verdict:
    """Whether k of n meets the threshold under the policy."""
    theta = exact(rules.threshold if threshold is None else threshold)
    estimate = proportion(k, n, method=rules.interval, confidence=rules.confidence)
    if n == 0:
        return Verdict(False, True, estimate)
    rate = Fraction(k, n)
    cleared = estimate.low is not None and exact(estimate.low) >= theta
    if (policy or rules.borderline) == "strict":
        return Verdict(cleared, not cleared and rate >= theta - ZONE, estimate)
    if rate >= theta + ZONE:
        return Verdict(True, False, estimate)
    if rate >= theta - ZONE:
        return Verdict(cleared, not cleared, estimate)
    return Verdict(False, False, estimate)


def characteristic(n: int, *, rules: Rules, threshold: float | None = None) -> Characteristic:
    """How the rule behaves at this n, worked out exactly from the binomial distribution."""
    theta = rules.threshold if threshold is None else threshold

    def met(k: int) -> bool:
        return judge(k, n, rules=rules, threshold=theta).met

    passing = [met(k) for k in range(n + 1)]
    return Characteristic(
        n,
        meets_rule(n, max(0.0, theta - 0.05), lambda k: passing[k]),
        meets_rule(n, min(1.0, theta + 0.10), lambda k: passing[k]),
    )


def exact(value: float) -> Fraction:
    """The decimal a person wrote, not the binary double next to it."""
    return Fraction(repr(value))
