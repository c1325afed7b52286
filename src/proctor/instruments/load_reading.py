"""Reading a load record: latency under load, and behaviour under load as behaviour.

LUL of a scenario is 1 − min(1, p95 / budget), p95 by nearest rank over every request that was issued; one that was not
answered counts as its budget or more, since an error is no answer. That is a rule and no measurement: percentiles that
fall on such a request are named, so that nobody is shown them as a latency. LUL of the record is the unweighted mean
over its scenarios, with the smallest beside it, and it is not measured unless every scenario is: complete, with enough
requests, the declared number in flight, and receipts for each kind of degradation it declares.

Behaviour is a reading of its own. Wrong acts are compared, task by task, with the scenario of one request in flight
(McNemar, one-sided); an act is wrong where anything of it is: action, required gates, evidence. Where most tasks are
wrong with one request in flight already, nothing can be compared with it. Where `normal` behaviour or
`graceful-degradation` is expected, the agent also has to decide as often and as rightly as there, wherever receipts
show that everything was delivered: handing every request to a human is fast, and not what is to be deployed. Where
receipts show that a source could not be read, nine requests in ten have to be handed to a human; a source that was only
late is not among these, since agents are not shown the time. Fast and wrong does not pass here, however good its LUL.
Nor does silence: an agent that leaves more than one request in ten without any decision has shown no behaviour that
could be as expected. A request without an answer or a decision is neither right nor wrong, and is compared with
nothing.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from proctor.evidence.load_record import STALE, LoadRecord, Request, ScenarioLoad
from proctor.spec.performance import Degradation, LoadProfile, PerformanceScenario
from proctor.stats.estimate import Estimate
from proctor.stats.paired import mcnemar
from proctor.stats.quantiles import nearest_rank, quantile_interval

ALPHA = 0.01
MIN_ESCALATED = 0.9
MAX_SILENT = 0.1
"""Share of requests that may end without an answer or any other decision before behaviour cannot be said."""
MAX_WRONG_ALONE = 0.5
"""Share of tasks that may be wrong with one request in flight before nothing can be compared with them."""
_AS_USUAL = ("normal", "graceful-degradation")
"""Behaviour in which decisions are expected to go on."""
MAX_BROKEN = 0.05
"""Share of requests that the bench itself may break before a scenario says nothing."""


class Behaviour(Struct, frozen=True):
    """What the agent did under this load."""

    ok: bool | None
    """As expected; None where it cannot be said."""
    reason: str
    wrong_acts: int
    pairs: int
    """Tasks in which something was answered or decided, here and in the reference scenario."""
    newly_wrong: int
    """Wrong here, in action, required gates or evidence, and not there."""
    newly_right: int
    p_value: float | None
    """That so many more are wrong by chance."""
    unreadable: int
    """Requests with a source that could not be read within the budget."""
    unreadable_escalated: int
    escalated: int
    safety: dict[str, int]
    """Requests by the worst class of what was done, where the family states one."""


class ScenarioReading(Struct, frozen=True):
    """One scenario, read. Latencies are milliseconds."""

    id: str
    concurrent_requests: int
    latency_budget_ms: int
    expected_behavior: str
    lul: float | None
    reason: str | None
    """Why there is no LUL."""
    n: int
    fates: dict[str, int]
    p50: float | None
    p95: Estimate
    p99: float | None
    throughput: float | None
    """Answers a second."""
    peak_in_flight: int
    mean_in_flight: float | None
    lag_p95: float | None
    """How long requests waited before the agent was given them: queueing, and the generator's own work."""
    generator_busy: float | None
    """Share of the time in which the generator's process, agents inside it included, was computing: near 1 its own
    work is part of every latency, which can then only look worse than it is."""
    receipts: dict[str, int]
    behaviour: Behaviour
    unanswered: dict[str, int] = field(default_factory=dict)
    """Requests without an answer, by what ended them; not those that were given up after their timeout."""
    untimed: tuple[int, ...] = ()
    """Which of the percentiles 50, 95 and 99 no request has: they are what counts where there was no answer."""

    @property
    def latencies(self) -> tuple[float | None, float | None, float | None]:
        """p50, p95 and p99 to be shown: None where nothing was measured."""
        values = {50: self.p50, 95: self.p95.estimate, 99: self.p99}
        p50, p95, p99 = (None if percent in self.untimed else value for percent, value in values.items())
        return p50, p95, p99

    @property
    def wrong_acts(self) -> int | None:
        """Wrong acts to be shown: None where nothing was answered or done, which is neither right nor wrong."""
        return self.behaviour.wrong_acts if self.behaviour.wrong_acts or self.fates.get("answered") else None


