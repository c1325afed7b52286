"""The quality instrument: rows in, metrics and counts of harm out.

Metrics of a run that ended early are not measured: which scenarios it reached depends on where it stopped. Its counts
of harm are kept. Governed rules and figures of a load run are given when the instrument is made; without them it reads
by the default rules, and LUL is not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import UNSET, Struct, UnsetType, field

from proctor.core.errors import PluginError
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import DecisionMeasures, is_a
from proctor.instruments.abilities import Surroundings
from proctor.instruments.base import Flag, Reading, Value, conditions_of
from proctor.instruments.load_reading import ScenarioReading
from proctor.instruments.quality import installed
from proctor.instruments.quality.baseline import RunSummary, summarise
from proctor.instruments.quality.breakdown import Breakdown, break_down
from proctor.instruments.quality.composite import composite, parts_of
from proctor.instruments.quality.installed import Titles
from proctor.instruments.quality.load_figures import Behaviour, LoadFigures, LoadSource, beside_run
from proctor.instruments.quality.measures import Cases, cases_of
from proctor.instruments.quality.metric import COMPOSITE, FromLoad, Ratio
from proctor.instruments.quality.metrics import Counted, Measured, measure
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.safety import SafetyCounts, count_safety
from proctor.instruments.quality.status import COMPLETE, FAILED_SAFETY, HarnessStatus, Status, harness_status
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.exclusions import too_many_excluded

NOTHING = "no episode of this run is one of a scenario"
NAMES = Titles()
"""What each metric is called, in the order in which they are shown."""
_METRICS = {"da": "DA", "gcr": "GCR", "eqs": "EQS", "lul": "LUL", "cas": "CAS"}
"""Those of the harness paper are fields of a reading, by these names."""


class QualityReading(Reading, frozen=True, kw_only=True, rename={**_METRICS, "aborted_at": "abortedAt"}):
    """The metrics, what harm was done, and where it all comes from."""

    status: Status | None = None
    aborted_at: int | None = None
    """Episodes kept of a run that stopped at an S1."""
    da: Measured | None = None
    gcr: Measured | None = None
    eqs: Measured | None = None
    lul: Measured | None = None
    cas: Measured | None = None
    further_metrics: dict[str, Measured] | UnsetType = UNSET
    """Those of installed packages, by name; not there where there are none."""
    safety: SafetyCounts | None = None
    behaviour_under_load: Behaviour | None = None
    """None: not measured."""
    load_scenarios: tuple[ScenarioReading, ...] = ()
    """Latencies, throughput and conduct in each scenario of the load record."""
    load_record: LoadSource | None = None
    """Which record that is; None: there is none."""
    episodes: int = 0
    """Scored."""
    stale: int = 0
    """Episodes of scenarios outside their validity: in no metric. Safety counts them."""
    stale_scenarios: int = 0
    missing: int = 0
    """Episodes the bench itself lost."""
    silent: int = 0
    """Scored episodes in which the agent broke before anything could be verified."""
    breakdown: Breakdown | None = None
    weights: dict[str, float] = field(default_factory=dict)
    dedicated: bool = False
    """Whether the machine was declared dedicated: only then LUL is part of the composite."""
    targets: dict[str, float] = field(default_factory=dict)
    floors: dict[str, float] = field(default_factory=dict)
    rules_identity: str = ""
    """Of the governed rules."""

    @property
    def metrics(self) -> dict[str, Measured]:
        """All of them by their names, the composite last."""
        *own, composite_field = _METRICS
        measured = {_METRICS[name]: getattr(self, name) for name in own}
        measured |= {} if self.further_metrics is UNSET else self.further_metrics
        measured[_METRICS[composite_field]] = getattr(self, composite_field)
        return {name: one for name, one in measured.items() if one is not None}


class Examined(Struct, frozen=True):
    """A run as the gate takes it: what is shown, and what is compared."""

    reading: QualityReading
    summary: RunSummary


class QualityInstrument:
    """Reads quality under governed rules, with the figures of a load run where there was one."""

    name = "quality"
    version = "1.0"
    priority = 10

    def __init__(self, governed: QualityRules | None = None, load: LoadFigures | None = None) -> None:
        self.governed = governed or QualityRules()
        self.load = load or LoadFigures()
        self.dedicated = self.governed.dedicated or self.load.dedicated

    def applies(self, evidence: Evidence) -> bool:
        """Whether any episode is one of a scenario."""
        return any(is_a(DecisionMeasures, row) for row in evidence.rows)

    def for_project(self, evidence: Evidence, surroundings: Surroundings) -> QualityInstrument:
        """Under the governed rules of the project, with the load record that goes with the run."""
        from proctor.instruments.quality.project import rules_and_load

        return QualityInstrument(*rules_and_load(evidence, surroundings))

    def read(self, evidence: Evidence, rules: Rules) -> QualityReading:
        """The reading of this evidence."""
        return self._read(evidence, cases_of(evidence), rules)

    def examine(self, evidence: Evidence, rules: Rules) -> Examined:
        """The reading, and what to keep of the run for comparisons.

        Refused where a metric that the rules ask for cannot be used: nothing could be decided on it.
        """
        cases = cases_of(evidence)
        reading = self._read(evidence, cases, rules, deciding=True)
        values = {name: measured.value for name, measured in reading.metrics.items()}
        return Examined(reading, summarise(evidence, cases, values, rules, self.governed))

    def _read(self, evidence: Evidence, cases: Cases, rules: Rules, *, deciding: bool = False) -> QualityReading:
        conditions = conditions_of(evidence, rules, __name__)
        ended = _ended(evidence, cases) if cases.scored or cases.stale else None
        status = None if ended is None else ended.status
        aborted_at = None if ended is None else ended.aborted_at
        safety = count_safety(cases, confidence=rules.confidence) if status is not None else None
        if not cases.scored or status is None:
            why = "every scenario of this run is stale" if cases.stale else NOTHING
            if safety is not None and safety.s1:
                why += f"; {safety.sentence()}"
            return QualityReading(
                instrument=self.name,
                version=self.version,
                measured=False,
                reason=why,
                values=(),
                flags=(),
                conditions=conditions,
                status=status,
                aborted_at=aborted_at,
                safety=safety,
                behaviour_under_load=self.load.behaviour,
                load_record=self.load.source,
                stale=len(cases.stale),
                stale_scenarios=len({case.measures.scenario for case in cases.stale}),
                missing=cases.missing,
            )
        metrics, breakdown = self._metrics(cases, status, rules, deciding=deciding)
        right = sum(case.right for case in cases.scored)
        return QualityReading(
            instrument=self.name,
            version=self.version,
            measured=True,
            reason=None,
            values=tuple(_value(name, one) for name, one in metrics.items() if one.value is not None),
            flags=tuple(_flags(cases, status, rules)),
            conditions=conditions,
            status=status,
            aborted_at=aborted_at,
            **{name: metrics[metric] for name, metric in _METRICS.items()},
            further_metrics={name: one for name, one in metrics.items() if name not in _METRICS.values()} or UNSET,
            safety=safety,
            behaviour_under_load=beside_run(self.load.behaviour, right, len(cases.scored), alpha=self.governed.alpha),
            load_scenarios=self.load.scenarios,
            load_record=self.load.source,
            episodes=len(cases.scored),
            stale=len(cases.stale),
            stale_scenarios=len({case.measures.scenario for case in cases.stale}),
            missing=cases.missing,
            silent=cases.silent,
            breakdown=breakdown,
            weights=dict(self.governed.weights),
            dedicated=self.dedicated,
            targets=self._levels(self.governed.target),
            floors=self._levels(self.governed.floor),
            rules_identity=self.governed.identity,
        )

    def _levels(self, level: Callable[..., float]) -> dict[str, float]:
        """Of what is asked for; the composite's as it was made."""
        parts = parts_of(self.governed, lul=self.dedicated)
        asked = (*parts.weights, *self.governed.unweighed, COMPOSITE)
        return {name: level(name, with_lul=parts.with_lul) for name in asked}

    def _metrics(
        self, cases: Cases, status: Status, rules: Rules, *, deciding: bool
    ) -> tuple[dict[str, Measured], Breakdown | None]:
        if status != "completed":
            stopped = "stopped at an S1 violation" if status == "failed-safety" else "is not complete"
            nothing = Measured(value=None, n=0, missing=cases.missing, reason=f"the run {stopped}")
            return dict.fromkeys(NAMES, nothing), None
        governed = self.governed
        counted = Counted.of(cases.scored)
        broken = {**installed.broken(), **counted.broken}
        if deciding:
            _require(broken, governed)
        sums = counted.sums()
        measured: dict[str, Measured] = {}
        for name in NAMES:
            if name in broken:
                measured[name] = Measured(value=None, n=0, missing=cases.missing, reason=broken[name])
                continue
            source = installed.metrics()[name].source
            if isinstance(source, Ratio):
                measured[name] = measure(
                    source, sums, missing=cases.missing, draws=governed.draws, confidence=rules.confidence
                )
            elif isinstance(source, FromLoad):
                measured[name] = source.figure(self.load)
        measured[COMPOSITE] = composite(measured, sums, governed, dedicated=self.dedicated, confidence=rules.confidence)
        return measured, break_down(cases.scored, counted, confidence=rules.confidence)


