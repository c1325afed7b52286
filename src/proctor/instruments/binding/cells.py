"""The cell matrix: scaffolds × families × Conditions × seeds, of one run or of several models together.

A cell is one model, scaffold style and family; its delta is the accuracy of the structured Condition minus that of a
control, over the events both have. Where texts have twins, accuracy is that on a text less that on its twin (B* without
u*). Cells of one model, one scaffold or one family are not independent: bounds resample
each kind of cluster, and the lowest is the one to quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.inference import DRAWS, Inference, infer
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.twins import gains, has_twins
from proctor.instruments.binding.variants import STRUCTURED
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_mean
from proctor.stats.sample import BoolArray, FloatArray, IntArray

KINDS = ("run", "style", "family")
KIND_TITLES = {"run": "model", "style": "scaffold", "family": "family"}


class Cell(Struct, frozen=True, kw_only=True):
    """One control in one cell."""

    model: str
    scaffold: str
    family: str
    control: str
    structured: Share
    compared: Share
    delta: float
    seeds: dict[str, float]
    """The delta seed by seed."""


class ClusterBound(Struct, frozen=True, kw_only=True):
    """The mean delta with one kind of cluster resampled; one cluster of its kind gives no bound."""

    kind: str
    clusters: int
    bootstrap: BootstrapEstimate
    leave_one_out_minimum: float | None
    """The smallest mean after leaving out one cluster."""


class ControlSummary(Struct, frozen=True, kw_only=True):
    """Structured against one control over all cells."""

    control: str
    cells: int
    positive: int
    structured_mean: float
    control_mean: float
    mean_delta: float
    minimum: float
    top_removed: float | None
    """The mean without the cell of largest absolute delta."""
    bounds: tuple[ClusterBound, ...]
    lowest: float | None
    """The lowest of the cluster bounds; None where no kind has two clusters."""
    lowest_kind: str
    families: Inference
    """The contrast with families as units."""
    missing: int
    """Cells of the structured Condition in which this control was not run."""


def cells_of(table: BindingTable) -> tuple[Cell, ...]:
    """Every control in every cell, sorted by control, model, scaffold and family. Robustness arms stay out."""
    rows = table.where(table.is_in("arm_of", ("",)))
    if has_twins(rows):
        rows = gains(rows)
    groups = rows.groups(*KINDS)
    trials = rows.groups("event", "probe", "strength", "replicate")
    pairs = _Pairs(
        groups=groups.codes,
        trials=trials.codes,
        width=max(len(trials.keys), 1),
        seeds=tuple(str(int(key[3])) for key in trials.keys),
        right=rows.numbers["c"],
    )
    structured = pairs.sums(rows.is_in("variant", (STRUCTURED,)))
    cells: list[Cell] = []
    for control in rows.present("variant"):
        if control == STRUCTURED:
            continue
        for group, sides in pairs.matched(structured, pairs.sums(rows.is_in("variant", (control,)))).items():
            cells.append(_cell(groups.keys[group], control, sides))
    return tuple(sorted(cells, key=lambda cell: (cell.control, cell.model, cell.scaffold, cell.family)))


def summarise_cells(
    cells: Sequence[Cell], *, profile: str = "default", confidence: float = 0.95, draws: int = DRAWS
) -> tuple[ControlSummary, ...]:
    """Every control over all cells."""
    everywhere = {(cell.model, cell.scaffold, cell.family) for cell in cells}
    controls = sorted({cell.control for cell in cells})
    return tuple(
        _summary(
            control,
            [cell for cell in cells if cell.control == control],
            of=len(everywhere),
            profile=profile,
            confidence=confidence,
            draws=draws,
        )
        for control in controls
    )


def _summary(
    control: str, cells: Sequence[Cell], *, of: int, profile: str, confidence: float, draws: int
) -> ControlSummary:
    deltas = np.array([cell.delta for cell in cells])
    bounds = tuple(_bound(control, kind, cells, deltas, confidence=confidence, draws=draws) for kind in KINDS)
    lowest = min(
        ((bound.bootstrap.low, bound.kind) for bound in bounds if bound.bootstrap.low is not None),
        default=(None, ""),
    )
    top = int(np.abs(deltas).argmax())
    return ControlSummary(
        control=control,
        cells=len(cells),
        positive=sum(cell.delta > 0 for cell in cells),
        structured_mean=float(np.mean([_rate(cell.structured) for cell in cells])),
        control_mean=float(np.mean([_rate(cell.compared) for cell in cells])),
        mean_delta=float(deltas.mean()),
        minimum=float(deltas.min()),
        top_removed=float(np.delete(deltas, top).mean()) if len(cells) > 1 else None,
        bounds=bounds,
        lowest=lowest[0],
        lowest_kind=lowest[1],
        families=infer(
            f"structured over {control}",
            _family_means(cells),
            profile=profile,
            confidence=confidence,
            unit="family",
            draws=draws,
        ),
        missing=of - len(cells),
    )


def _bound(
    control: str,
    kind: str,
    cells: Sequence[Cell],
    deltas: FloatArray,
    *,
    confidence: float,
    draws: int,
) -> ClusterBound:
    title = KIND_TITLES[kind]
    labels = [getattr(cell, title) for cell in cells]
    distinct = sorted(set(labels))
    rng = Stream.keyed("binding", "cells", control, kind).numpy()
    member = np.array([distinct.index(label) for label in labels])
    left = [float(deltas[member != index].mean()) for index in range(len(distinct))] if len(distinct) > 1 else []
    return ClusterBound(
        kind=title,
        clusters=len(distinct),
        bootstrap=bootstrap_mean(deltas, labels, draws=draws, rng=rng, confidence=confidence),
        leave_one_out_minimum=min(left, default=None),
    )


def _family_means(cells: Sequence[Cell]) -> dict[str, Fraction | float | None]:
    by_family: dict[str, list[float]] = {}
    for cell in cells:
        by_family.setdefault(cell.family, []).append(cell.delta)
    return {family: sum(deltas) / len(deltas) for family, deltas in by_family.items()}


@dataclass(frozen=True)
class _Sums:
    """Right and all rows of every cell and trial that occur, sorted."""

    keys: IntArray
    k: IntArray
    n: IntArray


_Sides = dict[str, tuple[Share, Share]]
"""Structured and control by seed."""


@dataclass(frozen=True)
class _Pairs:
    """Rows as (cell, trial): a trial is an event, a probe and a seed, and pairs Conditions."""

    groups: IntArray
    trials: IntArray
    width: int
    seeds: tuple[str, ...]
    """The seed of each trial."""
    right: FloatArray

    def sums(self, mask: BoolArray) -> _Sums:
        keys, codes = np.unique(self.groups[mask] * self.width + self.trials[mask], return_inverse=True)
        k = np.bincount(codes, weights=self.right[mask], minlength=keys.size)
        n = np.bincount(codes, minlength=keys.size)
        return _Sums(keys, np.rint(k).astype(np.int64), n.astype(np.int64))

    def matched(self, one: _Sums, two: _Sums) -> dict[int, _Sides]:
        """By cell and seed: both sides over the trials they share."""
        shared, left, right = np.intersect1d(one.keys, two.keys, assume_unique=True, return_indices=True)
        totals: dict[int, dict[str, list[int]]] = {}
        for key, k1, n1, k2, n2 in zip(
            shared.tolist(),
            one.k[left].tolist(),
            one.n[left].tolist(),
            two.k[right].tolist(),
            two.n[right].tolist(),
            strict=True,
        ):
            group, trial = divmod(key, self.width)
            sums = totals.setdefault(group, {}).setdefault(self.seeds[trial], [0, 0, 0, 0])
            for index, value in enumerate((k1, n1, k2, n2)):
                sums[index] += value
        return {
            group: {seed: (Share(k1, n1), Share(k2, n2)) for seed, (k1, n1, k2, n2) in sorted(seeds.items())}
            for group, seeds in totals.items()
        }


def _cell(names: tuple[str, ...], control: str, sides: _Sides) -> Cell:
    model, scaffold, family = names
    one, two = (
        Share(sum(pair[side].k for pair in sides.values()), sum(pair[side].n for pair in sides.values()))
        for side in (0, 1)
    )
    return Cell(
        model=model,
        scaffold=scaffold,
        family=family,
        control=control,
        structured=one,
        compared=two,
        # Of exact fractions: a delta of zero is zero, and zero is not positive.
        delta=_difference(one, two),
        seeds={seed: _difference(*pair) for seed, pair in sides.items()},
    )


def _difference(one: Share, two: Share) -> float:
    return float(Fraction(one.k, one.n) - Fraction(two.k, two.n))


def _rate(share: Share) -> float:
    return share.k / share.n
