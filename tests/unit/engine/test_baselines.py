"""Entries that a baseline lives: who lives them, what it is shown, and what the rows and hashes say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tests.unit.engine.small import FOLDER, bench, declared, frozen

import proctor
from proctor.core.errors import InputError
from proctor.evidence.row import Row
from proctor.evidence.store.store import Store
from proctor.spec.suite import Entry
from proctor.spec.system import System

TWICE: tuple[dict[str, Any], ...] = ({}, {"baseline": "model-free"})


def test_what_came_later_changes_no_hash() -> None:
    assert "baseline" not in Entry(family="f", n=1).model_dump(mode="json")
    assert Entry(family="f", n=1, baseline="model-free").model_dump(mode="json")["baseline"] == "model-free"
    assert System(name="s").model_dump(mode="json")["baselines"] == []
    assert System.model_validate({"name": "s", "baselines": []}).baselines == {}
    dumped = frozen().model_dump(mode="json")
    assert not {"baseline_source", "no_baseline"} & dumped.keys()


@pytest.mark.parametrize("name", ["fixed-strategy", "non-social"])
def test_what_tasks_impose_needs_no_declaration(name: str) -> None:
    with pytest.raises(ValidationError, match="the tasks themselves impose it"):
        System.model_validate({"name": "s", "baselines": {name: "null"}})


def test_where_nobody_can_live_it_the_entry_is_not_run() -> None:
    built = bench(*TWICE, agent="oracle")
    assert built.plan.episodes == 4
    assert built.frozen.no_baseline == (
        "the bench cannot make an agent of kind 'oracle' model-free; declare one under system.baselines.model-free"
    )


def test_a_declared_baseline_lives_the_same_instances(tmp_path: Path) -> None:
    system = System.model_validate({"name": "mine", "baselines": {"model-free": "null"}})
    rows = lived_by(tmp_path, "oracle", {"n": 4}, system=system)
    own, other = ([row for row in rows if row.arm == arm] for arm in (0, 1))
    assert sorted(row.instance for row in own) == sorted(row.instance for row in other)
    assert {row.outcome for row in own} == {"success"}
    assert {row.outcome for row in other} == {"failure"}


def lived_by(folder: Path, agent: Any, entry: dict[str, Any], **more: Any) -> list[Row]:
    """The rows of a run of the same entry twice, as the system and as its baseline."""
    suite = declared(*({**entry, **one} for one in TWICE))
    proctor.run(suite, agent=agent, folder=FOLDER, seed=7, store=str(folder / "store.db"), **more)
    with Store(str(folder / "store.db"), create=False) as store:
        return list(store.rows(1))


def test_a_declared_baseline_that_is_no_agent_is_refused() -> None:
    system = System.model_validate({"name": "mine", "baselines": {"model-free": "nobody-knows-this"}})
    with pytest.raises(InputError, match="nobody-knows-this"):
        frozen(*TWICE, freezing={"system": system})


def test_an_oracle_is_nobodys_baseline_but_an_oracles() -> None:
    system = System.model_validate({"name": "mine", "baselines": {"model-free": "oracle:tier1"}})
    with pytest.raises(InputError, match="knows the tasks"):
        frozen(*TWICE, agent="null", freezing={"system": system})
    frozen(*TWICE, agent="oracle", freezing={"system": system})


SEEN: list[dict[str, Any]] = []


class Steps:
    """Echoes twice and hands in how many results it remembers."""

    def __init__(self) -> None:
        self.results: list[Any] = []

    def act(self, observation: dict[str, Any]) -> dict[str, Any]:
        SEEN.append({name: value for name, value in observation.items() if name != "budget"})
        if "result" in observation:
            self.results.append(observation["result"]["value"])
        last = self.results[-1] if self.results else 0
        return {"submit": len(self.results)} if last == 2 else {"tool": "echo", "arguments": {"value": last + 1}}


def test_a_step_wise_agent_is_made_to_forget(tmp_path: Path) -> None:
    SEEN.clear()
    rows = lived_by(tmp_path, Steps, {"n": 1})
    answers = {row.arm: row.answer for row in rows}
    assert answers == {0: "2", 1: "1"}, "as itself it remembers both results, as the baseline the last one"
    forgetful = [one for one in SEEN if {"task", "result"} <= one.keys()]
    assert [one["result"]["value"] for one in forgetful] == [1, 2]


class Owning:
    """Owns its loop."""

    async def run(self, task: Any, session: Any) -> Any:
        return proctor.Submission(1)


def test_an_agent_that_owns_its_loop_cannot_and_nothing_of_it_counts(tmp_path: Path) -> None:
    rows = lived_by(tmp_path, Owning, {"n": 1})
    assert [(row.outcome, row.reason) for row in rows if row.arm == 1] == [("infrastructure", "baseline")]
