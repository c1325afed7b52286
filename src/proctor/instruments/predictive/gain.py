"""The study: how much better success is predicted once a score is added to what is known without it.

Rows of one cluster (an issue, a customer, a day) are not independent, so folds are made of whole clusters and intervals
resample clusters. Where records come from several models, the gain within models is the primary one: telling models
apart is not what the score is for. A score shuffled within models must gain nothing, and that is computed beside.
A baseline out of fold can rank worse than chance, and rising from there to chance predicts nothing: so the ranking with
the score has to be better than chance as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.instruments.predictive.design import Design, categories, usable_records
from proctor.instruments.predictive.folds import Floats, Folds, coefficient
from proctor.instruments.predictive.records import Records
from proctor.stats.auc import auc
from proctor.stats.bootstrap import BootstrapEstimate
from proctor.stats.bootstrap_auc import bootstrap_delta_auc
from proctor.stats.estimate import Estimate

MIN_GAIN = 0.03
"""The gain in AUC that counts as one."""


class Criterion(msgspec.Struct, frozen=True):
    """One declared condition of the gate."""

    name: str
    limit: str
    value: float | None
    met: bool | None
    """None: could not be measured."""


class Part(msgspec.Struct, frozen=True):
    """The gain with one value of a column left out, or within it alone."""

    column: str
    value: str
    kind: Literal["without", "within"]
    gain: float | None
    n: int
    reason: str | None = None


class Study(msgspec.Struct, frozen=True):
    """Everything the study found."""

    design: Design
    n: int
    missing: int
    """Records in which something was missing: left out, never filled in."""
    positives: int
    clusters: int
    baseline: Estimate
    augmented: Estimate
    gain: BootstrapEstimate
    gain_within: BootstrapEstimate | None
    """Averaged over the values of `within`: primary where it is there."""
    over_chance: BootstrapEstimate
    """AUC with the score less one half, ranked as the primary gain is."""
    coefficient: float
    """Standardised, in the model on all records."""
    null: tuple[float, ...]
    """Gains of the score shuffled within `within`, one a shuffle."""
    parts: tuple[Part, ...]
    single: dict[str, Estimate]
    """AUC of each predictor alone, out of fold."""
    criteria: tuple[Criterion, ...]
    labels: tuple[int, ...]
    cluster_of: tuple[str, ...]
    before: tuple[float, ...]
    """Out-of-fold probabilities of the baseline."""
    after: tuple[float, ...]
    categories: dict[str, int] = {}
    """The predictors that were read as categories, and how many each has; all others are numbers."""

    @property
    def primary(self) -> BootstrapEstimate:
        """The gain the gate looks at."""
        return self.gain_within or self.gain

    @property
    def null_interval(self) -> tuple[float, float] | None:
        """The middle 95 % of the shuffled gains; None where too few were made."""
        if len(self.null) < 20:
            return None
        low, high = np.quantile(self.null, [0.025, 0.975])
        return float(low), float(high)

    @property
    def passed(self) -> bool:
        """Whether every criterion is met."""
        return all(criterion.met for criterion in self.criteria)


def study(table: Records, design: Design) -> Study:
    """Carry the study out. Bad input is refused in one sentence."""
    records = usable_records(table, design)
    folds = Folds(records, design.outcome, design.cluster, design.folds)
    before = folds.probabilities(records, design.baseline)
    after = folds.probabilities(records, design.predictors)
    gain = _gain(records, design, folds.labels, after, before)
    within = None if design.within is None else _gain(records, design, folds.labels, after, before, within=True)
    slope = coefficient(records, design.predictors, design.outcome, design.added)
    primary = within or gain
    chance = np.zeros_like(before)
    over_chance = _gain(records, design, folds.labels, after, chance, within=within is not None)
    return Study(
        design=design,
        n=records.count,
        missing=table.count - records.count,
        positives=int(folds.labels.sum()),
        clusters=len(set(map(str, records[design.cluster]))),
        baseline=auc(folds.labels, before),
        augmented=auc(folds.labels, after),
        gain=gain,
        gain_within=within,
        over_chance=over_chance,
        coefficient=slope,
        null=() if primary.estimate is None else _null(records, design, folds, before),
        parts=_parts(records, design, folds.labels, before, after),
        single={name: auc(folds.labels, folds.probabilities(records, (name,))) for name in design.predictors},
        criteria=criteria(primary, over_chance, slope),
        labels=tuple(int(label) for label in folds.labels),
        cluster_of=tuple(str(value) for value in records[design.cluster]),
        before=tuple(map(float, before)),
        after=tuple(map(float, after)),
        categories=categories(records, design),
    )


def criteria(gain: BootstrapEstimate, over_chance: BootstrapEstimate, slope: float) -> tuple[Criterion, ...]:
    """The declared gate: a gain of at least 0.03, its lower bound, that over chance and the coefficient above 0."""
    value = gain.estimate
    return (
        Criterion("gain in AUC", f"at least {MIN_GAIN}", value, None if value is None else value >= MIN_GAIN),
        _above_zero("lower bound of the gain", gain.low),
        _above_zero("coefficient of the score", slope),
        _above_zero("lower bound of the AUC with the score, less one half", over_chance.low),
    )


def _above_zero(name: str, value: float | None) -> Criterion:
    return Criterion(name, "above 0", value, None if value is None else value > 0.0)


def shuffled(column: Sequence[Any], apart: Sequence[Any], stream: Stream) -> list[Any]:
    """The values of a column, dealt anew among the rows that share a value of `apart`."""
    out = list(column)
    for value in dict.fromkeys(apart):
        rows = [row for row, own in enumerate(apart) if own == value]
        values = [column[row] for row in rows]
        stream.child(str(value)).shuffle(values)
        for row, dealt in zip(rows, values, strict=True):
            out[row] = dealt
    return out


def _apart(design: Design) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*([design.within] if design.within else []), *design.leave_out)))


def _gain(
    records: Records, design: Design, labels: Floats, after: Floats, before: Floats, *, within: bool = False
) -> BootstrapEstimate:
    strata = [str(value) for value in records[design.within]] if within and design.within else None
    gain = bootstrap_delta_auc(
        labels.tolist(),
        after.tolist(),
        before.tolist(),
        [str(value) for value in records[design.cluster]],
        strata=strata,
        draws=design.draws,
        rng=Stream.keyed("predictive", design.seed, "bootstrap").numpy(),
    )
    if gain.estimate is not None or strata is None:
        return gain
    alone = [
        value
        for value in dict.fromkeys(strata)
        if len({label for label, own in zip(labels, strata, strict=True) if own == value}) < 2
    ]
    reason = f"{', '.join(alone)}: one class only, so there is no pair to rank within every {design.within}"
    return msgspec.structs.replace(gain, reason=reason)


def _point(records: Records, design: Design, labels: Floats, after: Floats, before: Floats) -> float | None:
    """The gain alone, within strata where there are any."""
    strata = [str(value) for value in records[design.within]] if design.within else ["all"] * records.count
    gains = []
    for value in dict.fromkeys(strata):
        rows = [row for row, own in enumerate(strata) if own == value]
        one, two = auc(labels[rows].tolist(), after[rows].tolist()), auc(labels[rows].tolist(), before[rows].tolist())
        if one.estimate is not None and two.estimate is not None:
            gains.append(one.estimate - two.estimate)
    return float(np.mean(gains)) if gains else None


def _null(records: Records, design: Design, folds: Folds, before: Floats) -> tuple[float, ...]:
    apart = records[design.within] if design.within else ["all"] * records.count
    gains = []
    for number in range(design.shuffles):
        stream = Stream.keyed("predictive", design.seed, "shuffle", number)
        dealt = records.replaced(design.added, shuffled(records[design.added], apart, stream))
        after = folds.probabilities(dealt, design.predictors)
        gain = _point(records, design, folds.labels, after, before)
        if gain is not None:
            gains.append(gain)
    return tuple(gains)


def _parts(records: Records, design: Design, labels: Floats, before: Floats, after: Floats) -> tuple[Part, ...]:
    parts: list[Part] = []
    for column in dict.fromkeys((*design.leave_out, *([design.within] if design.within else []))):
        values = [str(value) for value in records[column]]
        for value in sorted(set(values)):
            inside = [row for row, own in enumerate(values) if own == value]
            parts.append(_without(records, design, column, value, values))
            parts.append(_inside(records, design, column, value, inside, labels, before, after))
    return tuple(parts)


def _without(records: Records, design: Design, column: str, value: str, values: Sequence[str]) -> Part:
    """Everything done again without the records of one value."""
    rest = records.take([row for row, own in enumerate(values) if own != value])
    try:
        folds = Folds(rest, design.outcome, design.cluster, design.folds)
    except InputError as error:
        return Part(column, value, "without", None, rest.count, str(error))
    before = folds.probabilities(rest, design.baseline)
    after = folds.probabilities(rest, design.predictors)
    return Part(column, value, "without", _point(rest, design, folds.labels, after, before), rest.count)


def _inside(
    records: Records,
    design: Design,
    column: str,
    value: str,
    rows: list[int],
    labels: Floats,
    before: Floats,
    after: Floats,
) -> Part:
    """The records of one value alone; one class there means that there is no pair to rank."""
    gain = _point(records.take(rows), design, labels[rows], after[rows], before[rows])
    reason = None if gain is not None else "one class only: no pair to rank"
    return Part(column, value, "within", gain, len(rows), reason)
