"""The families the benchmarks run on: the oracle solves them with the number of calls that is counted."""

import asyncio
from pathlib import Path

import benchmarks.families
import benchmarks.world_families
import pytest
from benchmarks.families import STEPS
from benchmarks.world_families import CALLS

from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.evidence.row import Row
from proctor.worlds.sandbox import available

FAMILIES = benchmarks.families.__file__
WORLDS = benchmarks.world_families.__file__


def first_row(suite: str) -> Row:
    frozen = freeze(suite=load_suite(suite, Path()), agent="oracle", folder=Path())
    bench = Bench(frozen, Path())
    (record,) = asyncio.run(live(bench, bench.plan.lifetime(0)))
    return record.row


@pytest.mark.parametrize(("suite", "calls"), [("trivial", 0), ("steps", STEPS), ("prose", STEPS), ("few_steps", STEPS)])
def test_in_memory(suite: str, calls: int) -> None:
    row = first_row(f"{FAMILIES}@{suite}")
    assert (row.outcome, row.calls) == ("success", calls)


@pytest.mark.parametrize("kind", CALLS)
def test_real_worlds(kind: str) -> None:
    if kind == "shell" and available() is not None:
        pytest.skip(str(available()))
    row = first_row(f"{WORLDS}@{kind}")
    assert (row.outcome, row.calls) == ("success", CALLS[kind])
