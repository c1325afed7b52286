"""Entries that cannot count towards their cells: each protocol of these once earned a level that nobody had earned."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.spec.protocols import protocol_problem, require_protocols, require_whole_samples
from proctor.spec.suite import Entry, Suite


def suite(*entries: dict[str, Any]) -> Suite:
    given = [{"family": "fam", "n": 20, **entry} for entry in entries]
    base = {"name": "own", "version": "1.0", "title": "Own", "epoch": "2026-01-01T00:00:00Z"}
    conditions = [{"id": "told", "reads": {"memory": "keep"}}]
    return Suite.model_validate({**base, "entries": given, "conditions": conditions})


def steps(*told: str) -> list[dict[str, Any]]:
    """`posttest:a:restore` is a step of phase posttest with craft a, before which the memory is restored."""
    parts = [one.split(":") for one in told]
    return [{"phase": one[0], "knobs": {"craft": one[1]}, "before": (*one, "keep")[2]} for one in parts]


GOOD = ("pretest:a", "train:a", "posttest:a", "train:b", "posttest:b")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"cell": "S5", "replicates": 60}, "count each instance 60 times"),
        ({"cell": "M1", "conditions": ["none", "told"]}, "under an intervention"),
        ({"cell": "T4-calibration", "replicates": 5}, "count each instance 5 times"),
        ({"cell": "T4-switch", "conditions": ["told"]}, "under an intervention"),
        ({"cell": "D4"}, "needs pairs"),
        ({"cell": "G1-4"}, "needs pairs"),
        ({"cell": "G2-4"}, "needs pairs"),
        ({"cell": "G3-3"}, "over 3 episodes"),
        ({"cell": "G3-5", "program": [{"episodes": 2}]}, "over 3 episodes"),
        ({"cell": "L2", "program": steps("train:a", "untrained:a")}, "after training"),
        ({"cell": "L5", "program": steps(*GOOD, "retest:a:restore")}, "memory is put back"),
        ({"cell": "L5", "program": steps(*GOOD, "pretest:c:restore", "retest:a")}, "memory is put back"),
        ({"cell": "L5", "program": steps(*GOOD, "train:a", "retest:a")}, "taught again"),
        ({"cell": "L5", "program": steps(*GOOD, "retest:b")}, "nothing else is taught"),
        ({"cell": "L5", "program": steps("train:a", "retest:a")}, "without a `posttest`"),
    ],
)
def test_such_entries_are_refused(entry: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        require_protocols(suite(entry))


@pytest.mark.parametrize(
    "entry",
    [
        {"cell": "D4", "parts": 2},
        {"cell": "G3-3", "program": [{"episodes": 3}]},
        {"cell": "L5", "program": steps(*GOOD, "retest:a")},
        {"cell": None, "replicates": 5},
        {"cell": "quality", "replicates": 5},
    ],
)
def test_such_entries_are_not(entry: dict[str, Any]) -> None:
    require_protocols(suite(entry))


def test_lifetimes_without_training_are_as_long_as_with_it() -> None:
    """Else an agent that only gets better with practice learns."""
    taught = {
        "cell": "L2",
        "program": [{"phase": "pretest"}, {"phase": "train", "episodes": 20}, {"phase": "posttest"}],
    }
    with pytest.raises(InputError, match=r"`untrained` comes after 5 episodes, and the training .* has 20"):
        require_protocols(
            suite(taught, {"cell": "L2", "program": [{"phase": "idle", "episodes": 5}, {"phase": "untrained"}]})
        )
    require_protocols(
        suite(taught, {"cell": "L2", "program": [{"phase": "idle", "episodes": 20}, {"phase": "untrained"}]})
    )


@pytest.mark.parametrize("cell", ["S1", "T3-delayed"])
@pytest.mark.parametrize("firsts", [(3,), (0, 21), (0, 20, 41)])
def test_nobody_chooses_the_instances_of_a_cell(firsts: tuple[int, ...], cell: str) -> None:
    with pytest.raises(InputError, match="takes chosen instances of 'fam'"):
        require_whole_samples(suite(*({"cell": cell, "first": first} for first in firsts)))
    require_whole_samples(suite(*({"first": first} for first in firsts)))


def test_a_sample_in_pieces_is_whole() -> None:
    require_whole_samples(suite({"cell": "S1"}, {"cell": "S1", "first": 20}))


def test_a_problem_is_that_of_the_entry_alone() -> None:
    assert protocol_problem(Entry(family="fam", n=1, cell="S1")) is None
