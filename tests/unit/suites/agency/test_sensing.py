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
