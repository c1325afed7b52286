"""The family `extract`: rivals for every fact, and a verifier that wants all four."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from proctor.spec.task import Instance
from proctor.suites.hello.extract import family

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
_REFERENCE = re.compile(r"PO-\d{5}|K/\d\d/\d{3}|A\d{5}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+ \d{4}")


def test_every_fact_has_a_rival_in_the_message(sample: Sample) -> None:
    for instance in sample(family, 200, distractors=0):
        message = instance.observation["message"]
        answer = instance.hidden["answer"]
        assert answer["customer"] in message
        assert answer["reference"] in message
        assert len(set(_REFERENCE.findall(message))) >= 2
        assert len(set(_DAY.findall(message))) >= 2


def test_more_distractors_leave_the_order_as_it_is(sample: Sample) -> None:
    counts = []
    for values in zip(*(sample(family, 60, distractors=n) for n in (0, 2, 4)), strict=True):
        assert len({str(instance.hidden) for instance in values}) == 1
        lines = [len(instance.observation["message"].split("\n")) for instance in values]
        assert lines[1] - lines[0] == 2
        assert lines[2] - lines[0] == 4
        counts.append([len(_REFERENCE.findall(instance.observation["message"])) for instance in values])
    assert all(one <= three for one, _, three in counts)


def test_implicit_values_have_to_be_worked_out(sample: Sample) -> None:
    """In the note and the table neither quantity nor, mostly, day can be copied."""
    for instance in sample(family, 200, distractors=0):
        if instance.template in ("note", "table", "form"):
            quantity = instance.hidden["answer"]["quantity"]
            assert not re.search(rf"\b{quantity} (?:pieces|boxes)", instance.observation["message"])


def test_reread_shows_the_message(sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    assert drive(family, instance).call("reread") == instance.observation["message"]


def test_one_wrong_fact_is_named(sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    answer = instance.hidden["answer"]
    for name, wrong in (
        ("customer", "Somebody Else"),
        ("reference", "PO-1"),
        ("quantity", answer["quantity"] + 1),
        ("deliver_by", "2025-01-01"),
    ):
        assert driver.verify({**answer, name: wrong}).reason == f"wrong_{name}"
    assert driver.verify({**answer, "customer": "x", "reference": "y"}).reason == "several_wrong"
    unread = driver.verify("no idea")
    assert unread.reason == "unreadable_answer"
    assert unread.format_error
