"""The six-code benchmark of a run: component scores of every Condition, and the declared contrasts where they exist.

A run may hold all its probes and none of its comparisons (a matched-interface run, an agent lesioned in its own state):
then there are scores and no behaviour gate, rather than a gate of which nothing was measured.
"""

from __future__ import annotations

from collections.abc import Mapping

from proctor.instruments.base import Value
from proctor.instruments.binding import claims as ledger
from proctor.instruments.binding.absolute import Absolute, absolute_criteria, absolute_rows, absolutes
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.contrasts import Contrast, Contrasts, EventScores
from proctor.instruments.binding.designs import basic_probes, count
from proctor.instruments.binding.gate import behaviour_gate
from proctor.instruments.binding.inference import MIN_UNITS, Inference, infer, scope_of
from proctor.instruments.binding.own_state import own_state_gate
from proctor.instruments.binding.results import Results
from proctor.instruments.binding.scores import COMPONENTS, COMPOSITE, Counted
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.tables_behaviour import (
    add_components,
    add_contrasts,
    add_inference,
    add_probe_rates,
    mixed_row,
)
from proctor.instruments.binding.twins import has_twins
from proctor.spec.rules import Rules
from proctor.stats.intervals import mean
from proctor.stats.mixed import mixed_mean

TITLES = {
    "RSI": "reason binding (B_RSI)",
    "MCI": "memory binding (B_MCI)",
    "VEI": "veto binding (B_VEI)",
    "SCI": "self-continuity binding (B_SCI)",
    COMPOSITE: "binding composite",
}


class Benchmark:
    """One table of six-code probes, asked everything."""

    def __init__(self, table: BindingTable, rules: Rules, results: Results) -> None:
        self.table = table
        self.rules = rules
        self.results = results
        self.events = EventScores(table)

    def measure(self) -> None:
        """Scores first, then whatever comparisons the run has."""
        probes = set(self.table.present("probe"))
        if not set(basic_probes(self.table)[1:]) <= probes:
            return
        table, results = self.table, self.results
        counted = count(table)
        results.tables.later(lambda tables: self._component_tables(tables, counted))
        self._component_values(counted)
        results.scope = scope_of(len({key[0] for key in counted}))
        contrasts = Contrasts(table)
        if contrasts.first is None:
            return
        results.controls = tuple(self._infer(one) for one in contrasts.controls())
        title = "The composite against every other Condition"
        results.tables.later(lambda tables: add_inference(tables, "controls", title, results.controls))
        bindings = self._absolutes(contrasts.first, counted)
        gate = own_state_gate(contrasts.first, results.controls, absolute_criteria(bindings))
        if gate is None:
            self._declared(counted, contrasts.primary(), bindings)
        else:
            results.gates.append(gate)
            results.claims.append(ledger.own_state_claim(gate, results.controls))

    def _absolutes(self, first: str, counted: Mapping[tuple[str, ...], Counted]) -> tuple[Absolute, ...]:
        """Where texts have twins, each score by itself and beside the surface player's."""
        if not has_twins(self.table):
            return ()
        found = absolutes(self.table.of("condition", first), counted, self.events, first, self.rules)
        title = "Each score of the structured Condition by itself, beside the surface player's"
        self.results.tables.later(lambda tables: tables.add("absolute", title, absolute_rows(found)))
        return found

    def _declared(
        self,
        counted: Mapping[tuple[str, ...], Counted],
        declared: tuple[Contrast, ...],
        bindings: tuple[Absolute, ...],
    ) -> None:
        """The declared contrasts, their gate and what may be claimed."""
        table, results = self.table, self.results
        results.contrasts = tuple(self._infer(one) for one in declared)
        gate = behaviour_gate(table, {one.contrast: one for one in results.contrasts}, more=absolute_criteria(bindings))
        results.gates.append(gate)
        # Extended probes are lesioned, but not the rows of the benchmark that stand beside them.
        lesioned = all(one.units for one in results.contrasts)
        results.claims.append(ledger.behaviour_claim(gate, results.contrasts, bindings, lesioned=lesioned))
        results.tables.later(lambda tables: self._contrast_tables(tables, counted, declared))
        results.values += [
            Value(f"contrast: {one.contrast}", one.across, where={"unit": one.unit})
            if one.events is None
            else Value(f"contrast: {one.contrast}", one.events, where={"unit": "event"})
            for one in results.contrasts
        ]

    def _component_tables(self, tables: Tables, counted: Mapping[tuple[str, ...], Counted]) -> None:
        more = set(self.table.present("probe")) - set(basic_probes(self.table))
        extended = count(self.table, extended=True) if more else None
        add_components(tables, counted, extended, count(self.table, "dataset", "condition", "replicate"))
        add_probe_rates(tables, self.table)

    def _contrast_tables(
        self, tables: Tables, counted: Mapping[tuple[str, ...], Counted], declared: tuple[Contrast, ...]
    ) -> None:
        add_contrasts(tables, self.table, counted, declared)
        add_inference(tables, "inference", "What is said about each declared contrast", self.results.contrasts)
        self._auxiliary(tables, declared)

    def _auxiliary(self, tables: Tables, declared: tuple[Contrast, ...]) -> None:
        """Mixed-effect fits over events within datasets. They decide nothing."""
        rows = []
        for one in declared:
            if one.first and one.second:
                events = self.events.contrast(one.metric, one.first, one.second)
                fit = mixed_mean(list(events.values()), [key[0] for key in events], confidence=self.rules.confidence)
                rows.append({"contrast": one.name, **mixed_row(fit)})
        tables.add("mixed_effects", "Mixed-effect fits, auxiliary: they decide nothing", rows)

    def _component_values(self, counted: Mapping[tuple[str, ...], Counted]) -> None:
        for condition in sorted({key[1] for key in counted}):
            mine = [one for key, one in counted.items() if key[1] == condition]
            for metric in (*COMPONENTS, COMPOSITE):
                scores = [one.score(metric) for one in mine]
                values = [None if score is None else float(score) for score in scores]
                known = sum(value is not None for value in values)
                if not known:
                    continue
                if known < MIN_UNITS:
                    # Too few datasets to speak of others: the interval is over events.
                    values = list(self.events.score(metric, condition).values())
                estimate = mean(values, confidence=self.rules.confidence)
                unit = "event" if known < MIN_UNITS else "dataset"
                self.results.values.append(
                    Value(TITLES[metric], estimate, where={"condition": condition, "unit": unit})
                )

    def _infer(self, one: Contrast) -> Inference:
        known = [value for value in one.values.values() if value is not None]
        few = 0 < len(known) < MIN_UNITS
        return infer(
            one.name,
            one.values,
            profile=self.rules.profile,
            confidence=self.rules.confidence,
            events=list(self.events.contrast(one.metric, one.first, one.second).values()) if few else None,
        )
