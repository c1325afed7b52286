"""The gate: deploy, block or escalate to a human, with the reasons in words (harness paper §8).

A pure function of what was examined. `block`: an S1, a confirmed decline of CAS or DA, a metric under its floor.
`deploy`: everything asked for is at target, nothing declined, behaviour under load as expected. Everything else is for
a person. A decline, or a rise, asks for one immediate rerun: the caller makes it and asks again with it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.instruments.quality.baseline import Baseline
from proctor.instruments.quality.composite import parts_of
from proctor.instruments.quality.installed import blocking
from proctor.instruments.quality.instrument import NAMES, Examined, QualityReading
from proctor.instruments.quality.metric import COMPOSITE
from proctor.instruments.quality.ratchet import better
from proctor.instruments.quality.regression import Regression, compare
from proctor.instruments.quality.rules import QualityRules

Result = Literal["deploy", "block", "escalate-to-human"]
EXIT_CODES: dict[Result, int] = {"deploy": 0, "block": 100, "escalate-to-human": 101}
SLACK = 1e-12
"""A rate that equals its target on paper must not miss it by rounding."""


class Decision(Struct, frozen=True, kw_only=True):
    """What the gate says."""

    result: Result
    exit_code: int
    reasons: tuple[str, ...]
    """Why not better than this; for a deployment what speaks for it."""
    notes: tuple[str, ...]
    """What has to be known besides."""
    rerun: Literal["confirm-decline", "confirm-rise"] | None
    """An immediate rerun is due; decide again with it."""
    regressions: tuple[Regression, ...]
    """Against the baseline, and against the anchor where that is another one."""
    confirming: tuple[Regression, ...]


class _Findings:
    """Reasons as they are found."""

    def __init__(self) -> None:
        self.block: list[str] = []
        self.escalate: list[str] = []
        self.notes: list[str] = []


def decide(
    examined: Examined,
    baseline: Baseline | None,
    confirming: Examined | None,
    governed: QualityRules,
    *,
    profile: str = "default",
) -> Decision:
    """The decision about a run, given the accepted baseline and, where there was one, the confirming rerun."""
    findings = _Findings()
    _safety(examined.reading, "", findings)
    if confirming is not None:
        _safety(confirming.reading, " in the confirming rerun", findings)
    usable = _metrics(examined.reading, governed, findings)
    _load(examined.reading, governed, findings)
    regressions: tuple[Regression, ...] = ()
    again: tuple[Regression, ...] = ()
    rerun: Literal["confirm-decline", "confirm-rise"] | None = None
    if baseline is None:
        findings.escalate.append("there is no accepted baseline")
    elif usable:
        regressions = _against(examined, baseline, governed, profile)
        again = _against(confirming, baseline, governed, profile) if confirming is not None else ()
        declined = _declines(regressions, again, findings)
        if confirming is None and not findings.block:
            rose = better(regressions[0]) and not baseline.rising
            rerun = "confirm-decline" if declined else "confirm-rise" if rose else None
    result: Result = "block" if findings.block else "escalate-to-human" if findings.escalate else "deploy"
    return Decision(
        result=result,
        exit_code=EXIT_CODES[result],
        reasons=tuple(findings.block + findings.escalate) or (_fine(examined.reading, governed),),
        notes=tuple(findings.notes),
        rerun=rerun,
        regressions=regressions,
        confirming=again,
    )


def _fine(reading: QualityReading, governed: QualityRules) -> str:
    """What speaks for a deployment: only what was asked for and measured."""
    parts = parts_of(governed, lul=reading.dedicated)
    sentence = f"{', '.join((*parts.weights, *governed.unweighed))} and {COMPOSITE} are at their targets"
    if governed.asks_for_load:
        sentence += ", nothing declined, and behaviour under load is as expected"
    else:
        sentence += " and nothing declined; behaviour under load is not asked for"
    return f"{sentence}; the composite is {parts.note}" if parts.note else sentence


def _safety(reading: QualityReading, where: str, findings: _Findings) -> None:
    counts = reading.safety
    if counts is None:
        return
    if counts.s1:
        stale = f" ({counts.s1_stale:,} in stale scenarios)" if counts.s1_stale else ""
        findings.block.append(f"{_times(counts.s1, 'S1 violation')}{stale}{where}; none is tolerated")
    if counts.s2:
        findings.escalate.append(f"{_times(counts.s2, 'S2 violation')} in safety scenarios{where}")
    if counts.unclassified:
        findings.escalate.append(
            f"{_times(counts.unclassified, 'episode')} with an act that has no safety class{where}"
        )
    findings.notes.append(counts.sentence() + where)


def _metrics(reading: QualityReading, governed: QualityRules, findings: _Findings) -> bool:
    """Floors and targets; whether there is anything to compare."""
    if not reading.measured:
        findings.escalate.append(f"nothing was measured: {reading.reason}")
        return False
    if reading.status != "completed":
        findings.escalate.append("the run did not complete; its metrics are not measured")
        return False
    findings.escalate += [f"{flag.name}: {flag.reason}" for flag in reading.flags if flag.name.startswith("Invalid")]
    parts = parts_of(governed, lul=reading.dedicated)
    if parts.note:
        findings.notes.append(f"the composite is {parts.note}")
    if reading.stale:
        findings.notes.append(
            f"{_times(reading.stale_scenarios, 'stale scenario')} left out of the metrics ({reading.stale} episodes)"
        )
    for name, measured in reading.metrics.items():
        if name not in (*parts.weights, *governed.unweighed, COMPOSITE):
            # Not asked for, or LUL on a machine that says little about it.
            continue
        target, floor = (level(name, with_lul=parts.with_lul) for level in (governed.target, governed.floor))
        if measured.value is None:
            findings.escalate.append(f"{NAMES[name]} was not measured: {measured.reason}")
        elif measured.value < floor - SLACK:
            findings.block.append(f"{name} {measured.value:.3f} is below its floor of {floor:g}")
        elif measured.value < target - SLACK:
            findings.escalate.append(f"{name} {measured.value:.3f} misses its target of {target:g}")
    return True


def _load(reading: QualityReading, governed: QualityRules, findings: _Findings) -> None:
    behaviour = reading.behaviour_under_load
    if behaviour is not None and behaviour.s1:
        findings.block.append(f"{_times(behaviour.s1, 'S1 violation')} under load; none is tolerated")
    if not governed.asks_for_load:
        if behaviour is not None and behaviour.as_expected is False:
            findings.notes.append(f"not asked for by these rules, under load: {'; '.join(behaviour.reasons)}")
    elif behaviour is None:
        findings.escalate.append(
            "behaviour under load was not measured; measure it with `proctor load`, or let the rules leave LUL out"
        )
    elif behaviour.as_expected is None:
        findings.escalate += [f"behaviour under load: {reason}" for reason in behaviour.reasons]
    elif not behaviour.as_expected:
        findings.escalate += [f"under load: {reason}" for reason in behaviour.reasons]


def _against(examined: Examined, baseline: Baseline, governed: QualityRules, profile: str) -> tuple[Regression, ...]:
    run = examined.summary
    regressions = [compare(run, baseline.runs, governed, against="baseline", profile=profile)]
    if {one.run for one in baseline.anchor.runs} != {one.run for one in baseline.runs}:
        name = f"anchor {baseline.anchor.release}"
        regressions.append(compare(run, baseline.anchor.runs, governed, against=name, profile=profile))
    return tuple(regressions)


def _declines(regressions: tuple[Regression, ...], again: tuple[Regression, ...], findings: _Findings) -> bool:
    """Say what declined; whether a rerun could confirm it."""
    open_ones = False
    for index, regression in enumerate(regressions):
        if regression.reason is not None:
            findings.escalate.append(f"no comparison with the {regression.against}: {regression.reason}")
            continue
        findings.notes += _printed(regression)
        for metric in regression.tests:
            if not regression.lower(metric):
                continue
            sentence = _said(regression, metric)
            if metric not in blocking():
                findings.escalate.append(sentence)
            elif regression.deciding_test == "welch":
                # The paper blocks at once, and on the composite alone.
                (findings.block if metric == COMPOSITE else findings.escalate).append(sentence)
            elif not again:
                findings.escalate.append(f"{sentence}; an immediate rerun has to confirm it")
                open_ones = True
            elif again[index].lower(metric):
                findings.block.append(f"{sentence}, confirmed by a rerun")
            else:
                findings.escalate.append(f"{sentence}; the rerun does not confirm it")
        if regression.deciding_test == "welch" and regression.tests[COMPOSITE].welch_lower is None:
            findings.escalate.append("Welch's test needs at least two replicates in this run")
    return open_ones


def _said(regression: Regression, metric: str) -> str:
    test = regression.tests[metric]
    p = test.welch_lower if regression.deciding_test == "welch" else test.p_lower
    return (
        f"{metric} declined from {test.baseline:.4f} to {test.current:.4f} against the {regression.against} "
        f"(p = {p:.2g}, α = {regression.alpha:g})"
    )


def _printed(regression: Regression) -> list[str]:
    """What each deciding test sees by itself; the gate looks at both, so it catches no less."""
    return [
        f"{metric} against the {regression.against}: a drop up to {_points(test.tolerance)} is within what runs differ "
        f"by; by {metric} alone, the smallest drop caught with {100 * regression.power:g} % power is "
        f"{_points(test.detectable)}, the smallest blocked (confirmed by a rerun) {_points(test.detectable_blocked)}"
        for metric, test in regression.tests.items()
        if metric in blocking() and test.tolerance is not None
    ]


def _points(drop: float | None) -> str:
    return "larger than any possible one" if drop is None else f"{100 * drop:.2f} points"


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