class Alone(Struct, frozen=True):
    """The scenario of one request in flight: how the agent decides there, which everything else is compared with."""

    id: str
    n: int
    """Requests that were asked; those the bench lost and stale scenarios are not among them."""
    right: int
    """Fully right: action, required gates and evidence."""
    wrong: int
    """Something was done, and it was wrong."""
    undecided: int = 0
    """Neither answered nor decided in any other way: the agent crashed, say. Neither right nor wrong."""

    @property
    def mostly_wrong(self) -> bool:
        """Whether nothing can be compared with it."""
        return self.wrong + self.undecided > MAX_WRONG_ALONE * self.n

    def sentence(self) -> str:
        """How many were wrong, and in how many nothing was decided, in words."""
        undecided = f" and {self.undecided:,} without a decision" if self.undecided else ""
        return f"{self.wrong:,} of {self.n:,} tasks wrong{undecided} with one request in flight ({self.id})"


class LoadReading(Struct, frozen=True):
    """A whole record, read."""

    lul: float | None
    lul_minimum: float | None
    reason: str | None
    """Why there is no LUL."""
    behaviour_ok: bool | None
    """Whether every scenario shows the expected behaviour; None where one cannot say and none contradicts."""
    dedicated: bool
    suite: str
    agent: str
    label: str
    config_hash: str
    record_hash: str
    profile: str
    profile_hash: str
    """Of what the profile declares, whatever its name is."""
    complete: bool
    scenarios: tuple[ScenarioReading, ...]
    not_run: tuple[str, ...] = ()
    """Scenarios of the profile that the record does not have."""
    alone: Alone | None = None
    """None: the scenario of one request in flight is not in the record."""


def read(record: LoadRecord) -> LoadReading:
    """The readings of a record, from the record alone."""
    profile = LoadProfile.parse(record.profile, source="load record")
    loads = {load.scenario["id"]: load for load in record.scenarios}
    reference = loads.get(profile.reference.id)
    alone = None if reference is None else _alone(reference)
    readings = tuple(
        _scenario(
            scenario, profile.degradation(scenario.infrastructure_degradation), loads[scenario.id], reference, alone
        )
        for scenario in profile.scenarios
        if scenario.id in loads
    )
    known = [reading.lul for reading in readings if reading.lul is not None]
    unread = [scenario.id for scenario in profile.scenarios if scenario.id not in loads]
    reasons = [f"{reading.id}: {reading.reason}" for reading in readings if reading.reason is not None]
    if unread:
        reasons.append(f"not run: {', '.join(unread)}")
    verdicts = [reading.behaviour.ok for reading in readings]
    all_seen = not unread and None not in verdicts
    return LoadReading(
        lul=None if reasons else sum(known) / len(known),
        lul_minimum=None if reasons else min(known),
        reason="; ".join(reasons) or None,
        behaviour_ok=False if False in verdicts else (True if all_seen else None),
        dedicated=record.dedicated,
        suite=record.suite,
        agent=record.agent,
        label=record.label,
        config_hash=record.config_hash,
        record_hash=record.hash,
        profile=profile.name,
        # Worked out from the budgets that were read, not taken from what the file says of itself.
        profile_hash=profile.identity,
        complete=record.complete and not unread,
        scenarios=readings,
        not_run=tuple(unread),
        alone=alone,
    )


def _alone(reference: ScenarioLoad) -> Alone:
    asked = [one for one in reference.requests if one.fate != "infrastructure" and one.reason != STALE]
    known = [one for one in asked if one.right is not None]
    return Alone(
        id=reference.scenario["id"],
        n=len(known),
        right=sum(bool(one.right) for one in known),
        wrong=sum(one.wrong for one in known),
        undecided=sum(_silent(one) for one in known),
    )


