"""What a contrast over units allows to say. The unit is the dataset (or a cell), never the row.

By default two things decide together: the lower bound of Student's t interval over units, and the exact sign-flip
test. The percentile bootstrap over so few units is too short (86–88 % for seven) and is reported beside them; under
the profile `paper` its bound decides. Zero is not positive. Under six units nothing is said beyond them: the interval
is over events, and the reading says "no generalisation". Under six events nothing is decided: a few that agree have an
interval of no width, and could agree by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_mean
from proctor.stats.differences import UnitContrast, across_units
from proctor.stats.estimate import Estimate, Significance
from proctor.stats.intervals import mean
from proctor.stats.paired import sign_flip, sign_test

MIN_UNITS = 6
"""With five units no exact one-sided test reaches 0.025."""
DRAWS = 10_000
STRATA = (
    "Corpora made by one generator are strata of that generator, not a sample of the world: what holds across them "
    "holds for this generator's events."
)
NO_GENERALISATION = (
    "Fewer than six corpora: the interval is over events within them, and no generalisation to other corpora is made."
)
FAMILY_STRATA = (
    "Families written for this bench are strata of it, not a sample of all tasks: what holds across them holds for "
    "events like theirs."
)
FEW_FAMILIES = "Fewer than six families: no generalisation to other families is made."
ROUNDING = 1e-12
"""Means of decimals that are equal on paper differ by less: such a contrast is zero."""

Decides = Literal[
    "t interval and sign-flip test", "percentile bootstrap", "event-clustered interval", "nothing: too few units"
]


class Inference(Struct, frozen=True, kw_only=True):
    """A contrast over units with everything said about it, and whether it is above zero by the rule that decides."""

    contrast: str
    unit: str
    units: dict[str, float]
    """The units with a value, sorted."""
    missing: int
    """Units without one."""
    across: UnitContrast
    """Mean, t interval, positive units, minimum, leave-one-out minimum mean, mean without the top effect."""
    flip: Significance
    """Exact sign-flip test, one-sided."""
    sign: Significance
    """Exact sign test, one-sided; a unit at zero counts against."""
    sign_two_sided: float | None
    """Doubled, capped at 1."""
    bootstrap: BootstrapEstimate
    events: Estimate | None
    """The event-clustered interval, where units are few."""
    decides: Decides
    bound: float | None
    """The lower bound that decides."""
    above_zero: bool | None
    """None: not decidable."""
    scope: str
    """The sentence that goes with it."""


def infer(
    contrast: str,
    units: Mapping[str, Fraction | float | None],
    *,
    profile: str = "default",
    confidence: float = 0.95,
    unit: str = "dataset",
    events: Sequence[float] | None = None,
    draws: int = DRAWS,
) -> Inference:
    """Everything about one contrast. Draws, where resamples cannot be enumerated, are keyed by its name."""
    labels = sorted(units)
    values = [None if (value := units[label]) is None else _unrounded(float(value)) for label in labels]
    known = {label: value for label, value in zip(labels, values, strict=True) if value is not None}
    across = across_units(values, confidence=confidence)
    rng = Stream.keyed("binding", "inference", contrast, len(known)).numpy()
    flip = sign_flip(values, alternative="greater", exact_up_to=20, rng=rng)
    sign = sign_test(values, alternative="greater", zeros="against")
    bootstrap = bootstrap_mean(values, labels, draws=draws, rng=rng, confidence=confidence)
    clustered = mean(list(events), confidence=confidence) if events else None
    few = len(known) < MIN_UNITS
    decides: Decides = "percentile bootstrap" if profile == "paper" else _DEFAULT
    if few:
        bound = clustered.low if clustered is not None and clustered.n >= MIN_UNITS else None
        above = None if bound is None else bound > 0.0
        decides = "nothing: too few units" if bound is None else "event-clustered interval"
    elif profile == "paper":
        bound = bootstrap.low
        above = None if bound is None else bound > 0.0
    else:
        bound = across.low
        above = None if bound is None else bound > 0.0 and flip.below((1.0 - confidence) / 2.0)
    return Inference(
        contrast=contrast,
        unit=unit,
        units=known,
        missing=len(labels) - len(known),
        across=across,
        flip=flip,
        sign=sign,
        sign_two_sided=None if sign.p_value is None else min(1.0, 2.0 * sign.p_value),
        bootstrap=bootstrap,
        events=clustered,
        decides=decides,
        bound=bound,
        above_zero=above,
        scope=scope_of(len(known), unit=unit),
    )


def scope_of(units: int, *, unit: str = "dataset") -> str:
    """How far a result over so many units reaches."""
    if unit == "family":
        return FEW_FAMILIES if units < MIN_UNITS else FAMILY_STRATA
    return NO_GENERALISATION if units < MIN_UNITS else STRATA


def _unrounded(value: float) -> float:
    return 0.0 if abs(value) < ROUNDING else value


_DEFAULT: Decides = "t interval and sign-flip test"
