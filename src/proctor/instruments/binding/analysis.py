"""The analyses of a run, each made if the run has the rows that it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from proctor.instruments.base import Value
from proctor.instruments.binding import claims as ledger
from proctor.instruments.binding.benchmark import Benchmark
from proctor.instruments.binding.budget import add_budgets, forced_budgets
from proctor.instruments.binding.calibration import PriorCell, calibration_of, prior_cells, prior_gate
from proctor.instruments.binding.cells import cells_of, summarise_cells
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.content import add_content, content_index, content_only, coupling_gate
from proctor.instruments.binding.contrasts import condition_of
from proctor.instruments.binding.coupling import couplings, summarise_coupling
from proctor.instruments.binding.criteria import Criterion, Gate
from proctor.instruments.binding.curve import curve, slopes
from proctor.instruments.binding.entropy import Layered
from proctor.instruments.binding.gate import boundary_gate
from proctor.instruments.binding.inference import scope_of
from proctor.instruments.binding.own_words import (
    FieldEffect,
    add_own_words,
    field_effects,
    has_own_words,
    words_gate,
    words_index,
)
from proctor.instruments.binding.results import Results
from proctor.instruments.binding.robustness import robustness
from proctor.instruments.binding.sufficiency import CONDITIONS, interval, is_sufficiency, sufficiency_of
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.tables_controls import add_cells, add_coupling, add_sufficiency
from proctor.instruments.binding.tables_traces import add_curve, add_entropy, add_robustness, add_traces
from proctor.instruments.binding.traces import trace_metrics
from proctor.instruments.binding.twins import above_twins, family_gains, has_twins
from proctor.instruments.binding.variants import STRUCTURED, TERMS, references
from proctor.spec.condition import Condition
from proctor.spec.ontology import FOUR_CODES, SIX_CODES
from proctor.spec.rules import Rules


class Analysis(Results):
    """The results of a run, and the analyses that fill them in."""

    def __init__(
        self, table: BindingTable, conditions: Mapping[str, Condition], rules: Rules, *, scaffolded: bool
    ) -> None:
        super().__init__()
        self.table = table
        # The surface player leaves a corpus out, whichever models were asked on it.
        rows = BindingTable({**table.text, "corpus": table.text["dataset"]}, table.numbers)
        # Several models: a dataset of one model is a unit of its own, and is compared with nothing but itself.
        self.rows = rows.joined("dataset", "run", "dataset") if len(table.present("run")) > 1 else rows
        self.conditions = conditions
        self.rules = rules
        self.scaffolded = scaffolded

    def measure(self) -> None:
        """Make every analysis the run has rows for."""
        self._benchmark()
        self._cells()
        self._sufficiency()
        self._coupling()
        self._traces()
        self._entropy()
        self._budget()
        self._curve()
        self._robustness()

    def _benchmark(self) -> None:
        Benchmark(self.rows.of("ontology", SIX_CODES.name), self.rules, self).measure()

    def _cells(self) -> None:
        table = self.table.of("ontology", FOUR_CODES.name)
        if condition_of(table, STRUCTURED) is None or STRUCTURED not in table.present("variant"):
            return
        cells = cells_of(table)
        if not cells:
            return
        self.cells = summarise_cells(cells, profile=self.rules.profile, confidence=self.rules.confidence)
        self.tables.later(lambda tables: add_cells(tables, cells, self.cells))
        gate = boundary_gate(self.cells, self._structured_alone(table))
        if gate is not None:
            self.gates.append(gate)
        self.claims.append(ledger.cells_claim(self.cells, gate))
        self.scope = self.scope or self.cells[0].families.scope
        self.values += [
            Value(f"structured over {one.control}", one.families.across, where={"unit": "family"}) for one in self.cells
        ]

    def _structured_alone(self, table: BindingTable) -> tuple[Criterion, ...]:
        """Where texts have twins, the structured Condition has to tell them apart whatever the controls do."""
        if not has_twins(table):
            return ()
        rows = table.where(table.is_in("variant", (STRUCTURED,)) & table.is_in("arm_of", ("",)))
        return (above_twins(family_gains(rows, self.rules.confidence, "structured, less its twin")),)

    def _sufficiency(self) -> None:
        if not is_sufficiency(self.table):
            return
        confidence = self.rules.confidence
        self.sufficiency = tuple(sufficiency_of(self.table, model) for model in self.table.present("run"))
        self.tables.later(lambda tables: add_sufficiency(tables, self.sufficiency, confidence=confidence))
        self.claims.append(ledger.sufficiency_claim(self.sufficiency, spelled=not has_twins(self.table)))
        families = len(self.table.of("variant", *CONDITIONS).present("family"))
        self.scope = self.scope or scope_of(families, unit="family")
        for one in self.sufficiency:
            self.gates.append(one.gate)
            self.values += [
                Value(
                    "sufficiency accuracy",
                    interval(one, condition, confidence=confidence),
                    successes=one.accuracy[condition].k,
                    where={"condition": condition, "model": one.model},
                )
                for condition in CONDITIONS
                if one.accuracy[condition].n
            ]

    def _coupling(self) -> None:
        confidence = self.rules.confidence
        twins = has_twins(self.rows)
        effects: tuple[FieldEffect, ...] = ()
        if has_own_words(self.rows):
            index = words_index(self.rows, confidence=confidence)
            effects = field_effects(self.rows, confidence=confidence)
            self.tables.later(lambda tables: add_own_words(tables, effects, index))
        else:
            # With twins a field that spells its code is evidence of nothing: whoever copies codes follows it.
            index = None if twins else content_index(self.rows, confidence=confidence)
            shares = content_only(self.rows, confidence=confidence)
            self.tables.later(lambda tables: add_content(tables, shares, index))
        known = np.ones(self.rows.size, dtype=np.bool_)
        for term in TERMS:
            known &= ~np.isnan(self.rows.numbers[f"t_{term}"])
        if not known.any():
            return
        coupled = partial(couplings, self.rows, self.conditions, scaffolded=self.scaffolded)
        by_dataset, replicated, events = coupled(by=""), partial(coupled, by="replicate"), coupled(by="event")
        self.coupling = summarise_coupling(
            by_dataset, self.conditions, events=events, profile=self.rules.profile, confidence=confidence
        )
        self.tables.later(lambda tables: add_coupling(tables, by_dataset, replicated(), self.coupling))
        if self.coupling is None:
            return
        decided = [(one.comparator, one.inference.above_zero) for one in self.coupling.contrasts if one.control]
        gate = words_gate(decided, effects, index) if twins else coupling_gate(decided, index)
        self.gates.append(gate)
        self.claims.append(ledger.coupling_claim(self.coupling, gate, index, effects))
        self.values += [
            Value(f"coupling over {one.comparator}", one.inference.across, where={"unit": "dataset"})
            if one.inference.events is None
            else Value(f"coupling over {one.comparator}", one.inference.events, where={"unit": "event"})
            for one in self.coupling.contrasts
        ]

    def _traces(self) -> None:
        self.tables.later(lambda tables: add_traces(tables, trace_metrics(self.rows)))

    def _entropy(self) -> None:
        self.calibration = calibration_of(self.rows, self.conditions)
        cells = prior_cells(self.table)
        self.tables.later(lambda tables: self._entropy_tables(tables, cells))
        if self.calibration is not None:
            self.gates.append(self.calibration.gate)
            self.claims.append(ledger.entropy_claim(self.calibration))
        if cells:
            gate = prior_gate(cells)
            self.gates.append(gate)
            self.claims.append(ledger.prior_claim(cells, gate))

    def _entropy_tables(self, tables: Tables, cells: Sequence[PriorCell]) -> None:
        layered = Layered(self.rows)
        gaps = [
            one
            for name, reference in references(self.table.present("condition")).items()
            if name != reference and (one := layered.gap(name, reference)) is not None
        ]
        add_entropy(tables, layered.entropies(), gaps, self.calibration, cells)

    def _budget(self) -> None:
        self.budgets = forced_budgets(self.table, self.conditions)
        if self.budgets:
            self.gates.append(self.budgets[0].gate)
            self.claims.append(ledger.budget_claim(self.budgets))
            self.tables.later(lambda tables: add_budgets(tables, self.table, self.budgets))

    def _curve(self) -> None:
        at = {"confidence": self.rules.confidence}
        self.tables.later(lambda tables: add_curve(tables, curve(self.rows, **at), slopes(self.rows, **at)))

    def _robustness(self) -> None:
        self.robustness = robustness(self.rows)
        declared = [one.criterion for one in self.robustness if one.criterion is not None]
        if declared:
            self.gates.append(Gate.of("robustness", *declared))
        self.tables.later(lambda tables: add_robustness(tables, self.robustness))