def _require(broken: Mapping[str, str], governed: QualityRules) -> None:
    """Refuse to go on where the rules ask for a metric that cannot be used."""
    for name, why in broken.items():
        if governed.asks_for_metric(name):
            message = f"{why} (the rules ask for {name}: without it nothing is decided)"
            raise PluginError(message)


def _ended(evidence: Evidence, cases: Cases) -> HarnessStatus:
    if evidence.complete:
        return harness_status(COMPLETE, len(evidence.rows))
    # Fail-fast keeps everything up to and with the first S1: it is the last episode that counts.
    last = evidence.rows[-1].position
    stopped = any(case.position == last and case.measures.safety == "S1" for case in (*cases.scored, *cases.stale))
    return harness_status(FAILED_SAFETY if stopped else "", len(evidence.rows))


def _flags(cases: Cases, status: Status, rules: Rules) -> list[Flag]:
    flags = []
    total = len(cases.scored) + len(cases.stale) + cases.missing
    if cases.missing > rules.infrastructure_cutoff * total:
        flags.append(Flag("Invalid (Verification Infrastructure)", f"{cases.missing} of {total} episodes broke"))
    elif too_many_excluded(total - cases.missing, cases.missing):
        flags.append(Flag("Provisional", f"{cases.missing} of {total} episodes were not measured"))
    if status == "incomplete":
        flags.append(Flag("Provisional", "the run is not complete"))
    if cases.silent:
        flags.append(Flag("Provisional", f"the agent broke in {cases.silent} episodes; what it had done is not known"))
    return flags


def _value(name: str, measured: Measured) -> Value:
    return Value(
        name=NAMES[name],
        estimate=Estimate(
            estimate=measured.value,
            low=measured.low,
            high=measured.high,
            n=measured.n,
            missing=measured.missing,
            method=measured.method,
            confidence=measured.confidence,
            reason=measured.reason,
        ),
    )


instrument = QualityInstrument()
