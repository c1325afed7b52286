"""Repeats go in rounds: no scenario is lived beside itself, and those that are meant are lived in company."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.engine.small import FOLDER, frozen
from tests.unit.pipeline.living import Silent

from proctor.agents.lookup import label_of
from proctor.engine.executors.contract import Executor, Todo, Work
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.executors.processes import ProcessesExecutor
from proctor.engine.plan import Plan
from proctor.engine.run import execute, start_run
from proctor.engine.stage_outputs import StageOutputs
from proctor.evidence.result import RunResult, result_of
from proctor.evidence.store.store import Store
from proctor.spec.frozen import FrozenRun, config_hash_of
from proctor.spec.scope import Kept, Narrowing

N = 30


def repeating(meant: tuple[int, ...], company: tuple[int, ...], *, replicates: int = 3, **entry: Any) -> FrozenRun:
    run = frozen({"n": N, "replicates": replicates, **entry})
    (name,) = [family.spec.full_name for family in run.families]
    narrowing = Narrowing(
        coordinate="*.*.*.*.*",
        inherits=False,
        reaches=("agent",),
        families={name: Kept(of=N, numbers=tuple(sorted({*meant, *company})))},
        repeated={name: meant},
    )
    return run.model_copy(update={"scope": narrowing})


def instances(plan: Plan) -> list[int]:
    return [plan.lifetime(index).instance for index in range(plan.lifetimes)]


sets = st.sets(st.integers(0, N - 1), min_size=1, max_size=N)


@settings(deadline=None, max_examples=40)
@given(sets, sets, st.integers(1, 5), st.booleans())
def test_every_round_has_every_scenario_once(meant: set[int], taken: set[int], replicates: int, twice: bool) -> None:
    regimes = ["baseline", "mild"] if twice else ["baseline"]
    plan = Plan(repeating(tuple(sorted(meant)), tuple(sorted(taken)), replicates=replicates, regimes=regimes))
    everything, order = meant | taken, instances(plan)
    assert plan.rounds == [len(everything) * number for number in range(replicates * len(regimes))]
    for first in plan.rounds:
        assert set(order[first : first + len(everything)]) == everything
    lived = {(life.arm, life.instance, life.replicate) for life in map(plan.lifetime, range(plan.lifetimes))}
    assert len(lived) == plan.lifetimes == len(everything) * replicates * len(regimes)


@pytest.mark.parametrize(
    ("count", "company", "ends", "apart"),
    [
        (1, 14, 7, 0),
        (2, 16, 7, 2),
        (3, 18, 7, 2),
        (8, 22, 4, 2),
        (3, 27, 11, 2),
        (3, 4, 1, 1),
        (6, 6, 0, 1),
        (2, 1, 0, 1),
    ],
)
def test_company_stands_before_between_and_behind(count: int, company: int, ends: int, apart: int) -> None:
    meant = tuple(range(count))
    plan = Plan(repeating(meant, tuple(range(count, count + company))))
    order, size = instances(plan), count + company
    rounds = [order[first : first + size] for first in plan.rounds]
    for one in rounds:
        places = [place for place, number in enumerate(one) if number in meant]
        assert min(places[0], size - 1 - places[-1]) >= ends
        assert all(after - before > apart for before, after in pairwise(places)) or apart == 1
    assert rounds[0] != rounds[1] or size < 4, "each round has an order of its own"


def test_a_run_without_repeats_has_no_rounds_and_the_same_identity() -> None:
    run = repeating((1,), (2, 3))
    assert run.scope is not None
    plain = run.model_copy(update={"scope": run.scope.model_copy(update={"repeated": {}})})
    assert Plan(plain).rounds == [] == Plan(frozen()).rounds
    written = plain.model_dump(mode="json")
    assert "repeated" not in written["scope"]
    assert config_hash_of(written) == plain.config_hash != run.config_hash
    assert FrozenRun.model_validate_json(run.model_dump_json()) == run
    assert run.scope.sentence == "1 repeated, in rounds with 2 others that only keep company"


@pytest.mark.parametrize("seed", range(40))
def test_a_scenario_is_never_handed_out_while_it_is_being_lived(seed: int) -> None:
    """Whatever the workers take, lose and deliver, and in whichever order."""
    rng = random.Random(seed)
    plan = Plan(repeating((1, 5), (2, 3, 4), replicates=4))
    order = instances(plan)
    todo = Todo([(0, plan.lifetimes)], plan.rounds)
    living: list[int] = []
    lived: list[int] = []
    while len(lived) < plan.lifetimes:
        taken = todo.take(rng.randint(1, 7))
        if taken is not None:
            living += range(*taken)
            scenarios = [order[index] for index in living]
            assert len(set(scenarios)) == len(scenarios)
        assert living, "something can always go on"
        if taken is None or rng.random() < 0.5:
            index = living.pop(rng.randrange(len(living)))
            if rng.random() < 0.1:
                todo.give_back(index)
            else:
                todo.delivered(1)
                lived.append(index)
    assert sorted(lived) == list(range(plan.lifetimes))
    assert todo.next is None


class OneRoundAtATime:
    """An executor that takes the first None for the end, as it was before there were rounds."""

    name, workers, concurrency = "one-round", 1, 1

    def __init__(self) -> None:
        self.asked = 0

    def execute(self, frozen: bytes, folder: Path, stage_outputs: StageOutputs, work: Work) -> None:
        self.asked += 1
        InlineExecutor(1).execute(frozen, folder, stage_outputs, msgspec.structs.replace(work, todo=UpTo(work.todo)))


class UpTo(Todo):
    """Hands out five lifetimes of another one, and says that this was all."""

    def __init__(self, whole: Todo) -> None:
        super().__init__([])
        self.whole, self.left = whole, 5

    def take(self, count: int) -> tuple[int, int] | None:
        self.left -= 1
        return None if self.left < 0 else self.whole.take(1)


def lived(run: FrozenRun, store: Path, executor: Executor) -> RunResult:
    plan = Plan(run)
    with Store(str(store)) as opened:
        record, _ = start_run(opened, run, plan, executor=executor, folder=FOLDER)
        execute(opened, record, run, plan, folder=FOLDER, executor=executor, progress=Silent())
        return result_of(opened, record.name, label_of)


def test_rounds_have_the_same_root_everywhere(tmp_path: Path) -> None:
    run = repeating((1, 5), (2, 3, 4))
    simple = OneRoundAtATime()
    executors: list[Executor] = [InlineExecutor(None), ProcessesExecutor(2), simple]
    results = [lived(run, tmp_path / f"{number}.db", one) for number, one in enumerate(executors)]
    assert {result.status for result in results} == {"complete"}
    assert len({result.root for result in results}) == 1
    assert {result.episodes for result in results} == {15}
    assert simple.asked == 3, "it is asked again for each round"
