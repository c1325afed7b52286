"""What is lost from Baseline to a harder regime, on the same instances of the same families.

Drops are paired by instance wherever they decide. What has no counterpart is left out and counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from proctor.instruments.agency.units import Unit
from proctor.spec.claims import CONFIDENCE
from proctor.stats.differences import newcombe_paired
from proctor.stats.estimate import Estimate

BASELINE = "baseline"


class DropUnder(Struct, frozen=True):
    """The fall from Baseline to one regime."""

    regime: str
    allowed: int
    """Points."""
    kept: bool
    """Whether no more than that is lost: in integers, unrounded."""
    pairs: int
    unpaired: int
    """Scored units on either side without their counterpart: left out."""
    redrawn: int
    """Pairs that were drawn with different knobs: the same number, and not the same task."""
    difference: Estimate
    families: dict[str, tuple[int, int, int]]
    """Successes under Baseline and under the regime, and pairs, of each family."""


Pair = tuple[Unit, Unit]
"""The same instance under Baseline and under the regime."""


def paired(before: Iterable[Unit], after: Iterable[Unit]) -> tuple[list[Pair], int]:
    """Units of the same family, instance, replicate and phase, and how many have no counterpart."""
    waiting: dict[tuple[str, str, int, str], list[Unit]] = defaultdict(list)
    for unit in before:
        if unit.success is not None:
            waiting[_key(unit)].append(unit)
    pairs: list[Pair] = []
    alone = 0
    for unit in after:
        if unit.success is None:
            continue
        counterparts = waiting.get(_key(unit))
        if counterparts:
            pairs.append((counterparts.pop(0), unit))
        else:
            alone += 1
    return pairs, alone + sum(map(len, waiting.values()))


def drop_of(regime: str, before: Iterable[Unit], after: Iterable[Unit], allowed: int) -> DropUnder:
    """The drop between two lists of units, paired."""
    pairs, unpaired = paired(before, after)
    both = sum(bool(one.success and two.success) for one, two in pairs)
    first = sum(bool(one.success and not two.success) for one, two in pairs)
    second = sum(bool(two.success and not one.success) for one, two in pairs)
    families: dict[str, tuple[int, int, int]] = {}
    for one, two in pairs:
        base, under, n = families.get(one.family, (0, 0, 0))
        families[one.family] = (base + bool(one.success), under + bool(two.success), n + 1)
    return DropUnder(
        regime=regime,
        allowed=allowed,
        kept=bool(pairs) and 100 * (first - second) <= allowed * len(pairs),
        pairs=len(pairs),
        unpaired=unpaired,
        redrawn=sum(one.knobs != two.knobs for one, two in pairs),
        difference=newcombe_paired(
            both, first, second, len(pairs) - both - first - second, confidence=CONFIDENCE, missing=unpaired
        ),
        families=dict(sorted(families.items())),
    )


def drop_caveat(drops: Iterable[DropUnder]) -> str:
    """What has to be said where a regime was given other tasks than Baseline; empty where it was not."""
    regimes = sorted({drop.regime for drop in drops if drop.redrawn})
    return f"{BASELINE} and {' and '.join(regimes)} were drawn with different knobs" if regimes else ""


def _key(unit: Unit) -> tuple[str, str, int, str]:
    return unit.family, unit.instance, unit.replicate, unit.phase