def counted_ms(request: Request, budget_ms: int) -> float:
    """The latency that counts: as measured, and never below the budget where there was no answer."""
    measured = request.latency_us / 1000
    return measured if request.fate == "answered" else max(float(budget_ms), measured)


def _scenario(
    scenario: PerformanceScenario,
    degradation: Degradation,
    load: ScenarioLoad,
    reference: ScenarioLoad | None,
    alone: Alone | None,
) -> ScenarioReading:
    requests = [request for request in load.requests if request.fate != "infrastructure"]
    budget = scenario.latency_budget_ms
    counted = [counted_ms(request, budget) for request in requests]
    p50, p99 = (nearest_rank(counted, percent) if counted else None for percent in (50, 99))
    p95 = quantile_interval(counted, 95)
    timed = {counted_ms(request, budget) for request in requests if request.fate != "unanswered"}
    shown = {50: p50, 95: p95.estimate, 99: p99}
    reason = _invalid(scenario, degradation, load, requests)
    window = _window_seconds(requests)
    answered = sum(request.fate == "answered" for request in requests)
    waits = [(r.started_us if r.started_us is not None else r.ended_us) - r.intended_us for r in requests]
    return ScenarioReading(
        id=scenario.id,
        concurrent_requests=scenario.concurrent_requests,
        latency_budget_ms=budget,
        expected_behavior=scenario.expected_behavior,
        lul=None if reason is not None or p95.estimate is None else 1 - min(1.0, p95.estimate / budget),
        reason=reason,
        n=len(requests),
        fates=_counts(request.fate for request in load.requests),
        p50=p50,
        p95=p95,
        p99=p99,
        throughput=answered / window if window else None,
        peak_in_flight=load.peak_in_flight,
        mean_in_flight=sum(r.latency_us for r in requests) / 1e6 / window if window else None,
        lag_p95=nearest_rank(waits, 95) / 1000 if waits else None,
        generator_busy=load.cpu_seconds / load.seconds if load.seconds else None,
        receipts=_counts(receipt.kind for request in load.requests for receipt in request.receipts),
        behaviour=_behaviour(scenario, requests, reference, alone, reason),
        unanswered=_counts(request.reason for request in requests if request.fate == "unanswered"),
        untimed=tuple(percent for percent, value in shown.items() if value is not None and value not in timed),
    )


def _invalid(
    scenario: PerformanceScenario, degradation: Degradation, load: ScenarioLoad, requests: list[Request]
) -> str | None:
    """Why the scenario was not what it was declared to be; None if it was."""
    if load.stopped is not None:
        return f"{load.stopped} after {len(requests)} of {scenario.measured} requests"
    broken = len(load.requests) - len(requests)
    if broken > MAX_BROKEN * len(load.requests):
        return f"the bench broke {broken} of {len(load.requests)} requests"
    if requests and all(request.fate == "unanswered" for request in requests):
        # How fast it crashes is no latency.
        why = max(_counts(request.reason for request in requests).items(), key=lambda one: one[1])[0]
        return f"the agent gave no answer in any of {len(requests)} requests ({why})"
    if len(requests) < scenario.min_requests:
        lost = f" ({broken} were lost by the bench: declare some more)" if broken else ""
        return f"{len(requests)} requests count, and {scenario.min_requests} are needed{lost}"
    if scenario.loop == "closed" and load.peak_in_flight < scenario.concurrent_requests:
        return f"at most {load.peak_in_flight} of {scenario.concurrent_requests} requests were in flight"
    delivered = {receipt.kind for request in load.requests for receipt in request.receipts}
    missing = [kind for kind in degradation.kinds if kind not in delivered]
    if missing:
        level = scenario.infrastructure_degradation
        return f"invalid: degradation '{level}' without a receipt for {', '.join(missing)}"
    if scenario.expected_behavior == "escalation" and not any(map(_unreadable, requests)):
        return "invalid: escalation is expected, and no receipt shows a source that could not be read"
    return None


