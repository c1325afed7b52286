"""Tables of the six-code benchmark: components, probes, contrasts and what they allow to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, stdev

import numpy as np

from proctor.instruments.binding.audits import unmapped_rows
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.contrasts import Contrast, condition_of
from proctor.instruments.binding.designs import scored_rows
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.scores import COMPONENTS, COMPOSITE, NOTHING, Counted
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.twins import DEFERRED, TwinCounted
from proctor.instruments.binding.variants import NO_REASON, NO_VETO, STOCHASTIC, STRUCTURED, paper_name
from proctor.stats.estimate import Estimate

_SIDES = {
    "structured": STRUCTURED,
    "reason_lesion": NO_REASON,
    "veto_lesion": NO_VETO,
    "high_stochasticity": STOCHASTIC,
}
_NAMES = {
    "composite": "structured_minus_high_stochasticity",
    "reason": "reason_contrast",
    "veto": "veto_contrast",
    "memory": "memory_contrast",
    "self": "self_contrast",
}


def component_row(counted: Counted) -> dict[str, object]:
    """The scores of one dataset and Condition, and the counts behind them."""
    row: dict[str, object] = {f"B_{name}": counted.score(name) for name in COMPONENTS}
    row[COMPOSITE] = counted.score(COMPOSITE)
    row["false_positive"] = counted.false_positive
    for name in COMPONENTS:
        share = counted.targets.get(name, NOTHING)
        row[f"c_{name}"] = share.value
        row[f"k_{name}"], row[f"n_{name}"] = share.k, share.n
    row["k_changed"], row["n_neutral"] = counted.neutral.k, counted.neutral.n
    if isinstance(counted, TwinCounted):
        row |= _twin_columns(counted)
    return row


def _twin_columns(counted: TwinCounted) -> dict[str, object]:
    """What stands beside scores with twins: y⁺ on the twin, baselines that differ, cues followed, how often
    it waits."""
    row: dict[str, object] = {f"twin_{name}": counted.twins.get(name, NOTHING).value for name in COMPONENTS}
    row["k_drift"], row["n_drift"] = counted.drift.k, counted.drift.n
    row["k_named"], row["k_named_baseline"], row["n_named"] = counted.named.k, counted.named_before.k, counted.named.n
    return row | {f"deferred_{kind}": counted.deferrals[kind].value for kind in DEFERRED}


def add_components(
    tables: Tables,
    counted: Mapping[tuple[str, ...], Counted],
    extended: Mapping[tuple[str, ...], Counted] | None,
    by_replicate: Mapping[tuple[str, ...], Counted],
) -> None:
    """The component tables."""
    tables.add("components", "Component scores by dataset and Condition", map(_component, counted.items()))
    if extended is not None:
        title = "Component scores over the extended target and neutral probes"
        tables.add("components_extended", title, map(_component, extended.items()))
    tables.add(
        "components_by_replicate",
        "Component scores by dataset, Condition and replicate",
        (
            {"dataset": d, "condition": c, "replicate": int(r), **component_row(one)}
            for (d, c, r), one in by_replicate.items()
        ),
    )
    conditions = sorted({key[1] for key in counted})
    tables.add(
        "components_by_condition",
        "Component scores by Condition, mean and SD over datasets",
        (_mean_row(condition, counted) for condition in conditions),
    )


def add_probe_rates(tables: Tables, table: BindingTable) -> None:
    """How each probe was answered."""
    rows = scored_rows(table, extended=True)
    groups = rows.groups("dataset", "condition", "replicate", "probe")
    n, right = groups.total(), groups.total(rows.numbers["c"])
    lost = groups.total(unmapped_rows(rows))
    tables.add(
        "probe_rates",
        "Expected responses by dataset, Condition, replicate and probe",
        (
            {
                "dataset": dataset,
                "condition": condition,
                "replicate": int(replicate),
                "probe": probe,
                "correct": right[group] / n[group],
                "unmapped": lost[group] / n[group],
                "rows": round(n[group]),
            }
            for group, (dataset, condition, replicate, probe) in enumerate(groups.keys)
        ),
    )


def add_contrasts(
    tables: Tables, table: BindingTable, counted: Mapping[tuple[str, ...], Counted], contrasts: Sequence[Contrast]
) -> None:
    """The declared contrasts dataset by dataset."""
    conditions = {name: condition_of(table, variant) for name, variant in _SIDES.items()}
    datasets = sorted({key[0] for key in counted})
    tables.add(
        "contrasts",
        "Declared contrasts by dataset",
        (
            {
                "dataset": dataset,
                **{name: _composite(counted, dataset, condition) for name, condition in conditions.items()},
                **{_NAMES[one.name]: one.values.get(dataset) for one in contrasts},
            }
            for dataset in datasets
        ),
    )


def add_inference(tables: Tables, name: str, title: str, inferences: Iterable[Inference]) -> None:
    """What is said about each contrast."""
    tables.add(name, title, map(inference_row, inferences))


def inference_row(one: Inference) -> dict[str, object]:
    """One contrast with everything said about it."""
    return {
        "contrast": one.contrast,
        "unit": one.unit,
        "units": one.across.n,
        "missing_units": one.missing,
        "positive_units": one.across.positive,
        "minimum_contrast": one.across.minimum,
        "mean_contrast": one.across.estimate,
        "t_low": one.across.low,
        "t_high": one.across.high,
        "bootstrap_low": one.bootstrap.low,
        "bootstrap_high": one.bootstrap.high,
        "bootstrap_resamples": one.bootstrap.resamples,
        "bootstrap_exact": one.bootstrap.exact,
        "leave_one_out_minimum_mean": one.across.leave_one_out_minimum,
        "top_effect_removed_mean": one.across.top_removed,
        "sign_p_one_sided": one.sign.p_value,
        "sign_p_two_sided": one.sign_two_sided,
        "sign_flip_p": one.flip.p_value,
        "event_low": one.events.low if one.events else None,
        "event_high": one.events.high if one.events else None,
        "decides": one.decides,
        "bound": one.bound,
        "above_zero": one.above_zero,
        "scope": one.scope,
    }


def mixed_row(fit: Estimate) -> dict[str, object]:
    """A mixed-effect fit, or why there is none."""
    return {
        "estimate": fit.estimate,
        "low": fit.low,
        "high": fit.high,
        "events": fit.n,
        "status": "stable" if fit.estimate is not None else "outside",
        "reason": fit.reason,
    }


def _component(item: tuple[tuple[str, ...], Counted]) -> dict[str, object]:
    (dataset, condition), counted = item
    return {"dataset": dataset, "condition": condition, "paper": paper_name(condition), **component_row(counted)}


def _composite(counted: Mapping[tuple[str, ...], Counted], dataset: str, condition: str | None) -> Fraction | None:
    counts = counted.get((dataset, condition)) if condition is not None else None
    return None if counts is None else counts.score(COMPOSITE)


def _mean_row(condition: str, counted: Mapping[tuple[str, ...], Counted]) -> dict[str, object]:
    mine = [one for key, one in counted.items() if key[1] == condition]
    row: dict[str, object] = {"condition": condition, "paper": paper_name(condition), "datasets": len(mine)}
    for name in (*COMPONENTS, COMPOSITE, "false_positive"):
        values = [one.false_positive if name == "false_positive" else one.score(name) for one in mine]
        known = [float(value) for value in values if value is not None]
        label = f"B_{name}" if name in COMPONENTS else name
        row[f"{label}_mean"] = fmean(known) if known else None
        row[f"{label}_sd"] = stdev(known) if len(known) > 1 else None
    return row


def add_metadata(tables: Tables, table: BindingTable) -> None:
    """Requests, tokens, latency and retries by run, returned model and Condition; None where nobody counted."""
    groups = table.groups("run", "model", "condition")
    rows = []
    for group, (run, model, condition) in enumerate(groups.keys):
        inside = groups.codes == group
        numbers = {name: table.numbers[name][inside] for name in _COUNTED}
        row: dict[str, object] = {"run": run, "model": model, "condition": condition, "rows": int(inside.sum())}
        row |= {f"mean_{name}": _known_mean(values) for name, values in numbers.items()}
        row |= {name: _distinct(table.numbers[name][inside]) for name in ("temperature", "top_p")}
        row |= {f"parse_{name}": int((table.is_in("parse", (name,)) & inside).sum()) for name in PARSED}
        row["read"] = float(table.is_in("parse", ("ok", "text"))[inside].mean())
        rows.append(row)
    tables.add("metadata", "Model exchanges by model and Condition; records.csv has them row by row", rows)


PARSED = ("ok", "text", "not_json", "not_object", "empty", "none")
"""Every state of parsing."""
_COUNTED = ("requests", "prompt_tokens", "completion_tokens", "latency_ms", "attempts")


def _known_mean(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else None


def _distinct(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    """What was sent, each value once; empty where it is not on record."""
    return " ".join(f"{value:g}" for value in np.unique(values[~np.isnan(values)]))
