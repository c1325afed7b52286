"""What is kept of a run to compare later ones with, and the baseline made of such runs.

Plain data: a file of it can be carried to another machine and gives the same gate there. It holds what was decided in
every scenario, so that metrics can be worked out again on the scenarios two runs share, under other weights, or after
the oracle changed its mind about an action.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from proctor.core.errors import InputError, ProctorError
from proctor.core.hashing import content_hash
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import DecisionMeasures
from proctor.evidence.row import SUCCESS
from proctor.instruments.quality.installed import ratios
from proctor.instruments.quality.measures import Case, Cases, evidence_quality
from proctor.instruments.quality.metric import Ratio
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.safety import acts_of
from proctor.spec.rules import Rules

FAILED = "failed"
"""The fault of a scenario that did not succeed, whatever was wrong with it."""


class Decided(Struct, frozen=True, array_like=True):
    """What was decided in one episode of a scenario."""

    replicate: int
    action: str
    action_key: str
    """Digest of name and arguments; empty where it is not known."""
    correct: int
    gates_ok: int
    evidence: float | None
    """Quality of the bundle; None where none is required."""


class ScenarioRecord(Struct, frozen=True, omit_defaults=True):
    """One scenario in one run."""

    hash: str
    template: str
    """Family and template, the cluster of intervals."""
    weight: float
    gates: int
    decided: tuple[Decided, ...]
    counted: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    """Part and whole of further metrics, by name, episode by episode as in `decided`; as they were measured then."""
    levels: tuple[int, ...] | None = None
    """How many required gates were passed at the right level, episode by episode as in `decided`. None: no gate is
    required, or it was kept before this was. Here and not in `decided`, so that files from before keep their digest."""
    faults: tuple[str, ...] | None = None
    """What else was wrong in any of its episodes, see `faults_of`, and `failed` where one did not succeed; sorted. No
    decision rests on it: reports say by it since when something is wrong. None: kept before this was."""


class RunSummary(Struct, frozen=True, kw_only=True):
    """A run as later runs are compared with it."""

    run: str
    root: str | None
    config_hash: str
    timestamp: str
    agent: str
    system: str
    suite: str
    suite_hash: str
    """Over the suite and the source of its families."""
    rules_hash: str
    """Over the run's rules and the governed ones."""
    complete: bool
    s1: int
    metrics: dict[str, float | None]
    """As the reading gave them; comparisons work them out again on shared scenarios."""
    scenarios: dict[str, ScenarioRecord]
    """By scenario id."""


class Anchor(Struct, frozen=True):
    """A release that stays where it is, so that many small accepted steps down are seen."""

    release: str
    runs: tuple[RunSummary, ...]


class Baseline(Struct, frozen=True, kw_only=True):
    """Accepted runs. Frozen at acceptance; only `ratchet` raises it, and age never lowers it."""

    runs: tuple[RunSummary, ...]
    anchor: Anchor
    accepted_at: str
    rising: tuple[RunSummary, ...] = ()
    """The confirming run of a rise and those after it, until they are as many as the runs they replace."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the pipeline wants to keep beside it: who accepted, why."""

    @property
    def separate_anchor(self) -> tuple[RunSummary, ...]:
        """The runs of the anchor; none where they are the accepted ones."""
        same = {one.run for one in self.anchor.runs} == {one.run for one in self.runs}
        return () if same else self.anchor.runs


def summarise(
    evidence: Evidence, cases: Cases, metrics: Mapping[str, float | None], rules: Rules, governed: QualityRules
) -> RunSummary:
    """What to keep of a run. Stale scenarios are not part of it; one id with two contents is refused."""
    recorded: dict[str, ScenarioRecord] = {}
    decided: dict[str, list[tuple[Decided, Case]]] = {}
    faults: dict[str, set[str]] = defaultdict(set)
    failed = {row.position for row in evidence.rows if row.outcome != SUCCESS}
    for case in cases.scored:
        measures = case.measures
        record = ScenarioRecord(measures.hash, case.cluster, case.weight, measures.gates, ())
        first = recorded.setdefault(measures.scenario, record)
        if first.hash != measures.hash:
            message = f"scenario '{measures.scenario}' has two contents in one run; give one of them another id"
            raise InputError(message)
        quality = round(evidence_quality(measures), 12) if measures.evidence else None
        one = Decided(
            case.replicate, measures.action, measures.action_key, measures.correct, measures.gates_ok, quality
        )
        decided.setdefault(measures.scenario, []).append((one, case))
        faults[measures.scenario] |= {*faults_of(measures), *([FAILED] if case.position in failed else [])}
    frozen = evidence.frozen
    further = _countable(cases.scored)
    return RunSummary(
        run=evidence.run,
        root=evidence.root,
        config_hash=evidence.config_hash,
        timestamp=frozen.timestamp,
        agent=frozen.agent,
        system=f"{frozen.system.name} {frozen.system.version}",
        suite=frozen.suite.full_name,
        suite_hash=content_hash([frozen.suite.identity, sorted(family.behaviour for family in frozen.families)]),
        rules_hash=content_hash([rules.identity, governed.identity]),
        complete=evidence.complete,
        s1=sum(case.measures.safety == "S1" for case in (*cases.scored, *cases.stale)),
        metrics=dict(metrics),
        scenarios={
            name: replace(_recorded(recorded[name], decided[name], further), faults=tuple(sorted(faults[name])))
            for name in sorted(recorded)
        },
    )


