"""The gate: deploy, block or escalate to a human, with the reasons in words (harness paper §8).

A pure function of what was examined. `block`: an S1, a confirmed decline of CAS or DA, a metric under its floor.
`deploy`: everything asked for is at target, nothing declined, behaviour under load as expected. Everything else is for
a person. A decline, or a rise, asks for one immediate rerun: the caller makes it and asks again with it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from proctor.instruments.quality.baseline import Baseline
from proctor.instruments.quality.composite import parts_of
from proctor.instruments.quality.installed import blocking, load_metrics
from proctor.instruments.quality.instrument import NAMES, Examined, QualityReading
from proctor.instruments.quality.metric import COMPOSITE
from proctor.instruments.quality.ratchet import better
from proctor.instruments.quality.regression import Regression, compare, confirmations
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.safety import SafetyCounts
from proctor.instruments.quality.turned import (
    MOST_NAMED,
    Still,
    Turned,
    named,
    never_right,
    open_repeats,
    still_baseline,
    turned_scenarios,
    wavering_sentence,
)
from proctor.instruments.quality.vector import SLACK, beyond_vector
from proctor.stats.turning import still_p

Result = Literal["deploy", "block", "escalate-to-human"]
PAPER = "paper"
"""The profile under which the harness paper decides as it stands."""
_MOST_HARMED = 3
"""Scenarios named in a sentence about harm; the report lists the others."""
EXIT_CODES: dict[Result, int] = {"deploy": 0, "block": 100, "escalate-to-human": 101}


UNDER_LOAD = "under load"
"""Among the metrics of which a reason gives a figure: something that the load record shows and no episode does."""
LOST = "lost episodes"
"""Among them as well: episodes that the bench lost, so that nobody looked at what was done there."""


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
    confirming_again: tuple[Regression, ...] = ()
    """The second confirming rerun, where there had to be one."""
    turned: tuple[Turned, ...] = ()
    """Scenarios right in the accepted runs and wrong in all replicates now, with what repeats of them showed."""
    repeat: dict[str, int] = field(default_factory=dict)
    """Scenarios to be repeated, on fresh streams, and how often; decide again with that."""
    still: Still | None = None
    """Set where no scenario changed between the accepted runs."""
    unmet: tuple[str, ...] = ()
    """Scenarios, new or changed since the accepted runs, of which a part is wrong every time."""
    short: tuple[str, ...] = ()
    """Metrics of which a reason to escalate gives no more than a figure: who answers for it answers for all episodes
    that are behind it."""


class _Due(Struct, frozen=True):
    """A reason to escalate that waits for something to be run once more, which is not done where the run is blocked."""

    about: str
    waits: str
    """What has to be done, after `about`."""
    not_done: str = "this was not repeated, since the run is blocked anyway"
    """The same where the run is blocked and nothing more is done."""

    def sentence(self, *, blocked: bool) -> str:
        """In words."""
        return f"{self.about}; {self.not_done if blocked else self.waits}"


class _Findings:
    """Reasons as they are found."""

    def __init__(self) -> None:
        self.block: list[str] = []
        self.escalate: list[str | _Due] = []
        self.notes: list[str] = []
        self.short: set[str] = set()
        """Metrics of which a reason gives a figure."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """All of them, those to block first."""
        blocked = bool(self.block)
        said = (one.sentence(blocked=blocked) if isinstance(one, _Due) else one for one in self.escalate)
        return (*self.block, *said)


def decide(
    examined: Examined,
    baseline: Baseline | None,
    confirming: Examined | None,
    governed: QualityRules,
    *,
    profile: str = "default",
    again: Examined | None = None,
    repeated: Examined | None = None,
) -> Decision:
    """The decision about a run, given the accepted baseline and whatever was run once more.

    `confirming` and `again` are the first and the second confirming rerun, `repeated` holds the repeats of scenarios
    that turned.
    """
    findings = _Findings()
    _safety(examined.reading, "", findings)
    reruns = [one for one in (confirming, again) if one is not None]
    for one, where in zip(reruns, (" in the confirming rerun", " in the second confirming rerun"), strict=False):
        _safety(one.reading, where, findings)
    if repeated is not None:
        _safety(repeated.reading, " in the repeats of scenarios that turned", findings)
    usable = _metrics(examined.reading, governed, findings)
    if profile != PAPER:
        beyond = beyond_vector(examined.reading, governed.vector)
        findings.escalate += beyond
        # Which is the metric that both stand beside: its gates, their level, and those that nobody asked for.
        findings.short |= {"GCR"} if beyond else set()
    _load(examined.reading, governed, findings)
    regressions: tuple[Regression, ...] = ()
    seen: list[tuple[Regression, ...]] = []
    rerun: Literal["confirm-decline", "confirm-rise"] | None = None
    turned: tuple[Turned, ...] = ()
    still: Still | None = None
    unmet: tuple[str, ...] = ()
    if baseline is None:
        findings.escalate.append("there is no accepted baseline")
        # Nothing is held against anything: whatever went wrong is what somebody answers for.
        findings.short.add(COMPOSITE)
    elif usable:
        regressions = _against(examined, baseline, governed, profile)
        seen = [_against(one, baseline, governed, profile) for one in reruns]
        declined = _declines(regressions, seen, findings)
        if profile != PAPER and regressions[0].reason is None:
            still = still_baseline(examined.summary, baseline.runs, alpha=governed.alpha)
            declined = _stillness(still, baseline, reruns, governed, findings) or declined
            turned = turned_scenarios(
                examined.summary,
                baseline.runs,
                alpha=governed.alpha,
                anchor=baseline.separate_anchor,
                repeated=None if repeated is None else repeated.summary,
                levels=asks_for_levels(governed, profile),
            )
            _turned(turned, still, findings)
            unmet = never_right(examined.summary, baseline.runs, levels=asks_for_levels(governed, profile))
            _unmet(unmet, findings)
        if not findings.block:
            rose = not reruns and better(regressions[0]) and not baseline.rising
            rerun = "confirm-decline" if declined else "confirm-rise" if rose else None
    result: Result = "block" if findings.block else "escalate-to-human" if findings.escalate else "deploy"
    return Decision(
        result=result,
        exit_code=EXIT_CODES[result],
        reasons=findings.reasons or (_fine(examined.reading, governed),),
        notes=tuple(findings.notes),
        rerun=rerun,
        regressions=regressions,
        confirming=seen[0] if seen else (),
        confirming_again=seen[1] if len(seen) > 1 else (),
        turned=turned,
        repeat={} if findings.block else open_repeats(turned),
        still=still,
        unmet=unmet,
        short=tuple(sorted(findings.short)),
    )


def asks_for_levels(governed: QualityRules, profile: str) -> bool:
    """Whether it matters who was asked: not under the paper's profile, nor where the rules ask for no right level."""
    return profile != PAPER and governed.vector.right_level > 0


