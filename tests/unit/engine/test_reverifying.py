"""Living a run again from its record: honest records come out, edited ones do not, whatever they lived through."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.evidence.making import FOLDER, run, small, wide

import proctor
from proctor.agents.contract import Session
from proctor.core.canonical import encode
from proctor.engine.frozen_families import AbsentFamily, families_here
from proctor.engine.reverifying import VERDICT, difference, reverify
from proctor.evidence.events import Returned, Verified
from proctor.evidence.store.store import Store


@pytest.mark.parametrize(
    ("suite", "agent", "only"),
    [
        ("hello", "clerk", ["route", "extract", "track"]),
        ("agency-quick", "clerk", ["email-triage", "thermostat", "file-creation", "subgoals"]),
        ("quality", "oracle", ["service"]),
        ("quality", "random", ["expenses"]),
        ("binding-quick", "structured:simulated,reason=.9,memory=.8", None),
        ("binding-quick@1.0", "structured:simulated,reason=.9,memory=.8", None),
    ],
)
def test_what_was_lived_comes_out_again(suite: str, agent: str, only: list[str] | None, tmp_path: Path) -> None:
    place = str(tmp_path / "store.db")
    name = proctor.run(suite, agent=agent, seed=7, only=tuple(only or ()), store=place).run
    with Store(place, create=False) as store:
        record = store.run(name)
        here = families_here(store.frozen(record.number))
        positions = [row.position for row in store.rows(record.number)][:150]
        found = reverify(store, record, here.families, only=positions)
    assert found.mismatches == ()
    assert found.episodes == len(positions)
    assert here.absent == here.altered == {}
    assert found.left_out == {}


class Excessive:
    """Acts with arguments of which a record keeps the beginning alone."""

    async def run(self, task: object, session: Session) -> str:
        deep: object = 1
        for _ in range(40):
            deep = [deep]
        many = {"list": list(range(20_000)), "deep": deep}
        for given in ({"amount": 2**53}, {"text": "x" * 300_000}, {"amount": float("inf")}, many):
            await session.call("act", action="wire", args=given)
        await session.call("x" * 1_000, amount=2**60)
        return "done"


def test_arguments_beyond_bounds_are_refused_again(tmp_path: Path) -> None:
    place = str(tmp_path / "store.db")
    name = proctor.run("quality", agent=Excessive, seed=7, only=("service",), store=place).run
    with Store(place, create=False) as store:
        record = store.run(name)
        here = families_here(store.frozen(record.number))
        found = reverify(store, record, here.families, only=range(5))
    assert (found.episodes, found.mismatches) == (5, ())


def test_stages_programs_memory_and_breaking_worlds(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        record = run(store, wide())
        here = families_here(store.frozen(record.number), FOLDER)
        found = reverify(store, record, here.families)
    assert [one for one in found.mismatches if one.firm] == []
    assert found.episodes > 20


def test_a_family_that_is_not_here_is_left_out_and_said(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        record = run(store, small())
        here = families_here(store.frozen(record.number))
        assert all(isinstance(one, AbsentFamily) for one in here.families.values())
        found = reverify(store, record, here.families)
    assert found.episodes == 0
    assert sum(found.left_out.values()) == 4
    assert all("no folder with it was given" in why for why in found.left_out)


def test_a_difference_is_named_verdict_first(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        record = run(store, small())
        events = store.events(record.number, 0)
    assert difference(events, events) is None

    def edited(kind: type, **values: object) -> list:  # type: ignore[type-arg]
        return [msgspec.structs.replace(one, **values) if isinstance(one, kind) else one for one in events]

    found = difference(edited(Verified, measures={"extra": 1}), events)
    assert found is not None
    assert found.name == "verification"
    if any(isinstance(one, Returned) for one in events):
        found = difference(edited(Returned, value="better"), events)
        assert found is not None
        assert found.name.startswith("result of call")
    closed = msgspec.structs.replace(events[-1], outcome="limit", reason="actions")
    found = difference([*events[:-1], closed], events)
    assert found is not None
    assert (found.name, found.sentence.split(",")[0]) == (VERDICT, "on record is limit (actions)")
    assert encode(events[-1])
