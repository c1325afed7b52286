"""What the five families of Sensing Adequacy have in common beside what every family must show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.suites.agency.examined import Sample, families, named

from proctor.engine.family import Family

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive


@pytest.fixture(params=families("sensing"))
def family(request: pytest.FixtureRequest) -> Family:
    """Each family of the dimension in turn."""
    return named(str(request.param))


def test_knobs_leave_the_answer_alone(family: Family, sample: Sample) -> None:
    """A knob makes the same task harder: where it adds rivals or errors, what is asked stays as it is."""
    for knob, declared in family.spec.knobs.items():
        if knob not in ("hops", "documents", "issues"):
            by_value = [sample(family, 25, **{knob: value}) for value in declared.values]
            answers = [[family.answer(instance) for instance in instances] for instances in by_value]
            assert all(found == answers[0] for found in answers)


def test_one_wrong_value_is_named(family: Family, sample: Sample, drive: Drive) -> None:
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