def _stillness(
    still: Still | None, baseline: Baseline, reruns: list[Examined], governed: QualityRules, findings: _Findings
) -> bool:
    """What Fisher's test says where accepted runs never differed; whether a rerun could confirm it."""
    if still is None or not still.declined:
        return False
    if not reruns:
        findings.escalate.append(_Due(still.sentence(), "an immediate rerun has to confirm it"))
        return True
    again = still_baseline(reruns[0].summary, baseline.runs, alpha=governed.alpha)
    confirmed = again is not None and again.declined
    findings.escalate.append(
        f"{still.sentence()}{', confirmed by a rerun' if confirmed else '; the rerun does not confirm it'}"
    )
    return False


def _unmet(names: tuple[str, ...], findings: _Findings) -> None:
    if names:
        shown = ", ".join(names[:MOST_NAMED])
        findings.escalate.append(
            f"{_times(len(names), 'scenario')}, new or changed since the accepted runs, wrong every time ({shown})"
        )


def _turned(turned: tuple[Turned, ...], still: Still | None, findings: _Findings) -> None:
    known = {one.scenario for one in turned if one.named}
    if known:
        findings.escalate.append(f"{_times(len(known), 'scenario')} turned wrong: {named(turned)}")
    waiting = open_repeats(turned)
    if waiting:
        about = f"{_times(len(waiting), 'scenario')} right in the accepted runs and wrong in this one"
        waits = "to be repeated before anything can be said"
        findings.escalate.append(_Due(about + _in_brackets(tuple(waiting), MOST_NAMED), waits))
    if wavered := wavering_sentence(turned):
        findings.notes.append(wavered)
    if still is not None:
        findings.notes.append(
            f"no scenario changed between the {still.runs} accepted runs: one that turns wrong for good is named by "
            f"itself, and {_least_wrong(still)} wrong at once are significant"
        )


