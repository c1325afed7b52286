"""The family `track`: ledgers add up, and only the last balance counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proctor.spec.task import Instance
from proctor.suites.hello.track import family
from proctor.suites.hello.track.ledger import book, closing, opened
from proctor.suites.hello.track.texts import CUSTOMERS

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]


def test_no_quantity_is_ever_below_zero(sample: Sample) -> None:
    for instance in sample(family, 300, events=12, cancellations=2):
        balance = opened(instance.observation["locations"])
        events = instance.hidden["events"]
        for event in events:
            if event["kind"] == "cancelled":
                book(balance, events[event["cancels"] - 1], -1)
            else:
                book(balance, event)
            assert min(held for goods in balance.values() for held in goods.values()) >= 0


def test_knobs_count_events_and_cancellations(sample: Sample) -> None:
    for events in (6, 8, 10, 12):
        for cancellations in (0, 1, 2):
            for instance in sample(family, 40, events=events, cancellations=cancellations):
                kinds = [event["kind"] for event in instance.hidden["events"]]
                assert len(kinds) == events
                assert kinds.count("cancelled") == cancellations
                cancelled = [event.get("cancels") for event in instance.hidden["events"] if "cancels" in event]
                assert len(set(cancelled)) == len(cancelled)


def test_every_kind_of_event_comes_up(sample: Sample) -> None:
    kinds = {event["kind"] for instance in sample(family, 100) for event in instance.hidden["events"]}
    assert kinds == {"received", "shipped", "moved", "returned", "cancelled"}


def test_the_question_is_never_empty(sample: Sample) -> None:
    for instance in sample(family, 300):
        assert any(instance.hidden["answer"].values())
        balance = closing(instance.hidden["events"], instance.observation["locations"])
        if instance.template == "customers":
            assert instance.hidden["answer"] == balance[CUSTOMERS]


def test_pages_follow_one_another(sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1, events=12)[0]
    driver = drive(family, instance)
    pages = [driver.call("list_events", first=first) for first in (1, 6, 11)]
    assert [page["remaining"] for page in pages] == [7, 2, 0]
    assert [event for page in pages for event in page["events"]] == instance.hidden["events"]
    assert driver.call("list_events", first=13) == {"events": [], "remaining": 0}
    assert driver.call("event", n=7) == instance.hidden["events"][6]
    assert "there is no event 13" in driver.error("event", n=13)


def test_leaving_cancellations_out_is_wrong(sample: Sample, drive: Drive) -> None:
    for instance in sample(family, 60):
        naive = [event for event in instance.hidden["events"] if event["kind"] != "cancelled"]
        balance = closing(naive, instance.observation["locations"])
        place = instance.observation["count_at"]
        if place in balance:
            assert not drive(family, instance).verify(balance[place]).success
