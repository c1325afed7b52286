"""The questions a run can be asked, each asked if it holds what the question needs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from proctor.instruments.base import Value
from proctor.instruments.binding import claims as ledger
from proctor.instruments.binding.calibration import Budget, Calibration, calibration_of, forced_budget, prior_cells
from proctor.instruments.binding.cells import ControlSummary, cells_of, summarise_cells
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.contrasts import Contrast, Contrasts, EventScores, condition_of
from proctor.instruments.binding.coupling import CouplingSummary, content_only, couplings, summarise_coupling
from proctor.instruments.binding.criteria import Gate, at_least
from proctor.instruments.binding.curve import curve, slopes
from proctor.instruments.binding.entropy import Layered
from proctor.instruments.binding.gate import behaviour_gate, boundary_gate
from proctor.instruments.binding.inference import FEWEST_UNITS, Inference, infer
from proctor.instruments.binding.reading import Claim
from proctor.instruments.binding.robustness import RobustnessArm, robustness
from proctor.instruments.binding.scores import BASIC_PROBES, COMPONENTS, COMPOSITE, Counted, count
from proctor.instruments.binding.sufficiency import CONDITIONS, Sufficiency, interval, is_sufficiency, sufficiency_of
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.tables_behaviour import (
    add_components,
    add_contrasts,
    add_inference,
    add_probe_rates,
    mixed_row,
)
from proctor.instruments.binding.tables_controls import add_cells, add_coupling, add_sufficiency
from proctor.instruments.binding.tables_traces import add_curve, add_entropy, add_robustness, add_traces
from proctor.instruments.binding.traces import trace_metrics
from proctor.instruments.binding.variants import STRUCTURED, TERMS, references
from proctor.spec.condition import Condition
from proctor.spec.ontology import FOUR_CODES, SIX_CODES
from proctor.spec.rules import Rules
from proctor.stats.intervals import mean
from proctor.stats.mixed import mixed_mean

_TITLES = {
    "RSI": "reason binding (B_RSI)",
    "MCI": "memory binding (B_MCI)",
    "VEI": "veto binding (B_VEI)",
    "SCI": "self-continuity binding (B_SCI)",
    COMPOSITE: "binding composite",
}


class Parts:
    """What was found, question by question."""

    def __init__(
        self, table: BindingTable, conditions: Mapping[str, Condition], rules: Rules, *, scaffolded: bool
    ) -> None:
        self.table = table
        # Several models: a dataset of one model is a unit of its own, and is compared with nothing but itself.
        self.rows = table.joined("dataset", "run", "dataset") if len(table.present("run")) > 1 else table
        self.conditions = conditions
        self.rules = rules
        self.scaffolded = scaffolded
        self.tables = Tables()
        self.values: list[Value] = []
        self.gates: list[Gate] = []
        self.claims: list[Claim] = []
        self.contrasts: tuple[Inference, ...] = ()
        self.controls: tuple[Inference, ...] = ()
        self.cells: tuple[ControlSummary, ...] = ()
        self.sufficiency: tuple[Sufficiency, ...] = ()
        self.coupling: CouplingSummary | None = None
        self.calibration: Calibration | None = None
        self.budget: Budget | None = None
        self.robustness: tuple[RobustnessArm, ...] = ()
        self.scope = ""

    def measure(self) -> None:
        """Ask everything that can be asked."""
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
        table = self.rows.of("ontology", SIX_CODES.name)
        probes = set(table.present("probe"))
        if not set(BASIC_PROBES[1:]) <= probes:
            return
        counted = count(table)
        contrasts, events = Contrasts(table), EventScores(table)
        found = contrasts.primary()
        self.contrasts = tuple(self._infer(events, one) for one in found)
        self.controls = tuple(self._infer(events, one) for one in contrasts.controls())
        gate = behaviour_gate(table, {one.contrast: one for one in self.contrasts})
        self.gates.append(gate)
        self.claims.append(ledger.behaviour_claim(gate, self.contrasts))
        self.scope = self.contrasts[0].scope
        extended = count(table, extended=True) if probes - set(BASIC_PROBES) else None
        add_components(self.tables, counted, extended, count(table, "dataset", "condition", "replicate"))
        add_probe_rates(self.tables, table)
        add_contrasts(self.tables, table, counted, found)
        add_inference(self.tables, "inference", "What is said about each declared contrast", self.contrasts)
        add_inference(self.tables, "controls", "The composite against every other Condition", self.controls)
        self._auxiliary(events, found)
        self._component_values(events, counted)
        self.values += [
            Value(f"contrast: {one.contrast}", one.across, where={"unit": one.unit})
            if one.events is None
            else Value(f"contrast: {one.contrast}", one.events, where={"unit": "event"})
            for one in self.contrasts
        ]

    def _auxiliary(self, scores: EventScores, found: tuple[Contrast, ...]) -> None:
        """Mixed-effect fits over events within datasets. They decide nothing."""
        rows = []
        for one in found:
            if one.first and one.second:
                events = scores.contrast(one.metric, one.first, one.second)
                fit = mixed_mean(list(events.values()), [key[0] for key in events], confidence=self.rules.confidence)
                rows.append({"contrast": one.name, **mixed_row(fit)})
        self.tables.add("mixed_effects", "Mixed-effect fits, auxiliary: they decide nothing", rows)

    def _component_values(self, events: EventScores, counted: Mapping[tuple[str, ...], Counted]) -> None:
        for condition in sorted({key[1] for key in counted}):
            mine = [one for key, one in counted.items() if key[1] == condition]
            for metric in (*COMPONENTS, COMPOSITE):
                scores = [one.score(metric) for one in mine]
                values = [None if score is None else float(score) for score in scores]
                known = sum(value is not None for value in values)
                if not known:
                    continue
                if known < FEWEST_UNITS:
                    # Too few datasets to speak of others: the interval is over events.
                    values = list(events.score(metric, condition).values())
                estimate = mean(values, confidence=self.rules.confidence)
                unit = "event" if known < FEWEST_UNITS else "dataset"
                self.values.append(Value(_TITLES[metric], estimate, where={"condition": condition, "unit": unit}))

    def _infer(self, events: EventScores, one: Contrast) -> Inference:
        known = [value for value in one.values.values() if value is not None]
        few = 0 < len(known) < FEWEST_UNITS
        return infer(
            one.name,
            one.values,
            profile=self.rules.profile,
            confidence=self.rules.confidence,
            events=list(events.contrast(one.metric, one.first, one.second).values()) if few else None,
        )

    def _cells(self) -> None:
        table = self.table.of("ontology", FOUR_CODES.name)
        if condition_of(table, STRUCTURED) is None or STRUCTURED not in table.present("variant"):
            return
        cells = cells_of(table)
        if not cells:
            return
        self.cells = summarise_cells(cells, profile=self.rules.profile, confidence=self.rules.confidence)
        add_cells(self.tables, cells, self.cells)
        gate = boundary_gate(self.cells)
        if gate is not None:
            self.gates.append(gate)
        self.claims.append(ledger.cells_claim(self.cells))
        self.values += [
            Value(f"structured over {one.control}", one.families.across, where={"unit": "family"}) for one in self.cells
        ]

    def _sufficiency(self) -> None:
        if not is_sufficiency(self.table):
            return
        confidence = self.rules.confidence
        self.sufficiency = tuple(sufficiency_of(self.table, model) for model in self.table.present("run"))
        add_sufficiency(self.tables, self.sufficiency, confidence=confidence)
        self.claims.append(ledger.sufficiency_claim(self.sufficiency))
        for one in self.sufficiency:
            self.gates.append(one.gate)
            self.values += [
                Value(
                    "sufficiency accuracy",
                    interval(one.accuracy[condition], confidence=confidence),
                    successes=one.accuracy[condition].k,
                    where={"condition": condition, "model": one.model},
                )
                for condition in CONDITIONS
                if one.accuracy[condition].n
            ]

    def _coupling(self) -> None:
        known = np.ones(self.rows.size, dtype=np.bool_)
        for term in TERMS:
            known &= ~np.isnan(self.rows.numbers[f"t_{term}"])
        content = content_only(self.rows)
        if not known.any():
            add_coupling(self.tables, (), (), None, content)
            return
        found = couplings(self.rows, self.conditions, scaffolded=self.scaffolded)
        replicated = couplings(self.rows, self.conditions, scaffolded=self.scaffolded, by_replicate=True)
        self.coupling = summarise_coupling(
            found, self.conditions, profile=self.rules.profile, confidence=self.rules.confidence
        )
        add_coupling(self.tables, found, replicated, self.coupling, content)
        if self.coupling is not None:
            self.claims.append(ledger.coupling_claim(self.coupling))
            self.values += [
                Value(f"coupling over {one.comparator}", one.inference.across, where={"unit": "dataset"})
                for one in self.coupling.contrasts
            ]

    def _traces(self) -> None:
        found = trace_metrics(self.rows)
        if found:
            add_traces(self.tables, found)

    def _entropy(self) -> None:
        layered = Layered(self.rows)
        found = layered.entropies()
        gaps = [
            one
            for name, reference in references(self.table.present("condition")).items()
            if name != reference and (one := layered.gap(name, reference)) is not None
        ]
        self.calibration = calibration_of(self.rows, self.conditions)
        cells = prior_cells(self.table)
        add_entropy(self.tables, found, gaps, self.calibration, cells)
        if self.calibration is not None:
            self.gates.append(self.calibration.gate)
            self.claims.append(ledger.entropy_claim(self.calibration))
        if cells:
            met = sum(one.met for one in cells)
            self.gates.append(Gate.of("entropy prior", at_least("cells within 0.10 bit", met / len(cells), 1.0)))

    def _budget(self) -> None:
        self.budget = forced_budget(self.table, self.conditions)
        if self.budget is not None:
            self.gates.append(self.budget.gate)
            self.claims.append(ledger.budget_claim(self.budget))

    def _curve(self) -> None:
        confidence = self.rules.confidence
        add_curve(self.tables, curve(self.rows, confidence=confidence), slopes(self.rows, confidence=confidence))

    def _robustness(self) -> None:
        self.robustness = robustness(self.rows)
        declared = [one.criterion for one in self.robustness if one.criterion is not None]
        if declared:
            self.gates.append(Gate.of("robustness", *declared))
        add_robustness(self.tables, self.robustness)
