"""Rows as columns: the table that every analysis of this instrument reads.

One row stands for each key of dataset, base event, probe, Condition and
replicate (with strength, distance and robustness arm where a probe has them, and the run where several are read
together): the first wins, and what was collapsed is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import BindingMeasures, all_measures_of, is_a
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Row
from proctor.instruments.binding.columns import BindingTable, Column
from proctor.instruments.binding.measures import REASONS, Exchanges, exchanges_of, number, unseen
from proctor.instruments.binding.variants import named
from proctor.stats.sample import BoolArray, FloatArray, IntArray

SCORED = frozenset({SUCCESS, FAILURE, LIMIT})
KEY = ("run", "dataset", "event", "probe", "condition", "replicate", "strength", "distance", "arm_of")
"""What identifies a scored record."""


class Collapsed(Struct, frozen=True, kw_only=True):
    """What became of the rows of some runs on their way into the table."""

    planned: int
    """Episodes the plan has for the arms of binding probes."""
    observed: int
    """Rows that are there."""
    lost: int
    """Rows the bench itself lost: not scored, never counted as wrong."""
    silent: int
    """Scored rows without a verification: the agent broke. They count as unmapped."""
    unplaced: int
    """Rows without a verification of which no other row tells what was probed; counted here and nowhere else."""
    source: int
    """Scored rows before duplicates were collapsed."""
    duplicate_events: int
    """Of the collapsed: source events that had occurred before in the plan."""
    repeated: int
    """Of the collapsed: any other second record of a key."""
    scored: int
    """Rows in the table."""


@dataclass(frozen=True)
class Read:
    """The table of some runs and what was left out of it."""

    table: BindingTable
    collapsed: Collapsed
    undeclared: int
    """Observation fields outside the declared schemas, over all rows."""
    errors: Mapping[tuple[str, str], int]
    """Interface errors by (model, type)."""


def table_of(runs: Mapping[str, Evidence]) -> Read:
    """The scored records of some runs, each under a name of its own (the model, say)."""
    gathered = _Gathered()
    for name, evidence in runs.items():
        gathered.add(name, evidence)
    return gathered.read()


class _Gathered:
    """Rows on their way into columns."""

    def __init__(self) -> None:
        self.arms: list[_RunArm] = []
        self.arm_of: list[int] = []
        """The run and arm of each row, as an index into `arms`."""
        self.rows: list[Row] = []
        self.measures: list[BindingMeasures] = []
        self.counts: Counter[str] = Counter()

    def add(self, run: str, evidence: Evidence) -> None:
        """Take the rows of one run."""
        told = [row for row in evidence.rows if is_a(BindingMeasures, row)]
        own = {evidence.arms[arm].family for arm in {row.arm for row in told}} | _declared(evidence)
        self.counts["planned"] += planned(evidence, own)
        if not own:
            return
        start = len(self.arms)
        declared = evidence.frozen.suite.all_conditions
        for arm in evidence.arms:
            parts = named(arm.condition, declared.get(arm.condition))
            family = arm.family.partition("@")[0]
            self.arms.append(_RunArm(run, family, arm.condition, arm.stage, parts.style, parts.variant))
        arms = {arm.index for arm in evidence.arms if arm.family in own}
        mine = [row for row in evidence.rows if row.arm in arms]
        self.counts["observed"] += len(mine)
        self.counts["undeclared"] += sum(row.undeclared for row in mine)
        lost = sum(row.outcome not in SCORED for row in mine)
        self.counts["lost"] += lost
        scored = [row for row in told if row.outcome in SCORED]
        self._keep(start, scored, all_measures_of(BindingMeasures, scored))
        if len(scored) + lost < len(mine):
            self._silent(start, evidence, mine, scored)

    def _silent(self, start: int, evidence: Evidence, mine: Sequence[Row], scored: Sequence[Row]) -> None:
        """Episodes without a verification: placed by another row of the same instance."""
        known = {
            (evidence.arms[row.arm].family, row.instance): measures
            for row, measures in zip(scored, self.measures[len(self.measures) - len(scored) :], strict=True)
        }
        rows: list[Row] = []
        unread: list[BindingMeasures] = []
        for row in mine:
            if row.outcome in SCORED and not is_a(BindingMeasures, row):
                sibling = known.get((evidence.arms[row.arm].family, row.instance))
                if sibling is None:
                    self.counts["unplaced"] += 1
                else:
                    rows.append(row)
                    unread.append(unseen(sibling))
        self.counts["silent"] += len(rows)
        self._keep(start, rows, unread)

    def _keep(self, start: int, rows: Sequence[Row], measures: Sequence[BindingMeasures]) -> None:
        self.arm_of += [start + row.arm for row in rows]
        self.rows += rows
        self.measures += measures

    def read(self) -> Read:
        """The table with one row per key, and what was collapsed."""
        # Many episodes of a run stand aside alike: each form is read once.
        forms = {aside: exchanges_of(aside) for aside in {row.aside for row in self.rows}}
        asked = [forms[row.aside] for row in self.rows]
        whole = self._columns(asked)
        first = _first_of_each(whole)
        duplicate = whole.numbers["duplicate"] > 0
        gone = ~first
        errors = Counter((one.model, error) for one in asked for error in one.errors)
        collapsed = Collapsed(
            planned=self.counts["planned"],
            observed=self.counts["observed"],
            lost=self.counts["lost"],
            silent=self.counts["silent"],
            unplaced=self.counts["unplaced"],
            source=whole.size,
            duplicate_events=int((gone & duplicate).sum()),
            repeated=int((gone & ~duplicate).sum()),
            scored=int(first.sum()),
        )
        return Read(whole.where(first), collapsed, self.counts["undeclared"], dict(errors))

    def _columns(self, asked: Sequence[Exchanges]) -> BindingTable:
        text = _arm_columns(self.arms, np.array(self.arm_of, dtype=np.int64))
        text["replicate"] = Column.of([f"{replicate:06d}" for replicate in _each(self.rows, "replicate")])
        text["model"] = Column.of(_each(asked, "model"))
        text["errors"] = Column.of([" ".join(one) for one in _each(asked, "errors")])
        for name in ("strength", "distance"):
            text[name] = Column.of(["" if value is None else str(value) for value in _each(self.measures, name)])
        for name in _TEXTS:
            text[name] = Column.of(_each(self.measures, name))
        numbers = {name: _floats(self.measures, name) for name in _NUMBERS}
        numbers |= {name: _floats(self.rows, name) for name in ("replicate", "position", "elapsed_us")}
        numbers |= {name: _floats(asked, name) for name in _ASKED}
        return BindingTable(text, numbers)


class _RunArm(NamedTuple):
    """What all rows of one run and arm share."""

    run: str
    family: str
    condition: str
    stage: str
    style: str
    variant: str


def _arm_columns(arms: Sequence[_RunArm], codes: IntArray) -> dict[str, Column]:
    """Columns that follow from run and arm."""
    columns = {}
    for name in _RunArm._fields:
        values = [getattr(arm, name) for arm in arms]
        column = Column.of(values)
        columns[name] = Column(column.labels, column.codes[codes] if values else column.codes)
    return columns


_ASKED = ("requests", "prompt_tokens", "completion_tokens", "latency_ms", "attempts", "temperature", "top_p")
_TEXTS = (
    "dataset",
    "event",
    "probe",
    "component",
    "role",
    "ontology",
    "before",
    "target",
    "code",
    "how",
    "parse",
    "raw",
    "field_event",
    "field_code",
    "cue_code",
    "arm_of",
    "screen",
    "twin",
    "polarity",
    "surface",
)
_NUMBERS = (
    "swapped",
    "c",
    "u",
    "declared",
    "duplicate",
    "rsi",
    "vei",
    "sci",
    "aci",
    "t_reason",
    "t_memory",
    "t_veto",
    "t_self",
    "fields",
    "strength",
    "distance",
    "design",
)


def _declared(evidence: Evidence) -> set[str]:
    """Families of binding probes among those that ran, known by what their verification may say."""
    named = {family.spec.full_name for family in evidence.frozen.families if set(family.spec.reasons) >= REASONS}
    return named & {arm.family for arm in evidence.arms}


def planned(evidence: Evidence, families: Iterable[str]) -> int:
    """How many episodes the plan has for these families; scenarios outside a scope are not subtracted."""
    own = set(families)
    entries, scale = evidence.frozen.suite.entries, evidence.frozen.scale
    return sum(
        entry.n * scale * entry.replicates * entry.parts * sum(step.episodes for step in entry.program)
        for arm in evidence.arms
        if arm.family in own
        for entry in (entries[arm.entry],)
    )


def _each(items: Sequence[Any], name: str) -> list[Any]:
    return list(map(attrgetter(name), items))


def _floats(items: Sequence[Any], name: str) -> FloatArray:
    """An attribute as floats; NaN where it is None or no number."""
    values = _each(items, name)
    # Few values are distinct: each is turned into a number once.
    known = {value: number(value) for value in set(values)}
    return np.fromiter(map(known.__getitem__, values), dtype=np.float64, count=len(values))


def _first_of_each(whole: BindingTable) -> BoolArray:
    """The first row of every key: those of a source event met for the first time, then by position."""
    key = np.zeros(whole.size, dtype=np.int64)
    for name in KEY:
        column = whole.text[name]
        if len(column.labels) < 2:
            continue
        # Renumbered at every step, so that the product of many label counts cannot overflow.
        _, key = np.unique(key * len(column.labels) + column.codes, return_inverse=True)
    order = np.lexsort((whole.numbers["position"], whole.numbers["duplicate"]))
    _, starts = np.unique(key[order], return_index=True)
    first = np.zeros(whole.size, dtype=np.bool_)
    first[order[starts]] = True
    return first
