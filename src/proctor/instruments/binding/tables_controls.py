"""Tables of the controls: cells, sufficiency, coupling, gates, audits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from proctor.instruments.binding.audits import Audit, Diagnostic
from proctor.instruments.binding.cells import Cell, ControlSummary
from proctor.instruments.binding.coupling import Coupling, CouplingSummary
from proctor.instruments.binding.criteria import Gate
from proctor.instruments.binding.sufficiency import CONDITIONS, Sufficiency, interval
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.tables_behaviour import inference_row
from proctor.instruments.binding.variants import FULL, ONLY, TERMS, named, paper_name, registered
from proctor.stats.bootstrap import BootstrapEstimate


def add_gates(tables: Tables, gates: Iterable[Gate]) -> None:
    """Every declared criterion; those not met are the boundary conditions."""
    tables.add(
        "gates",
        "Declared criteria",
        (
            {
                "gate": gate.name,
                "gate_status": gate.status,
                "criterion": one.name,
                "rule": one.rule,
                "limit": one.limit,
                "value": one.value,
                "status": one.status,
                "k": one.k,
                "n": one.n,
                "reason": one.reason,
            }
            for gate in gates
            for one in gate.criteria
        ),
    )


def add_audits(tables: Tables, audits: Iterable[Audit], diagnostics: Iterable[Diagnostic]) -> None:
    """The audits of the records, and interface errors apart from effects."""
    tables.add(
        "audits",
        "Audits of the records",
        (
            {
                "item": one.item,
                "status": one.status,
                "evidence": one.evidence,
                "interpretation": one.interpretation,
                "k": one.k,
                "n": one.n,
            }
            for one in audits
        ),
    )
    tables.add(
        "diagnostics",
        "Interface errors",
        ({"source": one.source, "model": one.model, "type": one.type, "rows": one.rows} for one in diagnostics),
    )


def add_cells(tables: Tables, cells: Sequence[Cell], summaries: Sequence[ControlSummary]) -> None:
    """The cell matrix, its summary by control, and the bounds by kind of cluster."""
    tables.add(
        "cells",
        "Structured against each control, by model, scaffold and family",
        (
            {
                "control": one.control,
                "model": one.model,
                "scaffold": one.scaffold,
                "family": one.family,
                "structured": one.structured.value,
                "compared": one.compared.value,
                "delta": one.delta,
                "k_structured": one.structured.k,
                "n_structured": one.structured.n,
                "k_control": one.compared.k,
                "n_control": one.compared.n,
                "minimum_seed_delta": min(one.seeds.values()),
                "seeds": len(one.seeds),
            }
            for one in cells
        ),
    )
    tables.add(
        "cell_summary",
        "Controls over all cells",
        (
            {
                "control": one.control,
                "paper": paper_name(one.control),
                "cells": one.cells,
                "missing_cells": one.missing,
                "positive_cells": one.positive,
                "structured_mean": one.structured_mean,
                "control_mean": one.control_mean,
                "mean_delta": one.mean_delta,
                "minimum_delta": one.minimum,
                "top_effect_removed_mean": one.top_removed,
                "lowest_bound": one.lowest,
                "lowest_bound_of": one.lowest_kind,
                **{f"family_{name}": value for name, value in inference_row(one.families).items() if name in _FAMILY},
            }
            for one in summaries
        ),
    )
    tables.add(
        "cluster_bounds",
        "Bounds on the mean delta by kind of cluster",
        (
            {
                "control": one.control,
                "cluster": bound.kind,
                "clusters": bound.clusters,
                "mean_delta": bound.bootstrap.estimate,
                "low": bound.bootstrap.low,
                "high": bound.bootstrap.high,
                "exact": bound.bootstrap.exact,
                "leave_one_out_minimum_mean": bound.leave_one_out_minimum,
            }
            for one in summaries
            for bound in one.bounds
        ),
    )


_FAMILY = ("units", "t_low", "t_high", "sign_flip_p", "sign_p_one_sided", "above_zero", "leave_one_out_minimum_mean")


def add_sufficiency(tables: Tables, readings: Sequence[Sufficiency], *, confidence: float) -> None:
    """Accuracies by Condition with and without the guard, recovery, following, and the cells."""
    tables.add(
        "sufficiency",
        "Sufficiency by model and Condition",
        (
            {
                "model": one.model,
                "condition": condition,
                "paper": paper_name(condition),
                "rows": share.n,
                "correct": share.k,
                "accuracy": share.value,
                "low": estimate.low,
                "high": estimate.high,
                "guarded_accuracy": one.guarded[condition].value,
                "guard_change_rate": one.guard_changes[condition].value,
            }
            for one in readings
            for condition in CONDITIONS
            for share in (one.accuracy[condition],)
            for estimate in (interval(one, condition, confidence=confidence),)
        ),
    )
    tables.add(
        "sufficiency_summary",
        "Recovery and scrambled-following by model",
        (
            {
                "model": one.model,
                "full": one.accuracy[FULL].value,
                "only_decisive": one.accuracy[ONLY].value,
                "best_control": one.control,
                "best_control_accuracy": one.accuracy[one.control].value if one.control else None,
                "recovery": one.recovery,
                "following_raw": one.following.raw.value,
                "following_guarded": one.following.guarded.value,
                "following_guarded_without_deferrals": one.following.guarded_acts.value,
                "scrambled_rows": one.following.raw.n,
                "gate": one.gate.status,
            }
            for one in readings
        ),
    )
    tables.add(
        "sufficiency_cells",
        "Sufficiency by model and family",
        (
            {"model": one.model, "family": family, "full": cell[FULL].value, "only_decisive": cell[ONLY].value}
            for one in readings
            for family, cell in one.task_cells.items()
        ),
    )


def add_coupling(
    tables: Tables,
    by_dataset: Sequence[Coupling],
    by_replicate: Sequence[Coupling],
    summary: CouplingSummary | None,
) -> None:
    """Coupling terms, contrasts and both bounds."""
    tables.add("coupling", "Coupling by dataset and Condition", (_coupling(one) for one in by_dataset))
    replicated = ({"replicate": int(one.part), **_coupling(one)} for one in by_replicate)
    tables.add("coupling_by_replicate", "Coupling by dataset, Condition and replicate", replicated)
    conditions = sorted({one.condition for one in by_replicate})
    tables.add(
        "coupling_by_condition",
        "Coupling by Condition, means over dataset–replicate units",
        (_mean_coupling(name, [one for one in by_replicate if one.condition == name]) for name in conditions),
    )
    if summary is not None:
        tables.add("coupling_contrasts", "Coupling contrasts by dataset", _contrast_rows(summary, by_dataset))
        bounds = (("control × dataset differences", summary.pooled), ("datasets", summary.clustered))
        tables.add("coupling_bounds", "Bounds on the coupling difference", _bound_rows(bounds))


def add_variants(tables: Tables, conditions: Iterable[str]) -> None:
    """The registry of the Conditions that were run."""
    tables.add("variants", "Conditions of this run", map(_variant, sorted(conditions)))


def _variant(name: str) -> dict[str, object]:
    known = registered(name)
    return {
        "condition": name,
        "scaffold": named(name).style,
        "variant": named(name).variant,
        "paper": paper_name(name),
        "definition": known.definition if known else "",
        "role": known.role if known else "",
        "aliases": "; ".join(known.aliases) if known else "",
    }


def _coupling(one: Coupling) -> dict[str, object]:
    return {
        "dataset": one.dataset,
        "condition": one.condition,
        "paper": paper_name(one.condition),
        **one.terms,
        "irrelevant_suppression": one.suppression,
        "afci": one.afci,
        "afci_with_suppression": one.with_suppression,
        "rows": one.rows,
        "missing": one.missing,
    }


def _mean_coupling(name: str, mine: Sequence[Coupling]) -> dict[str, object]:
    def over(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return float(np.mean(known)) if known else None

    return {
        "condition": name,
        "paper": paper_name(name),
        **{term: over([one.terms[term] for one in mine]) for term in TERMS},
        "irrelevant_suppression": over([one.suppression for one in mine]),
        "afci": over([one.afci for one in mine]),
        "afci_with_suppression": over([one.with_suppression for one in mine]),
        "units": len(mine),
    }


def _contrast_rows(summary: CouplingSummary, by_dataset: Sequence[Coupling]) -> Iterable[dict[str, object]]:
    values = {(one.dataset, one.condition): one.afci for one in by_dataset}
    for contrast in summary.contrasts:
        for dataset, difference in sorted(contrast.inference.units.items()):
            yield {
                "dataset": dataset,
                "comparator": contrast.comparator,
                "control": contrast.control,
                "comparator_afci": values[dataset, contrast.comparator],
                "structured_afci": values[dataset, summary.structured],
                "difference": difference,
            }


def _bound_rows(bounds: Iterable[tuple[str, BootstrapEstimate | None]]) -> Iterable[dict[str, object]]:
    for units, one in bounds:
        if one is not None:
            yield {
                "resampled": units,
                "mean": one.estimate,
                "low": one.low,
                "high": one.high,
                "clusters": one.clusters,
                "exact": one.exact,
            }
