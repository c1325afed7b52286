"""How a run came about: earlier runs on the same tasks, files edited meanwhile, dates, and what may be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.unit.engine.small import FOLDER, declared

import proctor
from proctor.core.errors import InputError
from proctor.engine.executors.choice import make_executor
from proctor.engine.load.run import LoadRun
from proctor.engine.plan import Plan
from proctor.engine.run import execute, freeze, start_run
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.load_record import load_folder, write_load
from proctor.evidence.store.store import Store
from proctor.spec.evaluation import Evaluation
from proctor.spec.performance import LoadProfile
from proctor.spec.suite import Suite
from proctor.spec.system import Boundary, BoundaryKind, HumanPolicy, System

HIDDEN = "ab" * 32
LOAD = LoadProfile.parse(
    {"name": "one", "scenarios": [{"id": "one", "concurrentRequests": 1, "latencyBudgetMs": 500}]}, source="test"
)
EXTENDED = Boundary(kind=BoundaryKind.EXTENDED, human_policy=HumanPolicy(allowed=False))


class Desk:
    """A folder with a family of the user's, and a store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = str(folder / "store.db")
        self.family = folder / "small_family.py"
        self.family.write_text((FOLDER / "small_family.py").read_text())

    def run(self, agent: str = "null", suite: Suite | None = None, **more: Any) -> Evidence:
        done = proctor.run(suite or declared({"n": 2}), agent=agent, store=self.place, folder=self.folder, **more)
        return self.evidence(done.run)

    def load(self, agent: str = "null", suite: Suite | None = None, seed: int | str = 0, **more: Any) -> None:
        """Leave the record of a load beside the store."""
        frozen = freeze(suite=suite or declared({"n": 2}), agent=agent, folder=self.folder, seed=seed)
        run = LoadRun(frozen, self.folder, LOAD, dedicated=False, on_record=lambda record: None)
        folder = load_folder(self.place)
        name = f"{len(list(folder.glob('*')))}.json"
        write_load(folder / name, replace(run.record, **{"began": "2026-01-01T00:00:00Z", **more}))

    def evidence(self, name: str = "latest") -> Evidence:
        with Store(self.place, create=False) as store:
            return evidence_of(store, name)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_earlier_runs_on_the_same_tasks_are_counted(desk: Desk) -> None:
    first = desk.run()
    assert first.earlier_runs == 0
    assert [desk.run().earlier_runs for _ in range(2)] == [1, 2]
    assert desk.evidence(first.run).earlier_runs == 0, "later ones do not count"


@pytest.mark.parametrize(
    "other",
    [
        {"agent": "oracle"},
        {"seed": 1},
        {"seed": HIDDEN},
        {"suite": declared({"n": 2}, name="other")},
        {"system": System(name="null", boundary=EXTENDED)},
    ],
    ids=["another system", "another seed", "a hidden seed", "another suite", "the other boundary"],
)
def test_what_is_not_the_same_exposure_does_not_count(desk: Desk, other: dict[str, Any]) -> None:
    desk.run(**other)
    assert desk.run().earlier_runs == 0


@pytest.mark.parametrize("seed", [0, HIDDEN])
def test_runs_of_others_on_the_same_tasks_are_counted_apart(desk: Desk, seed: int | str) -> None:
    desk.run(agent="oracle", seed=seed)
    found = desk.run(seed=seed)
    assert (found.earlier_runs, found.others_before) == (0, 1)
    assert desk.run(seed=1).others_before == 0


def test_what_was_played_under_load_counts_as_a_run(desk: Desk) -> None:
    """Whoever loads an agent with the tasks of a hidden seed has shown it them."""
    desk.load(seed=HIDDEN)
    desk.load(seed=1)
    desk.load(seed=HIDDEN, suite=declared({"n": 2}, name="other"))
    desk.load(seed=HIDDEN, suite=declared({"n": 3}, name="wider", streams="small"))
    desk.load(seed=HIDDEN, agent="oracle")
    found = desk.run(seed=HIDDEN)
    assert (found.earlier_runs, found.others_before) == (2, 1)
    desk.load(seed=HIDDEN, began="2999-01-01T00:00:00.123Z")
    assert desk.evidence().earlier_runs == 2, "later ones do not count"


def test_one_that_was_broken_off_or_written_by_an_older_version_counts_too(desk: Desk) -> None:
    desk.load(stopped="stopped by the user")
    desk.load(stream=UNSET, system=UNSET, boundary=UNSET)
    folder = load_folder(desk.place)
    (folder / "notes.json").write_text('{"format": "mine"}')
    (folder / "broken.json").write_text("{")
    (folder / "odd.json").mkdir()
    assert desk.run().earlier_runs == 2


def test_suites_of_one_stream_and_an_edited_agent_do_count(desk: Desk) -> None:
    desk.run(suite=declared({"n": 3}, name="wider", streams="small"))
    assert desk.run().earlier_runs == 1, "the same instances"
    desk.run(suite=declared({"n": 2}, version="1.1"))
    assert desk.run().earlier_runs == 3, "minor versions keep their instances"


def test_another_name_for_the_same_agent_does_not_help(desk: Desk) -> None:
    boundary = desk.run().frozen.system.boundary
    assert desk.run(system=System(name="renamed", boundary=boundary)).earlier_runs == 1


def test_the_start_is_real_time_and_not_the_logical_one(desk: Desk) -> None:
    found = desk.run(timestamp="2001-01-01")
    assert found.started is not None
    assert not found.started.startswith("2001")


def test_an_untouched_run_has_nothing_to_say(desk: Desk) -> None:
    found = desk.run()
    assert (found.altered, found.touched, found.registration) == ((), frozenset(), None)


def test_a_family_that_was_edited_while_the_run_went_on_is_touched(desk: Desk) -> None:
    """Behaviour that a probe sees would be refused; the file's digest shows the rest."""
    frozen = freeze(suite=declared({"n": 2}), agent="null", folder=desk.folder)
    plan = Plan(frozen)
    with Store(desk.place, create=True) as store:
        record, _ = start_run(store, frozen, plan, executor=make_executor(None))

        class Editing:
            """Progress during which somebody edits the file."""

            def start(self, total: int, done: int) -> None:
                desk.family.write_text(desk.family.read_text() + "\n# a rule that is easier now\n")

            def advance(self, records: Any) -> None: ...

            def stop(self) -> None: ...

        execute(
            store,
            record,
            frozen,
            plan,
            folder=desk.folder,
            executor=make_executor(None),
            progress=Editing(),
        )
    assert desk.evidence().touched == {"small@1.0"}


def test_a_run_goes_on_under_the_same_evaluation_only(desk: Desk) -> None:
    ours, theirs = Evaluation(organisation="ours"), Evaluation(organisation="theirs")
    frozen = freeze(suite=declared({"n": 2}), agent="null", folder=desk.folder, evaluation=ours)
    with Store(desk.place, create=True) as store:
        record, _ = start_run(store, frozen, Plan(frozen), executor=make_executor(None))
        other = frozen.model_copy(update={"evaluation": theirs})
        assert other.config_hash == frozen.config_hash
        for how in ({"resume": True}, {"resume_name": record.name}):
            with pytest.raises(InputError, match="its evaluation is another one"):
                start_run(store, other, Plan(other), executor=make_executor(None), **how)
        again, finished = start_run(store, frozen, Plan(frozen), executor=make_executor(None), resume=True)
        assert (again.name, finished) == (record.name, False)
