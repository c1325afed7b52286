"""Every scored record as one row of a table, with its metadata, for users who compute their own statistics.

It is made for `records.csv` and is no part of a reading: a benchmark has 57,816 of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from proctor.evidence.evidence import Evidence
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.table import table_of
from proctor.instruments.binding.tables import Scalar, Table
from proctor.spec.condition import Condition
from proctor.stats.sample import FloatArray

TEXT = (
    *("run", "family", "dataset", "event", "probe", "component", "role", "condition", "style", "variant", "stage"),
    *("ontology", "before", "target", "code", "how", "parse", "raw", "field_event", "field_code", "cue_code"),
    *("arm_of", "screen", "model", "errors"),
)
WHOLE = ("replicate", "position", "swapped", "c", "u", "declared", "duplicate", "rsi", "vei", "fields")
COUNTED = ("requests", "attempts", "prompt_tokens", "completion_tokens")
REAL = ("sci", "aci", "t_reason", "t_memory", "t_veto", "t_self", "strength", "distance", "latency_ms", "elapsed_us")


def records(runs: Mapping[str, Evidence]) -> Table:
    """The scored records of some runs, duplicates collapsed, in order of position."""
    table = table_of(runs).table
    conditions = {name: one for evidence in runs.values() for name, one in evidence.frozen.suite.all_conditions.items()}
    columns: dict[str, list[Scalar]] = {name: list(table.values(name)) for name in TEXT}
    columns |= {name: _numbers(table.numbers[name], whole=True) for name in (*WHOLE, *COUNTED)}
    columns |= {name: _numbers(table.numbers[name], whole=False) for name in REAL}
    columns["temperature"] = _sampling(table, conditions, "temperature")
    columns["top_p"] = _sampling(table, conditions, "top_p")
    return Table("Scored records", columns)


def _numbers(values: FloatArray, *, whole: bool) -> list[Scalar]:
    known = ~np.isnan(values)
    plain: list[Scalar] = [*(int(value) if whole else float(value) for value in np.where(known, values, 0.0))]
    return [value if there else None for value, there in zip(plain, known.tolist(), strict=True)]


def _sampling(table: BindingTable, conditions: Mapping[str, Condition], name: str) -> list[Scalar]:
    """As it was sent; where that is not on record, as the Condition declares it."""
    declared: dict[str, Scalar] = {
        label: getattr(conditions[label].sampling, name) if label in conditions else None
        for label in table.text["condition"].labels
    }
    pairs = zip(table.values("condition"), _numbers(table.numbers[name], whole=False), strict=True)
    return [declared[label] if sent is None else sent for label, sent in pairs]
