"""The report of a gate: composite score, per-metric breakdown, regression analysis, recommendation.

Data first (`report.json`), then the same as Markdown (`report.md`), which a terminal, a pull request and a browser can
show. Written from the outputs of earlier stages alone: the same outputs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import canonical
from proctor.core.hashing import sha256_hex
from proctor.instruments.base import Flag
from proctor.instruments.quality.breakdown import Breakdown
from proctor.instruments.quality.instrument import NAMES
from proctor.instruments.quality.load_figures import Behaviour, LoadSource
from proctor.instruments.quality.metrics import Measured
from proctor.instruments.quality.regression import Paired, Regression, confirmations
from proctor.instruments.quality.safety import SafetyCounts
from proctor.instruments.quality.turned import Still, Turned
from proctor.reports.failure_table import failure_table
from proctor.reports.gate_results import ReportGeneration, RunConfig, StageResults
from proctor.reports.isolation import Isolation, isolation_of
from proctor.reports.markdown_text import code, plain
from proctor.reports.scenario_failures import Failures
from proctor.spec.frozen import FrozenRun, Seed

MAX_SLICES = 12
MAX_FAILURES = 50
STATEMENT = (
    "This decides about one agent on these scenarios under these rules. It is no statement on anything the scenarios "
    "do not hold."
)
UNSIGNED = (
    "> **Nobody signed these rules and this oracle.** They are the first that this ledger knows of the suite; where an "
    "earlier ledger was removed, it looks the same. Give the first gate a `--key`, or commit an exported baseline."
)


class CompositeScore(Struct, frozen=True, kw_only=True, rename={"cas": "CAS"}):
    """The composite, what it is made of, and the harm that no composite shows."""

    cas: Measured | None
    weights: dict[str, float]
    safety: SafetyCounts | None


class MetricBreakdown(Struct, frozen=True, kw_only=True):
    """Every metric but the composite, and by what they can be cut."""

    metrics: dict[str, Measured | None]
    breakdown: Breakdown | None
    behaviour_under_load: Behaviour | None
    load_record: LoadSource | None
    stale_scenarios: int
    missing: int
    flags: tuple[Flag, ...]


class RegressionAnalysis(Struct, frozen=True, kw_only=True):
    """The run against the accepted ones."""

    baseline: str | None
    baseline_standing: str | None
    rerun: str | None
    confirming: str | None
    unable: str | None
    regressions: tuple[Regression, ...]
    confirming_regressions: tuple[Regression, ...]
    confirming_again: str | None = None
    confirming_again_regressions: tuple[Regression, ...] = ()
    repeating: str | None = None
    turned: tuple[Turned, ...] = ()
    still: Still | None = None


class Recommendation(Struct, frozen=True, kw_only=True):
    """What the gate is to do."""

    result: str
    exit_code: int
    reasons: tuple[str, ...]
    notes: tuple[str, ...]


class GateReport(Struct, frozen=True, kw_only=True, rename={"aborted_at": "abortedAt"}):
    """The four sections as data, and what they hold under."""

    pipeline: str
    suite: str
    scope: str | None
    agent: str
    label: str
    system: str
    run: str
    root: str | None
    seed: Seed
    """`hidden` where it is."""
    timestamp: str
    config: RunConfig | None
    status: str | None
    aborted_at: int | None
    triggers: tuple[str, ...]
    charter: str
    standing: str
    unsigned: bool
    isolation: Isolation
    partial: bool
    scenarios_run: int | None = None
    """How many of the governed scenarios were run."""
    scenarios_governed: int | None = None
    profile: str
    statement: str = STATEMENT
    composite_score: CompositeScore
    per_metric_breakdown: MetricBreakdown
    regression_analysis: RegressionAnalysis
    recommendation: Recommendation
    failures: Failures | None = None
    """The scenarios that went wrong; None in reports from before they were listed."""


def gate_report(
    pipeline: str, frozen: FrozenRun, label: str, results: StageResults, failures: Failures | None = None
) -> GateReport:
    """The report of a pipeline from what its stages gave; `label` is what must be said of the agent."""
    scenarios, execution = results.scenario_generation, results.agent_execution
    reading, regression = results.metric_calculation.reading, results.regression_detection
    decision = regression.decision
    metrics = {name: reading.metrics.get(name) for name in NAMES}
    return GateReport(
        pipeline=pipeline,
        suite=scenarios.suite,
        scope=scenarios.scope,
        agent=frozen.agent,
        label=label,
        system=f"{frozen.system.name} {frozen.system.version}".strip(),
        run=execution.run,
        root=execution.root,
        seed=frozen.seed if isinstance(frozen.seed, int) else "hidden",
        timestamp=frozen.timestamp,
        config=execution.config,
        status=reading.status,
        aborted_at=reading.aborted_at,
        triggers=results.opened.triggers,
        charter=scenarios.charter,
        standing=scenarios.standing,
        unsigned=scenarios.unsigned,
        isolation=isolation_of(frozen),
        partial=scenarios.partial,
        scenarios_run=scenarios.run,
        scenarios_governed=scenarios.governed,
        profile=frozen.rules.profile,
        composite_score=CompositeScore(
            cas=metrics["CAS"],
            weights={str(name): weight for name, weight in reading.weights.items()},
            safety=reading.safety,
        ),
        per_metric_breakdown=MetricBreakdown(
            metrics={name: metric for name, metric in metrics.items() if name != "CAS"},
            breakdown=reading.breakdown,
            behaviour_under_load=reading.behaviour_under_load,
            load_record=reading.load_record,
            stale_scenarios=reading.stale_scenarios,
            missing=reading.missing,
            flags=reading.flags,
        ),
        regression_analysis=RegressionAnalysis(
            baseline=regression.baseline,
            baseline_standing=regression.baseline_standing,
            rerun=regression.rerun,
            confirming=regression.confirming,
            unable=regression.unable,
            regressions=decision.regressions,
            confirming_regressions=decision.confirming,
            confirming_again=regression.confirming_again,
            confirming_again_regressions=decision.confirming_again,
            repeating=regression.repeating,
            turned=decision.turned,
            still=decision.still,
        ),
        recommendation=Recommendation(
            result=decision.result, exit_code=decision.exit_code, reasons=decision.reasons, notes=decision.notes
        ),
        failures=failures,
    )


def write_gate_report(report: GateReport, folder: Path) -> ReportGeneration:
    """Write both files; what the stage keeps."""
    data = canonical(report)
    for name, content in (("report.json", data + b"\n"), ("report.md", report_text(report).encode())):
        with atomic_write(folder / name) as file:
            file.write(content)
    return ReportGeneration(
        summary=f"report in {folder / 'report.md'}", files=("report.json", "report.md"), sha256=sha256_hex(data)
    )


def report_text(report: GateReport) -> str:
    """The same in Markdown."""
    recommendation = report.recommendation
    parts = [
        f"# {plain(recommendation.result)}: {plain(report.agent)} on {plain(report.suite)}"
        + (f", scope {plain(report.scope)}" if report.scope else ""),
        f"Run {code(report.run)}, root {code((report.root or 'none')[:16])}, pipeline {code(report.pipeline)}, "
        f"logical time {plain(report.timestamp)}, profile {plain(report.profile)}. The {plain(report.standing)}."
        + (
            f" {report.scenarios_run:,} of {report.scenarios_governed:,} governed scenarios were run."
            if report.scenarios_run is not None and report.scenarios_governed is not None
            else ""
        )
        + (" Only some of the suite's scenarios were run." if report.partial else "")
        + (f" Set off by {plain(', '.join(report.triggers))}." if report.triggers else ""),
        f"> **{plain(report.label)}**" if report.label else "",
        UNSIGNED if report.unsigned else "",
        report.isolation.sentence(),
        "## Composite score",
        *_composite(report.composite_score),
        "## Per-metric breakdown",
        *_metrics(report.per_metric_breakdown),
        "## Regression analysis",
        *_regression(report.regression_analysis),
        "## Recommendation",
        f"**{plain(recommendation.result)}** (exit code {recommendation.exit_code})",
        _list(recommendation.reasons),
        *_failures(report.failures),
        *([f"To be known besides:\n\n{_list(recommendation.notes)}"] if recommendation.notes else []),
        plain(report.statement),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _composite(section: CompositeScore) -> list[str]:
    weights = ", ".join(f"{name} {section.weights[name]:g}" for name in NAMES if name in section.weights)
    lines = [_table(["score", "value", _interval([section.cas]), "n"], [_row("CAS", section.cas)])]
    if weights:
        lines.append(f"Weights: {weights}.")
    if section.cas is not None and section.cas.note:
        lines.append(f"The composite is {plain(section.cas.note)}.")
    safety = section.safety
    if safety is not None:
        stale = f" ({safety.s1_stale} in stale scenarios)" if safety.s1_stale else ""
        elsewhere = f"{safety.s2} in safety scenarios and {safety.s2_elsewhere} elsewhere"
        counts = f"S1 {safety.s1}{stale}, S2 {elsewhere}, S3 {safety.s3}"
        ceiling = safety.s1_rate_ceiling
        sure = f"{100 * safety.confidence:g} % confidence"
        bound = "" if ceiling is None else f"; the true S1 rate is at most {100 * ceiling:.2g} % ({sure})"
        lines.append(f"Safety in {safety.episodes:,} episodes: {counts}, unclassified {safety.unclassified}{bound}.")
        if safety.acts:
            acts = ", ".join(f"{name} {count:,}" for name, count in safety.acts.items())
            leave = (
                f"; {safety.unapproved:,} episodes ended with an act done without leave" if safety.unapproved else ""
            )
            lines.append(f"Acts by class, several in an episode counted each: {acts}{leave}.")
    return lines


def _metrics(section: MetricBreakdown) -> list[str]:
    metrics = section.metrics
    lines = [_table(["metric", "value", _interval(metrics.values()), "n"], [_row(n, m) for n, m in metrics.items()])]
    beside = [
        f"{name}: " + ", ".join(f"{what.replace('_', ' ')} {_number(value)}" for what, value in metric.beside.items())
        for name, metric in metrics.items()
        if metric is not None and metric.beside
    ]
    lines.append(_list(beside))
    behaviour = section.behaviour_under_load
    if behaviour is not None:
        verdict = {True: "as expected", False: "not as expected", None: "cannot be said"}[behaviour.as_expected]
        lines.append(f"Behaviour under load: {plain('; '.join([verdict, *behaviour.reasons]))}.")
        if behaviour.alone is not None:
            lines.append(f"Under load, {plain(behaviour.alone.sentence())}.")
    if section.load_record is not None:
        lines.append(f"Load record: {plain(section.load_record.sentence())}.")
    if section.stale_scenarios:
        lines.append(f"{section.stale_scenarios} stale scenarios are in no metric; safety counts what was done there.")
    if section.missing:
        lines.append(f"{section.missing} episodes were lost by the bench and are in no metric.")
    lines += [f"{plain(flag.name)}: {plain(flag.reason)}." for flag in section.flags]
    return [*lines, *_slices(section.breakdown)]


def _slices(breakdown: Breakdown | None) -> list[str]:
    if breakdown is None:
        return []
    lines = []
    for by, slices in (("categories", breakdown.categories), ("coordinates", breakdown.coordinates)):
        rows = [
            [one.name, *(_sliced(metric) for metric in one.metrics.values()), str(one.episodes)]
            for one in slices[:MAX_SLICES]
        ]
        if rows:
            lines.append(_table([by, *slices[0].metrics, "episodes"], rows))
        if len(slices) > MAX_SLICES:
            lines.append(f"{MAX_SLICES} of {len(slices)} {by} are shown; `report.json` has all of them.")
    return lines


def _regression(section: RegressionAnalysis) -> list[str]:
    if section.baseline is None:
        return ["There is no accepted baseline to compare with."]
    lines = [f"Baseline {code(section.baseline[:16])}; {plain(str(section.baseline_standing))}."]
    if not section.regressions:
        lines.append("The run was not compared with it: its metrics are not measured.")
    for title, regressions in (
        ("", section.regressions),
        ("Confirming rerun: ", section.confirming_regressions),
        ("Second confirming rerun: ", section.confirming_again_regressions),
    ):
        for regression in regressions:
            lines += _compared(f"{title}against the {regression.against} ({regression.runs} runs)", regression)
    if section.confirming:
        lines.append(f"Confirming rerun on fresh replicate streams: run {code(section.confirming)}.")
    if section.confirming_again:
        lines.append(f"Second confirming rerun: run {code(section.confirming_again)}.")
    if section.repeating:
        lines.append(f"Scenarios that turned were repeated, in company of others, in run {code(section.repeating)}.")
    if section.unable:
        lines.append(f"{plain(section.unable)}.")
    return lines


def _compared(head: str, regression: Regression) -> list[str]:
    if regression.reason is not None:
        return [f"{plain(head)}: {plain(regression.reason)}."]
    rows = [
        [
            metric,
            _number(test.baseline),
            _number(test.current),
            _tested(test.p_lower, test.p_lower_holm),
            _tested(test.welch_lower, test.welch_lower_holm),
            _number(test.tolerance),
            _number(test.detectable),
            _number(test.detectable_blocked),
        ]
        for metric, test in regression.tests.items()
    ]
    reruns = "a rerun" if confirmations(regression.runs) == 1 else "two reruns"
    smallest = ["smallest detectable drop (caught)", f"confirmed by {reruns} (blocked)"]
    header = ["metric", "accepted", "now", "p (run; Holm)", "p (Welch; Holm)", "tolerance", *smallest]
    decides = f"{regression.deciding_test} test decides at α = {regression.alpha:g}"
    shares = f"{100 * regression.overlap:.0f} % of scenarios shared, the {decides}"
    return [f"{plain(head)}, {plain(shares)}:", _table(header, rows), *_paired(regression.paired)]


def _tested(p: float | None, holm: float | None) -> str:
    """A p-value, and what it is when all metrics are looked at."""
    return "–" if p is None else f"{_number(p)}; {_number(holm)}"


def _paired(paired: Paired | None) -> list[str]:
    if paired is None:
        return []
    change, p = paired.bootstrap, paired.mcnemar.p_value
    interval = "no interval" if change.low is None else f"{change.low:.4f} to {change.high:.4f}"
    return [
        f"Scenario by scenario, reported and not deciding: {len(paired.worse)} turned wrong and "
        f"{len(paired.better)} turned right (McNemar, p = {_number(p)}); mean change of correctness "
        f"{_number(change.estimate)} ({100 * change.confidence:g} % interval over templates: {interval})."
    ]


def _failures(failures: Failures | None) -> list[str]:
    if failures is None:
        return []
    lines = []
    turned = [one for one in failures.scenarios if one.turned]
    rest = [one for one in failures.scenarios if not one.turned]
    for title, listed, count in (
        ("Turned wrong", turned, len(turned)),
        ("Went wrong", rest, failures.count - len(turned)),
    ):
        if listed:
            lines += [f"### {title} ({count:,})", failure_table(listed[:MAX_FAILURES])]
        if count > MAX_FAILURES:
            lines.append(f"{MAX_FAILURES} are shown; `report.json` has {min(count, len(listed)):,}.")
    if failures.turned_right:
        names = ", ".join(code(name) for name in failures.turned_right)
        lines += [f"### Turned right ({len(failures.turned_right):,})", names]
    return lines


def _interval(metrics: Iterable[Measured | None]) -> str:
    """Title of a column of intervals, with the level they have."""
    levels = {f"{100 * metric.confidence:g} % " for metric in metrics if metric is not None and metric.low is not None}
    return f"{levels.pop() if len(levels) == 1 else ''}interval"


def _row(name: str, metric: Measured | None) -> list[str]:
    if metric is None or metric.value is None:
        why = "" if metric is None or not metric.reason else f": {metric.reason}"
        return [name, f"not measured{why}", "–", "–" if metric is None else f"{metric.n:,}"]
    interval = "–" if metric.low is None else f"{metric.low:.3f} to {metric.high:.3f}"
    return [name, _number(metric.value), interval, f"{metric.n:,}"]


def _sliced(metric: Measured) -> str:
    """A metric of some of the episodes: a few are no rate without its interval."""
    if metric.value is None:
        return "–"
    interval = "no interval" if metric.low is None else f"{metric.low:.2f} to {metric.high:.2f}"
    return f"{_number(metric.value)} ({interval}; n {metric.n:,})"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [list(map(plain, header)), ["---"] * len(header), *(map(plain, row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
