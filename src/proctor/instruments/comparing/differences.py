"""By how much two runs differ, with an interval and a test, on matched units or on two separate samples.

Every difference is second minus first. On matched units, signs are flipped per lifetime: if nothing differs between
the runs, each lifetime is as likely to have gone one way as the other, whatever its tasks share. Where lifetimes have
one unit each this is McNemar's exact test. On separate samples it is Fisher's exact test.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from proctor.instruments.comparing.units import ComparedUnit
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_difference
from proctor.stats.differences import newcombe, newcombe_paired
from proctor.stats.estimate import Estimate, Significance
from proctor.stats.paired import holm, mcnemar, sign_flip
from proctor.stats.separate import fisher

ALPHA = 0.05
_DRAWS = 10_000
_FEW_CLUSTERS = 10
"""Below so many clusters a percentile interval is too short: it is not shown."""

Pairs = Sequence[tuple[ComparedUnit, ComparedUnit]]
Units = Sequence[ComparedUnit]


class Difference(Struct, frozen=True):
    """What differs between two runs on one set of units."""

    name: str
    """What the units are: `all`, a dimension, a family."""
    paired: bool
    first_successes: int
    first_n: int
    second_successes: int
    second_n: int
    excluded: int
    """Units left out because they could not be scored in one of the runs."""
    lost: int
    """Units that succeeded in the first run and not in the second; 0 on separate samples."""
    gained: int
    difference: Estimate
    test: Significance
    clustered: BootstrapEstimate | None
    """The same difference with families and templates resampled; None where they are too few to say anything."""
    worst: float | None
    best: float | None
    """The difference if every excluded unit had gone against the second run, or in its favour."""
    adjusted_p: float | None = None
    """Holm's, among the differences it stands with; None for the primary one, and where there is no test."""
    verdict: str = ""
    """`better`, `worse` or `no difference found`, of the second run; `not tested` where nothing can be said, `not
    decided` where what could not be scored would turn it: or an agent could win by having its failures excluded."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "verdict", self._judged())

    @property
    def p(self) -> float | None:
        """The p value that decides."""
        return self.test.p_value if self.adjusted_p is None else self.adjusted_p

    def _judged(self) -> str:
        p, estimate = self.p, self.difference.estimate
        if p is None or estimate is None:
            return "not tested"
        if p > ALPHA or estimate == 0:
            return "no difference found"
        turned = self.worst if estimate > 0 else self.best
        if self.excluded and turned is not None and turned * estimate <= 0:
            return "not decided"
        return "better" if estimate > 0 else "worse"


def paired_difference(name: str, pairs: Pairs, *, confidence: float, key: str) -> Difference:
    """On matched units; `key` makes the draws of the bootstrap and of the test reproducible."""
    scored = [(one, two) for one, two in pairs if one.success is not None and two.success is not None]
    both = sum(1 for one, two in scored if one.success and two.success)
    lost = sum(1 for one, two in scored if one.success and not two.success)
    gained = sum(1 for one, two in scored if two.success and not one.success)
    excluded = len(pairs) - len(scored)
    return Difference(
        name=name,
        paired=True,
        first_successes=both + lost,
        first_n=len(scored),
        second_successes=both + gained,
        second_n=len(scored),
        excluded=excluded,
        lost=lost,
        gained=gained,
        difference=newcombe_paired(
            both, gained, lost, len(scored) - both - lost - gained, confidence=confidence, missing=excluded
        ),
        test=_paired_test(scored, lost, gained, excluded, key),
        clustered=_clustered(scored, confidence, key),
        worst=_shifted(gained - lost, pairs, against=True),
        best=_shifted(gained - lost, pairs, against=False),
    )


def unpaired_difference(name: str, first: Units, second: Units, *, confidence: float) -> Difference:
    """On two separate samples."""
    ones = [unit for unit in first if unit.success is not None]
    twos = [unit for unit in second if unit.success is not None]
    k1, k2 = sum(bool(unit.success) for unit in ones), sum(bool(unit.success) for unit in twos)
    excluded = len(first) + len(second) - len(ones) - len(twos)
    worst = best = None
    if first and second:
        worst = k2 / len(second) - (k1 + len(first) - len(ones)) / len(first)
        best = (k2 + len(second) - len(twos)) / len(second) - k1 / len(first)
    return Difference(
        name=name,
        paired=False,
        first_successes=k1,
        first_n=len(ones),
        second_successes=k2,
        second_n=len(twos),
        excluded=excluded,
        lost=0,
        gained=0,
        difference=newcombe(k2, len(twos), k1, len(ones), confidence=confidence, missing=excluded),
        test=fisher(k2, len(twos), k1, len(ones), missing=excluded),
        clustered=None,
        worst=worst,
        best=best,
    )


def _paired_test(scored: Pairs, lost: int, gained: int, missing: int, key: str) -> Significance:
    sums: dict[int, int] = {}
    for one, two in scored:
        sums[one.lifetime] = sums.get(one.lifetime, 0) + int(bool(two.success)) - int(bool(one.success))
    if len(sums) == len(scored):
        return mcnemar(gained, lost, missing=missing)
    # A lifetime whose sum is 0 stays 0 however its sign is flipped.
    moved = [value for value in sums.values() if value]
    if not moved:
        return mcnemar(0, 0, missing=missing)
    return sign_flip([float(value) for value in moved], draws=_DRAWS, rng=_generator(key, "signs"))


def _clustered(scored: Pairs, confidence: float, key: str) -> BootstrapEstimate | None:
    labels = [f"{one.key.family}/{one.template}" for one, _ in scored]
    if len(set(labels)) < _FEW_CLUSTERS:
        return None
    return bootstrap_difference(
        [float(bool(two.success)) for _, two in scored],
        [float(bool(one.success)) for one, _ in scored],
        labels,
        draws=_DRAWS,
        rng=_generator(key, "clusters"),
        confidence=confidence,
    )


def _shifted(moved: int, pairs: Pairs, *, against: bool) -> float | None:
    """The difference with every excluded unit taken as gone against the second run, or in its favour."""
    if not pairs:
        return None
    for one, two in pairs:
        if one.success is None or two.success is None:
            first = int(one.success if one.success is not None else against)
            second = int(two.success if two.success is not None else not against)
            moved += second - first
    return moved / len(pairs)


def _generator(key: str, purpose: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(sha256(f"{key}/{purpose}".encode()).digest()[:8], "big"))


def adjusted(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """The same with Holm's adjusted p values among them."""
    values = holm([one.test.p_value for one in differences])
    return tuple(replace(one, adjusted_p=p) for one, p in zip(differences, values, strict=True))
