"""The two designs of the six-code benchmark: rows of 1.0 have c and u, rows of 2.0 have twins. Each is counted its way.

Rows of both never enter one score: `docs/design/binding-2.md` says why they are not comparable.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from proctor.instruments.binding import scores
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.measures import NEUTRAL, TARGET
from proctor.instruments.binding.scores import BASIC_PROBES, COMPONENT_OF, Counted, changed
from proctor.instruments.binding.twins import NINE_PROBES, count_twins, has_twins, paired, twin_events


def basic_probes(table: BindingTable) -> tuple[str, ...]:
    """The probes of the benchmark, the baseline first; extended ones widen the target and the neutral sets."""
    return NINE_PROBES if has_twins(table) else BASIC_PROBES


def scored_rows(table: BindingTable, *, extended: bool = False) -> BindingTable:
    """The rows component scores are made of."""
    return paired(table, extended=extended).rows if has_twins(table) else scores.scored_rows(table, extended=extended)


def count(table: BindingTable, *by: str, extended: bool = False) -> Mapping[tuple[str, ...], Counted]:
    """The counts of every combination of some columns, by default dataset and Condition."""
    if has_twins(table):
        return count_twins(table, *by, extended=extended)
    return scores.count(table, *by, extended=extended)


def event_scores(rows: BindingTable) -> dict[tuple[str, ...], dict[str, float]]:
    """Component scores by dataset and event, of rows of one Condition."""
    if has_twins(rows):
        return twin_events(rows)
    aimed = rows.where(rows.is_in("role", (TARGET,)))
    groups = aimed.groups("dataset", "event", "component")
    shares = groups.total(aimed.numbers["c"]) / np.maximum(groups.total(), 1.0)
    calm = rows.where(rows.is_in("role", (NEUTRAL,)))
    quiet = calm.groups("dataset", "event")
    moved = dict(zip(quiet.keys, (quiet.total(changed(calm)) / np.maximum(quiet.total(), 1.0)).tolist(), strict=True))
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for (dataset, event, component), share in zip(groups.keys, shares.tolist(), strict=True):
        name = COMPONENT_OF.get(component)
        if name is not None and (dataset, event) in moved:
            found.setdefault((dataset, event), {})[name] = share - moved[dataset, event]
    return found