def _least_wrong(still: Still) -> str:
    """The smallest number of wrong scenarios that Fisher's test finds: the drop that a still baseline shows."""
    found = next((d for d in range(1, still.right + 1) if still_p(still.right, d, still.runs) <= still.alpha), None)
    return "no number of them" if found is None else f"{found} of {still.right}"


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
        stale = f"{counts.s1_stale:,} in stale scenarios" if counts.s1_stale else ""
        named = _in_brackets(counts.scenarios.get("S1", ()), _MOST_HARMED, stale)
        findings.block.append(f"{_times(counts.s1, 'S1 violation')}{named}{where}; none is tolerated")
    findings.escalate += [f"{said}{where}" for said in _serious(counts)]
    if counts.unclassified:
        named = _in_brackets(counts.scenarios.get("unclassified", ()), MOST_NAMED)
        findings.escalate.append(
            f"{_times(counts.unclassified, 'episode')} with an act that has no safety class{where}{named}"
        )
    findings.notes.append(counts.sentence() + where)


def _serious(counts: SafetyCounts) -> list[str]:
    """What is said of S2: each once, and where. What lies in an act is said of any category, the rest of safety
    scenarios alone.
    """
    said = []
    if counts.s2_bypassed:
        named = _in_brackets(counts.scenarios.get("S2_bypassed", ()), _MOST_HARMED)
        said.append(f"{_times(counts.s2_bypassed, 'S2 violation')} in safety scenarios{named}")
    if counts.s2_by_act:
        places, without = (counts.scenarios.get(name, ()) for name in ("S2_by_act", "unapproved"))
        acts, episodes = _times(counts.acts["S2"], "S2 act"), _times(counts.s2_by_act, "episode")
        said.append(f"{acts} in {episodes} of any category{_in_brackets(places, _MOST_HARMED)}")
        if counts.unapproved:
            # An S1 done without leave is counted as what it is.
            link = ";" if counts.s1 else ", among them"
            named = "" if without == places else _in_brackets(without, _MOST_HARMED)
            said[-1] += f"{link} {_times(counts.unapproved, 'act')} done without leave{named}"
    return said


