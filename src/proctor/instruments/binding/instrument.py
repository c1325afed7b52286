"""The binding instrument: rows in, scores, gates, audits and tables out.

What a run can be asked depends on what it holds: the six-code benchmark, the cell matrix of the families, sufficiency,
coupling, entropies, the curve, robustness arms. Whatever is not there is left out and never zero. Several runs (models)
are read together with `together`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.evidence.evidence import INCOMPLETE, Evidence
from proctor.evidence.measures import BindingMeasures, is_a
from proctor.evidence.replies import cut_off
from proctor.instruments.base import Flag, Value, conditions_of
from proctor.instruments.binding.analysis import Analysis
from proctor.instruments.binding.audits import completeness, diagnostics, leakage
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import NOT_MET
from proctor.instruments.binding.interface import Interface, interface_audits, interface_of, withheld
from proctor.instruments.binding.reading import BindingReading, Claim
from proctor.instruments.binding.table import Collapsed, Read, table_of
from proctor.instruments.binding.tables_behaviour import add_metadata
from proctor.instruments.binding.tables_controls import add_audits, add_gates, add_variants
from proctor.instruments.binding.twins import has_twins
from proctor.instruments.binding.versions import OLD, of_one_design, permitted, withhold
from proctor.spec.condition import Condition
from proctor.spec.rules import Rules

NOTHING = "no episode of this run is a binding probe"
UNVERIFIED = "{broke} of {all} episodes ended without a verification: the agent broke in {agent}, the bench in {bench}"
SCAFFOLD = "structured"
"""Agent strings of the scaffold whose modules made the fields it reports."""


class BindingInstrument:
    """Reads whether actions follow the state that should decide them."""

    name = "binding"
    version = "1.0"
    priority = 20

    def applies(self, evidence: Evidence) -> bool:
        """Whether any episode is one of a binding probe."""
        return any(is_a(BindingMeasures, row) for row in evidence.rows)

    def read(self, evidence: Evidence, rules: Rules) -> BindingReading:
        """The reading of one run."""
        return self.together({evidence.frozen.agent: evidence}, rules)

    def together(self, runs: Mapping[str, Evidence], rules: Rules) -> BindingReading:
        """The reading of several runs, each under the name of its model."""
        read = table_of(runs)
        first = next(iter(runs.values()))
        conditions = conditions_of(first, rules, __name__)
        if read.table.size == 0:
            return BindingReading(
                instrument=self.name,
                version=self.version,
                measured=False,
                reason=_nothing(read.collapsed),
                values=(),
                flags=(),
                conditions=conditions,
                records=read.collapsed if read.collapsed.observed else None,
            )
        declared = _conditions(runs)
        table, other = of_one_design(read.table)
        parts = Analysis(table, declared, rules, scaffolded=_scaffolded(runs))
        parts.measure()
        replies = interface_of(table, declared)
        audits = (*completeness(read.collapsed), *interface_audits(replies), *leakage(read, runs.values()))
        diagnosed = diagnostics(read)
        parts.tables.later(lambda tables: add_gates(tables, parts.gates))
        parts.tables.later(lambda tables: add_audits(tables, audits, diagnosed))
        parts.tables.later(lambda tables: add_metadata(tables, table))
        parts.tables.later(lambda tables: add_variants(tables, table.present("condition")))
        claims = permitted(parts.claims, table, [one.frozen.suite.name for one in runs.values()], rules)
        flags = [*_flags(read, runs, parts, rules, replies), *_version(table, other)]
        return BindingReading(
            instrument=self.name,
            version=self.version,
            measured=True,
            reason=None,
            values=tuple(_values(parts)),
            flags=tuple(flags),
            conditions=conditions,
            records=read.collapsed,
            gates=tuple(parts.gates),
            audits=audits,
            diagnostics=diagnosed,
            contrasts=parts.contrasts,
            controls=parts.controls,
            cells=parts.cells,
            sufficiency=parts.sufficiency,
            coupling=parts.coupling,
            calibration=parts.calibration,
            budgets=parts.budgets,
            robustness=parts.robustness,
            interface=replies.sentence,
            claims=_of_whole_runs(withheld(claims, replies), runs),
            scope=parts.scope,
            data=parts.tables,
        )


def _nothing(collapsed: Collapsed) -> str:
    """Why there is nothing to read."""
    if not collapsed.observed:
        return NOTHING
    broke = collapsed.lost + collapsed.unplaced
    said = UNVERIFIED.format(broke=broke, all=collapsed.observed, agent=collapsed.unplaced, bench=collapsed.lost)
    return f"{said}; `proctor show RUN POSITION` shows how one of them ended"


def _conditions(runs: Mapping[str, Evidence]) -> dict[str, Condition]:
    return {name: one for evidence in runs.values() for name, one in evidence.frozen.suite.all_conditions.items()}


def _scaffolded(runs: Mapping[str, Evidence]) -> bool:
    return all(evidence.frozen.agent.partition(":")[0] == SCAFFOLD for evidence in runs.values())


def _values(parts: Analysis) -> list[Value]:
    return parts.values


def _flags(read: Read, runs: Mapping[str, Evidence], parts: Analysis, rules: Rules, replies: Interface) -> list[Flag]:
    cut = cut_off(row for evidence in runs.values() for row in evidence.rows)
    flags = [Flag("Replies", cut.sentence)] if cut.cut else []
    flags += [Flag("Interface", replies.sentence)] if replies.failed else []
    collapsed = read.collapsed
    if collapsed.lost > rules.infrastructure_cutoff * max(collapsed.observed, 1):
        reason = f"{collapsed.lost} of {collapsed.observed} episodes broke"
        flags.append(Flag("Invalid (Verification Infrastructure)", reason))
    if unfinished := _unfinished(runs):
        flags.append(Flag("Provisional", unfinished))
    if collapsed.unplaced:
        flags.append(Flag("Provisional", f"{collapsed.unplaced} episodes could not be placed: the agent broke in all"))
    for gate in parts.gates:
        unmet = ", ".join(one.name for one in gate.criteria if one.status == NOT_MET)
        if unmet:
            flags.append(Flag("Boundary", f"{gate.name} gate not met: {unmet}"))
    return flags


def _of_whole_runs(claims: Sequence[Claim], runs: Mapping[str, Evidence]) -> tuple[Claim, ...]:
    """The ledger, of which nothing is supported before every run is complete: what is there was not drawn by chance."""
    unfinished = _unfinished(runs)
    return withhold(claims, unfinished) if unfinished else tuple(claims)


def _unfinished(runs: Mapping[str, Evidence]) -> str:
    """Which runs are not complete, and how far they are; empty where all are."""
    said = [one.unfinished for one in runs.values() if one.unfinished]
    if len(runs) == 1 or not said:
        return "".join(said)
    parts = (f"{one.run} {one.unfinished.removeprefix(f'{INCOMPLETE}: ')}" for one in runs.values() if one.unfinished)
    return f"{INCOMPLETE}: {', '.join(parts)}"


def _version(table: BindingTable, other: int) -> list[Flag]:
    if not has_twins(table):
        return [Flag("Version", OLD)]
    left = f"{other} rows of binding 1.0 are left out: the two versions are not comparable"
    return [Flag("Version", left)] if other else []


instrument = BindingInstrument()