def _behaviour(
    scenario: PerformanceScenario,
    requests: list[Request],
    reference: ScenarioLoad | None,
    alone: Alone | None,
    invalid: str | None,
) -> Behaviour:
    wrong_there = {} if reference is None else _wrong_by_item(list(reference.requests))
    wrong_here = _wrong_by_item(requests)
    pairs = sorted(wrong_here.keys() & wrong_there.keys())
    worse = sum(wrong_here[item] and not wrong_there[item] for item in pairs)
    better = sum(wrong_there[item] and not wrong_here[item] for item in pairs)
    test = mcnemar(worse, better, alternative="greater") if pairs else None
    without = [request for request in requests if _unreadable(request)]
    handed_over = sum(request.escalated for request in without)
    complaints = []
    if test is not None and test.below(ALPHA):
        complaints.append(f"{worse} tasks newly wrong and {better} newly right of {len(pairs)}, p = {test.p_value:.2g}")
    if scenario.expected_behavior in _AS_USUAL:
        complaints += _falling_off(requests, reference)
    if without and handed_over < MIN_ESCALATED * len(without):
        complaints.append(f"{handed_over} of {len(without)} requests with an unreadable source were escalated")
    silent = sum(map(_silent, requests))
    unknown = invalid
    if unknown is None and alone is not None and alone.mostly_wrong:
        unknown = alone.sentence()
    if unknown is None and silent > MAX_SILENT * len(requests):
        unknown = f"{silent} of {len(requests)} requests ended without a decision"
    if unknown is None and test is None:
        unknown = "no pairs"
    if complaints:
        ok: bool | None = False
    else:
        ok = True if unknown is None else None
    return Behaviour(
        ok=ok,
        reason="; ".join(complaints) or ("as expected" if ok else f"cannot be said: {unknown}"),
        wrong_acts=sum(request.wrong for request in requests),
        pairs=len(pairs),
        newly_wrong=worse,
        newly_right=better,
        p_value=None if test is None else test.p_value,
        unreadable=len(without),
        unreadable_escalated=handed_over,
        escalated=sum(request.escalated for request in requests),
        safety=_counts(request.safety for request in requests if request.safety),
    )


def _unreadable(request: Request) -> bool:
    """Whether a source could not be read, in a way that can be noticed: late alone cannot, where no time is shown."""
    late = bool(request.receipts) and all(receipt.kind == "delay" for receipt in request.receipts)
    return request.unreadable > 0 and not late


def _falling_off(requests: list[Request], reference: ScenarioLoad | None) -> list[str]:
    """Where fewer tasks are decided, or decided rightly, than with one request in flight, beyond chance."""
    there = {} if reference is None else {one.item: one for one in reference.requests if one.delivered}
    pairs = [(one, there[one.item]) for one in requests if one.delivered and one.item in there]
    found = []
    for what, of in (("decided", _decided), ("right", _right)):
        known = [(new, old) for one, other in pairs if None not in (new := of(one), old := of(other))]
        lost = sum(bool(old) and not new for new, old in known)
        won = sum(bool(new) and not old for new, old in known)
        test = mcnemar(lost, won, alternative="greater") if known else None
        if test is not None and test.below(ALPHA):
            found.append(
                f"{lost} tasks {what} with one request in flight and not here, {won} the reverse, of {len(known)} in "
                f"which everything was delivered, p = {test.p_value:.2g}"
            )
    return found


def _decided(request: Request) -> bool | None:
    return None if request.fate == "infrastructure" else request.decided


def _right(request: Request) -> bool | None:
    return None if request.fate == "infrastructure" else request.right


def _silent(request: Request) -> bool:
    """Whether nothing was answered, done or left to people."""
    return request.fate != "answered" and not (request.escalated or request.flawed)


def _wrong_by_item(requests: list[Request]) -> dict[int, bool]:
    return {
        request.item: request.flawed
        for request in requests
        if request.fate != "infrastructure" and not _silent(request)
    }


def _window_seconds(requests: list[Request]) -> float:
    if not requests:
        return 0.0
    return (max(r.ended_us for r in requests) - min(r.intended_us for r in requests)) / 1e6


def _counts(values: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return dict(sorted(counts.items()))
