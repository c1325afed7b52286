"""What the modeling families in which something has to be done promise: drift (M4) and counterfactuals (M5)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from tests.unit.suites.agency.examined import declared_regime

from proctor.agents.contract import Session
from proctor.conformance.subject import Options, Subject
from proctor.core.seeds import Stream
from proctor.engine.family import SolvedBy
from proctor.engine.trial import Trial
from proctor.spec.regime import STANDARD_REGIMES, Intensity, Regime
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.agency.modeling.api_drift import family as orders
from proctor.suites.agency.modeling.emergency_planning import family as emergencies
from proctor.suites.agency.modeling.emergency_planning.scenes import Scene, best, changes, outcome, scene, simulated
from proctor.suites.agency.modeling.emergency_planning.scenes import orders as orders_of

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

COUNTERFACTUAL_10S = declared_regime("counterfactual-10s")
DRIFT_5_15 = declared_regime("drift-5-15")

Sample = Callable[..., list[Instance]]
BASELINE = STANDARD_REGIMES["baseline"]


def test_regimes_have_the_numbers_of_the_appendix() -> None:
    drift = DRIFT_5_15.stability.drift
    assert drift is not None
    assert (drift.milliseconds, DRIFT_5_15.intensity, DRIFT_5_15.axes) == (15_000, Intensity.MODERATE, ("stability",))
    assert COUNTERFACTUAL_10S.compute.milliseconds == 10_000
    assert COUNTERFACTUAL_10S.intensity is Intensity.SEVERE
    assert COUNTERFACTUAL_10S.axes == ("action", "compute")


async def _send(waits: Callable[[str], int], instance: Instance, task: TaskView, session: Session) -> Submission:
    """Sends every order until it is accepted, at most four times; `waits` hears the last error."""
    error = ""
    for code, quantity in instance.hidden["wanted"].items():
        for _ in range(4):
            result = await session.call("send_order", order=code, quantity=quantity, wait_seconds=waits(error))
            error = result.error or ""
            if result.ok:
                break
    return Submission("done")


def _lived(regime: Regime, make: Callable[[], Callable[[str], int]], count: int = 12) -> list[Trial]:
    options = Options(regimes=(regime,), instances=count, seed=7, thorough=False, fresh_process=False)
    with Subject(orders, options) as subject:
        return [
            subject.live(subject.job(n, regime), SolvedBy(partial(_send, make()), subject.instance(n)))
            for n in range(count)
        ]


def _always(seconds: int) -> Callable[[], Callable[[str], int]]:
    return lambda: lambda error: seconds


def _adapting() -> Callable[[str], int]:
    wait = 5

    def waits(error: str) -> int:
        nonlocal wait
        wait += 5 * ("no answer" in error)
        return wait

    return waits


def test_who_does_not_adapt_passes_the_baseline_and_fails_under_drift() -> None:
    assert all(trial.succeeded for trial in _lived(BASELINE, _always(5)))
    drifted = _lived(DRIFT_5_15, _always(5))
    assert not any(trial.succeeded for trial in drifted)
    assert {trial.row.reason for trial in drifted} <= {"out_of_time", "missing_order"}


def test_who_waits_long_from_the_beginning_fails_everywhere() -> None:
    for regime in (BASELINE, DRIFT_5_15):
        for seconds in (15, 20):
            assert not any(trial.succeeded for trial in _lived(regime, _always(seconds)))
    assert {trial.row.reason for trial in _lived(DRIFT_5_15, _always(10))} == {"out_of_time"}


def test_who_adapts_passes_and_the_drift_has_receipts() -> None:
    assert all(trial.succeeded for trial in _lived(BASELINE, _adapting))
    for trial in _lived(DRIFT_5_15, _adapting):
        assert trial.succeeded
        assert json.loads(trial.row.faults or "{}") == {"drift": 8}
        receipts = [fault.detail for pair in trial.calls if pair.returned for fault in pair.returned.faults]
        assert receipts[:3] == [
            "timed out after 5000 ms of 15000 ms",
            "timed out after 10000 ms of 15000 ms",
            "took 15000 ms",
        ]
    assert not any(trial.row.faults for trial in _lived(BASELINE, _adapting))


def test_the_line_is_paid_for_by_the_second(sample: Sample, drive: Drive) -> None:
    instance = sample(orders, 1)[0]
    (code, quantity), *rest = instance.hidden["wanted"].items()
    seconds = instance.hidden["seconds"]
    assert f"open for {seconds} s in all" in instance.goal
    driver = drive(orders, instance)
    assert driver.verify("done").reason == "nothing_accepted"
    assert "no answer within 4 s" in driver.error("send_order", order=code, quantity=quantity, wait_seconds=4)
    assert driver.call("send_order", order=code, quantity=quantity, wait_seconds=7)["seconds_left"] == seconds - 11
    assert "accepted before" in driver.error("send_order", order=code, quantity=1, wait_seconds=5)
    assert "knows no order" in driver.error("send_order", order="X1", quantity=1, wait_seconds=5)
    assert driver.call("time_left") == {"seconds_left": seconds - 21, "accepted": [code]}
    # What is left would do for all the others, but not if the service took its longest time.
    assert driver.verify("done").reason == "out_of_time"
    driver.call("send_order", order=rest[0][0], quantity=rest[0][1] + 1, wait_seconds=5)
    assert driver.verify("done").reason == "wrong_quantity"
    driver.call("send_order", order=instance.hidden["withdrawn"][0], quantity=1, wait_seconds=5)
    assert driver.verify("done").reason == "sent_withdrawn"
    while "was not started" not in driver.error("send_order", order="X1", quantity=1, wait_seconds=20):
        pass


def test_simulation_and_arithmetic_agree() -> None:
    zeros = keeps = 0
    for number in range(300):
        found = scene(Stream.keyed("scenes", number), 3, 4)
        for sent in (found.plan, *found.proposals):
            assert simulated(found, sent) == outcome(found, sent)
        predicted = changes(found)
        assert sorted([0, *predicted])[-1] > sorted([0, *predicted])[-2]
        assert len({tuple(sent) for sent in (found.plan, *found.proposals)}) == 5
        zeros += predicted.count(0)
        keeps += best(predicted) == 0
    assert zeros / 1200 < 0.15
    assert 0.05 < keeps / 300 < 0.4


def test_predictions_and_the_order_are_judged(sample: Sample, drive: Drive) -> None:
    reasons: Counter[str] = Counter()
    for instance in sample(emergencies, 60):
        right = instance.hidden["answer"]
        driver = drive(emergencies, instance)
        assert driver.verify(right).reason == "nothing_deployed"
        found = msgspec.convert(instance.hidden["scene"], Scene)
        sent = orders_of(found, best(right))
        assert "there is no site 'moon'" in driver.error("deploy", site="moon", team=found.teams[0].name)
        assert "there is no team 'Nobody'" in driver.error("deploy", site=found.sites[0].name, team="Nobody")
        for number, (site, team) in enumerate(sent.items()):
            driver.call("deploy", site=f"the {site.upper()}" if number else site, team=team.lower())
            driver.call("deploy", site=site, team=team)
            if not number:
                assert driver.verify(right).reason == "wrong_deployment"
        first, second = list(sent)[:2]
        idle = next(team.name for team in found.teams if team.name not in sent.values())
        assert f"{sent[first]} was ordered to the {first} already" in driver.error("deploy", site=first, team=idle)
        assert driver.verify(right).success
        assert driver.verify([f"{number:+d}" for number in right]).success
        assert driver.verify([-number for number in right]).reason in ("wrong_sign", "forgot_people_limit")
        assert driver.verify([2 * number for number in right]).reason in ("wrong_size", "forgot_people_limit")
        reasons[driver.verify(changes(found, limited=False)).reason] += 1
        wrong = drive(emergencies, instance)
        for number, (site, team) in enumerate(orders_of(found, (best(right) + 1) % 5).items()):
            wrong.call("deploy", site=site, team=team)
            if not number:
                assert f"{team} was ordered to the {site} already" in wrong.error("deploy", site=second, team=team)
        assert wrong.verify(right).reason == "wrong_deployment"
    assert reasons["forgot_people_limit"] > 30
