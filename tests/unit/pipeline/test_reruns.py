"""Which run a gate means by `latest`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.pipeline.living import live, store_of
from tests.unit.pipeline.small_quality import SUITE

from proctor.core.errors import InputError
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.run import freeze, start_run
from proctor.pipeline.reruns import HUMAN, PLAYED, run_meant, run_to_gate


def begun(project: Path, suite: str, agent: str) -> str:
    """A run of a suite of this name, as far as `latest` is concerned."""
    known = load_suite(SUITE, project)
    named = known.model_copy(update={"name": suite})
    frozen = freeze(suite=named, agent=agent, folder=project, seed=3)
    with store_of(project) as store:
        record, _ = start_run(store, frozen, Plan(frozen), executor=InlineExecutor(None), folder=project)
    return record.name


def test_a_run_that_a_person_played_is_not_the_latest_for_a_gate(desk: Path) -> None:
    """`show` shows it, and a gate is about the agent that was run before."""
    (name,) = live(desk, 1)
    played = begun(desk, f"{PLAYED}desk", HUMAN)
    with store_of(desk) as store:
        assert run_to_gate(store, desk, "latest").name == name
        assert run_meant(store, desk, "latest").name == played
        assert run_to_gate(store, desk, played).name == played, "whoever names it means it"
    # An agent on a suite of such a name is an agent all the same.
    own = begun(desk, f"{PLAYED}house", "oracle")
    with store_of(desk) as store:
        assert run_to_gate(store, desk, "latest").name == own


def test_where_all_runs_were_played_a_gate_says_so(desk: Path) -> None:
    begun(desk, f"{PLAYED}desk", HUMAN)
    with store_of(desk) as store, pytest.raises(InputError, match="only played ones; begin one with `proctor run`"):
        run_to_gate(store, desk, "latest")