def faults_of(measures: DecisionMeasures) -> frozenset[str]:
    """What was wrong in an episode beside its action, the type of its gates and its evidence.

    `S1`, `S2`, `S3` and `unclassified` acts, the `level` that was asked, and `over_asking`.
    """
    found = set(acts_of(measures))
    if measures.gate_levels_ok < measures.gates_ok:
        found.add("level")
    if measures.over_asked:
        found.add("over_asking")
    return frozenset(found)


def _countable(cases: Sequence[Case]) -> dict[str, Ratio]:
    """Metrics without a place of their own in a record; without those that fail in an episode of this run."""
    counted: dict[str, Ratio] = {}
    for name, metric in ratios().items():
        if metric.kept is None:
            with suppress(ProctorError):  # The reading says why; the runs cannot be compared on it.
                for case in cases:
                    metric.part(case)
                counted[name] = metric
    return counted


def _recorded(
    record: ScenarioRecord, lived: Sequence[tuple[Decided, Case]], further: Mapping[str, Ratio]
) -> ScenarioRecord:
    """The scenario with its episodes, by replicate, and what further metrics counted in them."""
    ordered = sorted(lived, key=lambda one: one[0].replicate)
    counted = {
        name: tuple((metric.part(case), metric.whole(case)) for _, case in ordered) for name, metric in further.items()
    }
    levels = tuple(case.measures.gate_levels_ok for _, case in ordered) if record.gates else None
    return replace(record, decided=tuple(one for one, _ in ordered), counted=counted, levels=levels)


def accept(
    runs: Iterable[RunSummary], *, at: str, release: str, governed: QualityRules, anchor: Anchor | None = None
) -> Baseline:
    """A baseline of these runs; without an anchor they are the anchor too. What cannot be accepted is one sentence."""
    given = tuple(runs)
    if len(given) < governed.least_runs:
        message = f"a baseline needs at least {governed.least_runs} runs; there are {len(given)}"
        raise InputError(message)
    names = [run.run for run in given]
    if len(set(names)) < len(names):
        message = "a baseline counts every run once; one of these is given twice"
        raise InputError(message)
    for run in given:
        if not run.complete or not run.scenarios:
            message = f"run {run.run} is not complete; accept complete runs only"
            raise InputError(message)
        if run.s1:
            message = f"run {run.run} has an S1 violation; it cannot be part of a baseline"
            raise InputError(message)
    return Baseline(runs=given, anchor=anchor or Anchor(release, given), accepted_at=at)


Judge = Callable[[str, Decided], bool | None]
"""Scenario id and what was decided → whether it is acceptable now; None: cannot be told."""


def rescored(run: RunSummary, judge: Judge, hashes: Mapping[str, str]) -> RunSummary:
    """The run under a changed oracle: `hashes` gives the new content hash of each scenario whose actions changed.

    A scenario in which any decision cannot be judged keeps its old hash, and so pairs with nothing any more.
    """
    scenarios = dict(run.scenarios)
    for name, content in hashes.items():
        record = run.scenarios.get(name)
        if record is None:
            continue
        verdicts = [judge(name, one) for one in record.decided]
        if any(verdict is None for verdict in verdicts):
            continue
        decided = tuple(replace(one, correct=int(bool(v))) for one, v in zip(record.decided, verdicts, strict=True))
        scenarios[name] = replace(record, hash=content, decided=decided)
    return replace(run, scenarios=scenarios)
