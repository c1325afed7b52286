"""Matching entropies: a grid of temperatures and top-p, and an entropy prior.

The setting is selected on the calibration split by the smallest mean gap, and gated on the held-out split by Γ. The
word "matched" is used only where that gate is met; otherwise the attempt is a boundary condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import MET, NOT_MEASURED, Criterion, Detail, Gate, at_least, at_most
from proctor.instruments.binding.entropy import LAYERS, EntropyGap, Layered
from proctor.instruments.binding.variants import ENTROPY_PRIOR, STRUCTURED, named
from proctor.spec.condition import Condition
from proctor.stats.entropy import entropy_of_counts
from proctor.stats.sample import BoolArray

GAMMA_LIMIT = 0.15
PRIOR_LIMIT = 0.10
NO_LAYER = "no clusters could be made for the layer {layers}, and Γ is over all four"


class GridPoint(Struct, frozen=True, kw_only=True):
    """One setting of the grid, on the calibration split."""

    condition: str
    temperature: float
    top_p: float
    gap: EntropyGap


class Calibration(Struct, frozen=True, kw_only=True):
    """The grid, what was selected, and what the held-out split says about it."""

    grid: tuple[GridPoint, ...]
    selected: str
    held_out: EntropyGap | None
    gate: Gate
    wording: str
    """What may be said."""


class PriorCell(Struct, frozen=True, kw_only=True):
    """Entropy-prior control in one model–scaffold cell."""

    model: str
    scaffold: str
    structured_bits: float
    prior_bits: float
    gap: float
    met: bool


def grid_settings(conditions: Mapping[str, Condition]) -> dict[str, tuple[float, float]]:
    """Conditions that are settings of the grid: those that declare both temperature and top-p."""
    return {
        name: (condition.sampling.temperature, condition.sampling.top_p)
        for name, condition in conditions.items()
        if condition.sampling.temperature is not None
        and condition.sampling.top_p is not None
        and not condition.sampling.exact
    }


def calibrate(points: Sequence[GridPoint], held_out: EntropyGap | None) -> Calibration:
    """The grid, the setting that was selected from it, and the gate on what the held-out split gave for that one."""
    gate = Gate.of("entropy calibration", _gamma(held_out))
    missed = "measured" if gate.status == NOT_MEASURED else "reached"
    wording = (
        "entropy-matched on the held-out split"
        if gate.status == MET
        else f"an attempt at matching entropy; the declared closeness was not {missed}, and nothing is called matched"
    )
    return Calibration(
        grid=tuple(points), selected=select(points).condition, held_out=held_out, gate=gate, wording=wording
    )


def _gamma(held_out: EntropyGap | None) -> Criterion:
    """Γ on the held-out split. A layer that is missing is no gap of zero: without it nothing is decided."""
    name = "largest entropy gap on the held-out split"
    if held_out is None:
        return at_most(name, None, GAMMA_LIMIT, Detail(reason="no held-out rows"))
    lacking = [layer for layer in LAYERS if layer not in held_out.gaps]
    if lacking and held_out.max_gap <= GAMMA_LIMIT:
        return at_most(name, None, GAMMA_LIMIT, Detail(reason=NO_LAYER.format(layers=", ".join(lacking))))
    return at_most(name, held_out.max_gap, GAMMA_LIMIT, Detail(n=held_out.datasets))


def select(points: Sequence[GridPoint]) -> GridPoint:
    """The smallest mean gap; ties go to the lower temperature, then the lower top-p."""
    return min(points, key=lambda point: (point.gap.mean_gap, point.temperature, point.top_p))


def calibration_of(table: BindingTable, conditions: Mapping[str, Condition]) -> Calibration | None:
    """The grid of a run: splits by stage where there are two, otherwise by event."""
    settings = grid_settings(conditions)
    present = set(table.present("condition"))
    reference = next((name for name in sorted(present) if named(name).variant == STRUCTURED), None)
    used = {name: values for name, values in settings.items() if name in present and name != reference}
    if reference is None or len(used) < 2:
        return None
    # Other stages hold rows of the structured Condition too; the splits are those of the grid.
    stages = table.of("condition", *used).present("stage")
    rows = table.where(table.is_in("condition", (*used, reference)) & table.is_in("stage", stages))
    layered = Layered(rows)
    first = _first_split(layered.rows)
    points = [
        GridPoint(condition=name, temperature=temperature, top_p=top_p, gap=gap)
        for name, (temperature, top_p) in sorted(used.items(), key=lambda item: (item[1], item[0]))
        if (gap := layered.gap(name, reference, first)) is not None
    ]
    return calibrate(points, layered.gap(select(points).condition, reference, ~first)) if points else None


def prior_cells(table: BindingTable) -> tuple[PriorCell, ...]:
    """The entropy gap of the entropy-prior control per model and scaffold, over the events both were run on."""
    cells = []
    for model, style in table.of("variant", ENTROPY_PRIOR).groups("run", "style").keys:
        cell = table.where(table.is_in("run", (model,)) & table.is_in("style", (style,)))
        cell = cell.shared("variant", (STRUCTURED, ENTROPY_PRIOR), "family", "dataset", "event", "probe")
        one, two = (_code_bits(cell.of("variant", variant)) for variant in (STRUCTURED, ENTROPY_PRIOR))
        if one is not None and two is not None:
            distance = abs(one - two)
            cells.append(
                PriorCell(
                    model=model,
                    scaffold=style,
                    structured_bits=one,
                    prior_bits=two,
                    gap=distance,
                    met=distance <= PRIOR_LIMIT,
                )
            )
    return tuple(cells)


def prior_gate(cells: Sequence[PriorCell]) -> Gate:
    """Whether the entropy-prior control is within its limit in every cell."""
    met = sum(one.met for one in cells)
    rule = f"within {PRIOR_LIMIT:.2f} bit in every model–scaffold cell"
    widest = max(one.gap for one in cells)
    detail = Detail(k=met, n=len(cells), rule=rule, reason=f"widest gap {widest:.3f} bits")
    return Gate.of("entropy prior", at_least("cells of matched entropy", met / len(cells), 1.0, detail))


def _first_split(rows: BindingTable) -> BoolArray:
    """Which rows calibrate: those of the stage that came first, or every other event where there is one stage."""
    stages = rows.present("stage")
    if len(stages) >= 2:
        starts = {name: float(rows.of("stage", name).numbers["position"].min()) for name in stages}
        return rows.is_in("stage", (min(stages, key=lambda name: starts[name]),))
    events = rows.present("event")
    return rows.is_in("event", events[::2])


def _code_bits(rows: BindingTable) -> float | None:
    counts = np.bincount(rows.text["code"].codes)
    return entropy_of_counts(counts.tolist()).estimate
