"""Matching entropies: a grid of temperatures and top-p, an entropy prior, and the forced budget.

The setting is selected on the calibration split by the smallest mean gap, and gated on the held-out split by Γ. The
word "matched" is used only where that gate is met; otherwise the attempt is a boundary condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import Detail, Gate, at_least, at_most, within
from proctor.instruments.binding.entropy import EntropyGap, Layered
from proctor.instruments.binding.scores import Share, correct
from proctor.instruments.binding.variants import ENTROPY_PRIOR, PRIOR, STRUCTURED, named
from proctor.spec.condition import Condition
from proctor.stats.entropy import entropy_of_counts
from proctor.stats.sample import BoolArray

GAMMA_LIMIT = 0.15
PRIOR_LIMIT = 0.10
BLIND = frozenset({ENTROPY_PRIOR, PRIOR, "no-fields", "token-matched"})
"""Variants that show no decisive state."""
TOKEN_RATIO, LATENCY_RATIO = (0.95, 1.05), (0.50, 1.50)


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


class Budget(Struct, frozen=True, kw_only=True):
    """The forced-budget audit: two Conditions under equal budgets."""

    structured: str
    control: str
    events: int
    structured_accuracy: Share
    control_accuracy: Share
    """Reported, not gated."""
    gate: Gate


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
    gate = Gate.of(
        "entropy calibration",
        at_most(
            "largest entropy gap on the held-out split",
            None if held_out is None else held_out.max_gap,
            GAMMA_LIMIT,
            Detail(n=None if held_out is None else held_out.datasets),
        ),
    )
    wording = (
        "entropy-matched on the held-out split"
        if gate.status == "met"
        else "an attempt at matching entropy; the declared closeness was not reached, and nothing is called matched"
    )
    return Calibration(
        grid=tuple(points), selected=select(points).condition, held_out=held_out, gate=gate, wording=wording
    )


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
        GridPoint(condition=name, temperature=temperature, top_p=top_p, gap=found)
        for name, (temperature, top_p) in sorted(used.items(), key=lambda item: (item[1], item[0]))
        if (found := layered.gap(name, reference, first)) is not None
    ]
    return calibrate(points, layered.gap(select(points).condition, reference, ~first)) if points else None


def prior_cells(table: BindingTable) -> tuple[PriorCell, ...]:
    """The entropy gap of the entropy-prior control per model and scaffold, over the events both were run on."""
    found = []
    for model, style in table.of("variant", ENTROPY_PRIOR).groups("run", "style").keys:
        cell = table.where(table.is_in("run", (model,)) & table.is_in("style", (style,)))
        cell = cell.shared("variant", (STRUCTURED, ENTROPY_PRIOR), "family", "dataset", "event", "probe")
        one, two = (_code_bits(cell.of("variant", variant)) for variant in (STRUCTURED, ENTROPY_PRIOR))
        if one is not None and two is not None:
            distance = abs(one - two)
            found.append(
                PriorCell(
                    model=model,
                    scaffold=style,
                    structured_bits=one,
                    prior_bits=two,
                    gap=distance,
                    met=distance <= PRIOR_LIMIT,
                )
            )
    return tuple(found)


def forced_budget(table: BindingTable, conditions: Mapping[str, Condition]) -> Budget | None:
    """The audit of the two Conditions that were run under an exact budget; None where there are not two."""
    exact = [
        name for name, one in sorted(conditions.items()) if one.sampling.exact and name in table.present("condition")
    ]
    blind = [name for name in exact if conditions[name].prior is not None or named(name).variant in BLIND]
    seeing = [name for name in exact if name not in blind]
    if len(seeing) != 1 or len(blind) != 1:
        return None
    one, two = table.of("condition", seeing[0]), table.of("condition", blind[0])
    prompt, completion = _equal(one, two, "prompt_tokens"), _equal(one, two, "completion_tokens")
    bits = [_code_bits(side) for side in (one, two)]
    distance = None if bits[0] is None or bits[1] is None else abs(bits[0] - bits[1])
    shared = set(one.groups("dataset", "event").keys) & set(two.groups("dataset", "event").keys)
    return Budget(
        structured=seeing[0],
        control=blind[0],
        events=len(shared),
        structured_accuracy=correct(one, np.ones(one.size, dtype=np.bool_)),
        control_accuracy=correct(two, np.ones(two.size, dtype=np.bool_)),
        gate=Gate.of(
            "forced budget",
            at_least("prompt tokens equal per event", _rate(prompt), 1.0, Detail(k=prompt.k, n=prompt.n)),
            at_least(
                "completion tokens equal per event", _rate(completion), 1.0, Detail(k=completion.k, n=completion.n)
            ),
            within("total-token ratio", _ratio(one, two, ("prompt_tokens", "completion_tokens")), *TOKEN_RATIO),
            within("latency ratio", _ratio(one, two, ("latency_ms",)), *LATENCY_RATIO),
            at_most("canonical entropy gap in bits", distance, GAMMA_LIMIT),
        ),
    )


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


def _by_event(rows: BindingTable, name: str) -> dict[tuple[str, ...], float]:
    groups = rows.groups("dataset", "event", "replicate")
    return dict(zip(groups.keys, groups.total(rows.numbers[name]), strict=True))


def _equal(one: BindingTable, two: BindingTable, name: str) -> Share:
    """Events whose counts agree, of those counted on both sides."""
    first, second = _by_event(one, name), _by_event(two, name)
    shared = [key for key in set(first) & set(second) if not np.isnan(first[key] + second[key])]
    return Share(sum(bool(first[key] == second[key]) for key in shared), len(shared))


def _ratio(one: BindingTable, two: BindingTable, names: Sequence[str]) -> float | None:
    first, second = (sum(float(side.numbers[name].sum()) for name in names) for side in (one, two))
    return first / second if np.isfinite(first) and np.isfinite(second) and second > 0 else None


def _rate(share: Share) -> float | None:
    return None if share.value is None else float(share.value)
