"""How a run was made, by the names of the harness paper, and what no decision is made on."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.living import CLERK, gated, live, store_of

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.engine.executors.inline import InlineExecutor
from proctor.pipeline.execution import run_config
from proctor.spec.rules import Rules


def test_parallelism_counts_all_that_are_examined_at_once(desk: Path) -> None:
    (name,) = live(desk, 9)
    with store_of(desk) as store:
        record = store.run(name)
        frozen = store.frozen(record.number)
    rules = Rules.model_validate({"failFast": True, "recordTraces": False, "limits": {"timeoutMs": 900}})
    frozen = frozen.model_copy(update={"rules": rules})
    for execution, expected in (
        ({"workers": 1, "concurrency": 32}, 32),
        ({"workers": 4, "concurrency": 1}, 4),
        ({"workers": 3, "concurrency": 5}, 15),
        ({"workers": 3}, None),
    ):
        found = run_config(frozen, msgspec.structs.replace(record, execution=execution))
        assert jsonable(found) == {"parallelism": expected, "timeoutMs": 900, "failFast": True, "recordTraces": False}


def test_agents_that_wait_are_examined_many_at_once(desk: Path) -> None:
    names = (*live(desk, 9, agent=CLERK), *live(desk, 9))
    with store_of(desk) as store:
        clerk, oracle = (store.run(name).execution for name in names)
    assert (clerk["workers"], clerk["concurrency"]) == (1, InlineExecutor().concurrency)
    assert clerk["concurrency"] > 1
    # The oracle computes in this process: its episodes take turns.
    assert (oracle["workers"], oracle["concurrency"]) == (1, 1)


def test_nothing_is_decided_on_rows_that_cannot_be_checked(desk: Path) -> None:
    family = desk / "desk.py"
    family.write_text(family.read_text() + 'suite["rules"] = {"recordTraces": False}\n')
    (name,) = live(desk, 9)
    with pytest.raises(InputError, match=r"traces of run .* were not recorded .* nothing is decided on them"):
        gated(desk, name)