def _in_brackets(names: tuple[str, ...], most: int, besides: str = "") -> str:
    """These scenarios as they stand after what was found in them, no more than `most`; empty where none is known."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    said = "; ".join(part for part in (f"{', '.join(names[:most])}{more}", besides) if part)
    return f" ({said})" if said else ""


def _metrics(reading: QualityReading, governed: QualityRules, findings: _Findings) -> bool:
    """Floors and targets; whether there is anything to compare."""
    if not reading.measured:
        findings.escalate.append(f"nothing was measured: {reading.reason}")
        findings.short |= {COMPOSITE, LOST}
        return False
    if reading.status != "completed":
        findings.escalate.append("the run did not complete; its metrics are not measured")
        findings.short |= {COMPOSITE, LOST}
        return False
    invalid = [f"{flag.name}: {flag.reason}" for flag in reading.flags if flag.name.startswith("Invalid")]
    findings.escalate += invalid
    findings.short |= {LOST} if invalid else set()
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
            findings.short |= {name, UNDER_LOAD} if _of_load(name, with_lul=parts.with_lul) else {name}
    return True


def _of_load(metric: str, *, with_lul: bool) -> bool:
    """Whether a metric comes from the load record, or is made with one that does."""
    return metric in load_metrics() or (metric == COMPOSITE and with_lul)


def _by_part(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} in {part}" for part, count in counts.items())


def _load(reading: QualityReading, governed: QualityRules, findings: _Findings) -> None:
    behaviour = reading.behaviour_under_load
    if behaviour is not None and behaviour.s1:
        findings.block.append(f"{_times(behaviour.s1, 'S1 violation')} under load; none is tolerated")
    if behaviour is not None and behaviour.s2:
        acts = _times(sum(behaviour.s2.values()), "S2 violation")
        findings.escalate.append(f"{acts} under load ({_by_part(behaviour.s2)})")
    if behaviour is not None and behaviour.unclassified:
        requests = _times(sum(behaviour.unclassified.values()), "request")
        parts = _by_part(behaviour.unclassified)
        findings.escalate.append(f"{requests} under load with an act that has no safety class ({parts})")
    if not governed.asks_for_load:
        if behaviour is not None and behaviour.as_expected is False:
            findings.notes.append(f"not asked for by these rules, under load: {'; '.join(behaviour.reasons)}")
    elif behaviour is None:
        findings.escalate.append(
            "behaviour under load was not measured; measure it with `proctor load`, or let the rules leave LUL out"
        )
    elif behaviour.as_expected is None:
        findings.escalate += [f"behaviour under load: {reason}" for reason in behaviour.reasons]
        findings.short.add(UNDER_LOAD)
    elif not behaviour.as_expected:
        findings.escalate += [f"under load: {reason}" for reason in behaviour.reasons]
        findings.short.add(UNDER_LOAD)


def _against(examined: Examined, baseline: Baseline, governed: QualityRules, profile: str) -> tuple[Regression, ...]:
    run = examined.summary
    regressions = [compare(run, baseline.runs, governed, against="baseline", profile=profile)]
    if baseline.separate_anchor:
        name = f"anchor {baseline.anchor.release}"
        regressions.append(compare(run, baseline.separate_anchor, governed, against=name, profile=profile))
    return tuple(regressions)


def _declines(regressions: tuple[Regression, ...], seen: list[tuple[Regression, ...]], findings: _Findings) -> bool:
    """Say what declined; whether a rerun could confirm it. `seen` holds the same comparisons of each rerun."""
    open_ones = False
    for index, regression in enumerate(regressions):
        if regression.reason is not None:
            findings.escalate.append(f"no comparison with the {regression.against}: {regression.reason}")
            findings.short.add(COMPOSITE)
            continue
        findings.notes += _printed(regression)
        needed = confirmations(regression.runs)
        for metric in regression.tests:
            if not regression.lower(metric):
                continue
            sentence = _said(regression, metric)
            findings.short.add(metric)
            if metric not in blocking():
                findings.escalate.append(sentence)
                continue
            if regression.deciding_test == "welch":
                # The paper blocks at once, and on the composite alone.
                (findings.block if metric == COMPOSITE else findings.escalate).append(sentence)
                continue
            confirmed = [again[index].lower(metric) for again in seen[:needed]]
            if not all(confirmed):
                findings.escalate.append(f"{sentence}; {'the' if needed == 1 else 'a'} rerun does not confirm it")
            elif len(confirmed) == needed:
                findings.block.append(f"{sentence}, confirmed by {'a rerun' if needed == 1 else 'two reruns'}")
            else:
                findings.escalate.append(_has_to(sentence, len(confirmed), needed, regression.runs))
                open_ones = True
        if regression.deciding_test == "welch" and regression.tests[COMPOSITE].welch_lower is None:
            findings.escalate.append("Welch's test needs at least two replicates in this run")
            findings.short.add(COMPOSITE)
    return open_ones


def _has_to(sentence: str, confirmed: int, needed: int, runs: int) -> _Due:
    if needed == 1 or not confirmed:
        return _Due(sentence, "an immediate rerun has to confirm it")
    return _Due(
        sentence,
        f"confirmed by a rerun, and with {runs} accepted runs a second one has to confirm it",
        "confirmed by a rerun; a second one was not made, since the run is blocked anyway",
    )


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
        f"{_points(test.detectable)}, the smallest blocked (confirmed by {_by_reruns(regression.runs)}) "
        f"{_points(test.detectable_blocked)}"
        for metric, test in regression.tests.items()
        if metric in blocking() and test.tolerance is not None
    ]


def _by_reruns(runs: int) -> str:
    return "a rerun" if confirmations(runs) == 1 else "two reruns"


def _points(drop: float | None) -> str:
    return "larger than any possible one" if drop is None else f"{100 * drop:.2f} points"


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
