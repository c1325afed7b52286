"""The five families of Sensing Adequacy: what each must show before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec
import pytest

from proctor.conformance.family import check_family
from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.spec.task import Instance
from proctor.suites.agency.sensing.regimes import OCR_15, QUERIES_3_30S

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE = STANDARD_REGIMES["baseline"]
HARD = tuple(STANDARD_REGIMES[name] for name in ("moderate-standard", "severe-standard", "severe-adversarial"))
REGIMES: dict[str, tuple[Regime, ...]] = {
    "email_triage": (BASELINE, *HARD),
    "ticket_routing": (BASELINE, *HARD),
    "log_debugging": (BASELINE,),
    "ocr_invoices": (BASELINE, OCR_15),
    "document_questions": (BASELINE, QUERIES_3_30S),
}
LEVELS = dict(zip(REGIMES, ("S1", "S2", "S3", "S4", "S5"), strict=True))


def named(name: str) -> Family:
    found: Family = import_module(f"proctor.suites.agency.sensing.{name}").family
    return found


@pytest.fixture(params=sorted(REGIMES))
def name(request: pytest.FixtureRequest) -> str:
    """Each family in turn, by folder."""
    return str(request.param)


def test_declarations(name: str) -> None:
    spec = named(name).spec
    assert spec.id == name.replace("_", "-")
    assert spec.evidences == (LEVELS[name],)
    assert len(spec.templates) >= 8


def test_same_draw_same_bytes(name: str, sample: Sample) -> None:
    first, second = sample(named(name), 30), sample(named(name), 30)
    assert [encode(instance) for instance in first] == [encode(instance) for instance in second]


def test_a_thousand_instances_do_not_repeat(name: str, sample: Sample) -> None:
    instances = sample(named(name), 1000)
    assert len({msgspec.json.encode(instance.observation) for instance in instances}) == 1000
    for instance in instances[:50]:
        plain = msgspec.to_builtins(instance)
        assert chainable(plain) == plain


def test_every_template_and_wording_comes_up(name: str, sample: Sample) -> None:
    family = named(name)
    instances = sample(family, 400)
    seen = Counter(instance.template for instance in instances)
    assert set(seen) == set(family.spec.templates)
    assert min(seen.values()) >= 20
    assert len({instance.goal[:12] for instance in instances}) >= 3


def test_every_check_holds(name: str) -> None:
    report = check_family(named(name), regimes=REGIMES[name], instances=15, fresh_process=False)
    assert report.findings == ()
    shortcuts = report.result("baselines").measured
    assert max(rate for agent, rate in shortcuts.items() if agent != "instances") <= 0.1


def test_ceilings(name: str, sample: Sample) -> None:
    family = named(name)
    instances = sample(family, 250)
    for regime in REGIMES[name]:
        reached = sum(
            family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number)))
            for number, instance in enumerate(instances)
        )
        assert reached / len(instances) >= 0.92, regime.id


def test_strict_caps_are_stated_and_enough_for_the_oracle(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in [*sample(family, 8), *sample(family, 8, **hardest)]:
        driver = drive(family, instance)
        assert driver.run(family.oracle(instance)).success
        assert instance.strict_actions is not None
        assert driver.session.calls <= instance.strict_actions
        assert instance.budget.actions is not None
        assert instance.strict_actions <= instance.budget.actions


def test_knobs_are_recorded_and_leave_the_answer_alone(name: str, sample: Sample) -> None:
    """A knob makes the same task harder: where it adds rivals or errors, what is asked stays as it is."""
    family = named(name)
    for knob, declared in family.spec.knobs.items():
        by_value = [sample(family, 25, **{knob: value}) for value in declared.values]
        for value, instances in zip(declared.values, by_value, strict=True):
            assert {instance.knobs[knob] for instance in instances} == {value}
        if knob not in ("hops", "documents", "issues"):
            answers = [[family.answer(instance) for instance in instances] for instances in by_value]
            assert all(found == answers[0] for found in answers)


def test_one_wrong_value_is_named(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    for instance in sample(family, 10):
        driver = drive(family, instance)
        answer = family.answer(instance)
        assert driver.verify(answer).success
        other = next(
            found
            for found in map(family.answer, sample(family, 200))
            if all(found[key] != answer[key] for key in answer)
        )
        for key, wrong in other.items():
            assert driver.verify({**answer, key: wrong}).reason == f"wrong_{key}"
        assert driver.verify(other).reason == "several_wrong"
        unread = driver.verify("no idea")
        assert unread.format_error
        assert unread.reason == "unreadable_answer"


def test_instances_are_cheap(name: str) -> None:
    family = named(name)
    best = float("inf")
    for _ in range(3):
        draws = [Draw.of("speed", number) for number in range(200)]
        began = perf_counter()
        for draw in draws:
            family.instance(draw)
        best = min(best, (perf_counter() - began) / len(draws))
    # About 100 microseconds on an idle core; the rest is patience with a busy one.
    assert best < 0.0008
