"""Rows of other events: each read once, none that calls for what is right, and chosen by nothing that is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.engine.small import bench, job_of
from tests.unit.suites.binding.twins.drawn_twins import drawn, rows_of

from proctor.core.errors import BenchError
from proctor.engine.build import Bench
from proctor.engine.family import has_events
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.spec.task import Instance
from proctor.suites.binding.twins.conditions import CONTROLS, OWN_STATE, STRONGER, SUFFICIENCY, VARIANTS
from proctor.suites.binding.twins.corpora import CORPORA, probes
from proctor.suites.binding.twins.four_codes import TwinFourCodes
from proctor.suites.binding.twins.own_state import family as own_state
from proctor.suites.binding.twins.topics import FAMILIES

EVENT_DONOR = {"do": "scramble", "donor": "event"}


def sides(family: TwinFourCodes, event: int) -> list[Instance]:
    return [drawn(family, 2 * event + side) for side in range(2)]


def right(rows: list[Instance]) -> list[str]:
    return [str(row.hidden["target"]) for row in rows]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.spec.id)
def test_both_sides_of_another_event_are_read_once_each(family: TwinFourCodes) -> None:
    assert family.event_rows({}) == 2
    for one in range(6):
        for other in range(6):
            if one == other:
                continue
            own, given = sides(family, one), sides(family, other)
            places = family.donors(own, given)
            assert sorted(places) == [0, 1]
            assert all(code != right(given)[place] for code, place in zip(right(own), places, strict=True))


@pytest.mark.parametrize("family", [CORPORA[0], CORPORA[3], probes, own_state], ids=lambda family: family.spec.id)
def test_rows_of_an_event_are_read_by_their_probe_alone(family: object) -> None:
    assert has_events(family)
    assert isinstance(family, type(CORPORA[0]))
    events = [list(rows_of(family, number).values()) for number in range(6)]
    seen = set()
    for own in events:
        for other in events:
            places = family.donors(own, other)
            leans_alike = own[0].hidden["swapped"] == other[0].hidden["swapped"]
            assert (places is None) == leans_alike
            if places is None:
                continue
            seen.add(places)
            assert sorted(places) == list(range(family.event_rows({"probe": "all"})))
            assert all(code != right(other)[place] for code, place in zip(right(own), places, strict=True))
    assert len(seen) == 1, "whatever is right in either event"


def test_no_condition_of_this_version_looks_at_what_is_right() -> None:
    conditions = (*CONTROLS, *VARIANTS, *SUFFICIENCY, *STRONGER, *OWN_STATE)
    donors = {read.donor for one in conditions for read in one.reads.values() if read.do == "scramble"}
    assert donors == {"event"}


def test_in_a_run_every_event_reads_both_sides_of_one_other(tmp_path: Path) -> None:
    suite = load_suite("binding-controls", tmp_path)
    run = Bench(freeze(suite=suite, agent="structured:simulated", folder=tmp_path, seed=5), tmp_path)
    read: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for place in range(run.plan.lifetimes):
        lifetime = run.plan.lifetime(place)
        if run.arm(lifetime.arm).donor is None:
            continue
        job = run.job(lifetime, 0)
        assert job.donor is not None
        own, given = job.instance.hidden, job.donor.instance.hidden
        assert own["base_event"] != given["base_event"]
        assert own["target"] != given["target"]
        read.setdefault((job.setting.family, own["base_event"]), []).append((given["base_event"], given["probe"]))
    assert len({family for family, _ in read}) == len(FAMILIES), "a family of one event reads the one beside it"
    for rows in read.values():
        assert len({event for event, _ in rows}) == 1
        assert sorted(probe for _, probe in rows) == ["side-1", "side-2"]


def test_a_family_without_events_cannot_be_read_by_event() -> None:
    built = bench({"conditions": ["c"], "n": 12}, conditions=[{"id": "c", "reads": {"memory": EVENT_DONOR}}])
    with pytest.raises(BenchError, match=r"'small@1\.0' has no events; scramble with donor: instance"):
        job_of(built, 0)
