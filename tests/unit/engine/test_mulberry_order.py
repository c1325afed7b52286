"""The order of the harness paper: Fisher–Yates from the end, drawn from mulberry32 of the seed."""

from __future__ import annotations

import pytest
from tests.unit.engine.small import frozen

from proctor.core.seeds import Mulberry32
from proctor.engine.plan import Plan


@pytest.mark.parametrize(("seed", "start"), [(7, 7), (2**40 + 5, 5), ("ff" * 32, 0xFFFFFFFF)])
def test_the_order_is_that_of_mulberry32(seed: int | str, start: int) -> None:
    made = frozen({"n": 50}, freezing={"seed": seed})
    made = made.model_copy(update={"suite": made.suite.model_copy(update={"shuffle": "mulberry32"})})
    expected = list(range(50))
    Mulberry32(start).shuffle(expected)
    plan = Plan(made)
    assert [plan.lifetime(index).instance for index in range(50)] == expected
