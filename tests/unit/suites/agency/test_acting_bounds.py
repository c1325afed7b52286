"""What an agent can make a world compute and keep is bounded: beyond it stands a refusal, not an exception."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.conformance.subject import Options, Subject, regimes_of
from proctor.core.canonical import encode
from proctor.core.errors import ToolError
from proctor.engine.names import load_family
from proctor.spec.task import Submission
from proctor.suites.agency.acting.data_pipeline import staging
from proctor.worlds.world import Place, World


def world_of(name: str, root: Path) -> World:
    family = load_family(name, Path())
    with Subject(family, Options(regimes_of(("baseline",)), 3, 1, thorough=False, fresh_process=False)) as subject:
        return family.world(subject.instance(0), Place(root=root))


def called(world: Any, name: str, **arguments: Any) -> Any:
    tool = world.tools[name]
    return tool.function(world, **tool.check(arguments))


def staged(world: Any) -> tuple[str, str]:
    """A staged table, and a column of numbers in it."""
    sources = world.instance.hidden["sources"]
    source, column = next(
        (source, column)
        for source, rows in sources.items()
        for column in rows[0]
        if all(isinstance(row[column], int) or row[column] == "" for row in rows)
    )
    with suppress(ToolError):  # Some sources break off once, and leave some rows.
        called(world, "ingest", source=source)
    called(world, "fill_missing", table=source, column=column, value=7)
    return source, column


def refusal_of(world: Any, name: str, *, differing: str, **arguments: Any) -> str:
    """What the first refusal says when a call is repeated under other names."""
    for number in range(60):
        try:
            called(world, name, **{**arguments, differing: f"{arguments[differing]}{number}"})
        except ToolError as refusal:
            if "the disk was busy" not in str(refusal):
                return str(refusal)
    return "never"


def test_a_column_multiplied_by_itself_again_and_again_is_refused(tmp_path: Path) -> None:
    world = world_of("data-pipeline", tmp_path)
    table, column = staged(world)

    def twelve_times() -> None:
        for _ in range(12):
            called(world, "multiply", table=table, column=column, by=column, target=column)

    with pytest.raises(ToolError, match=r"numbers beyond 9007199254740991; nothing was done"):
        twelve_times()
    assert encode(world.state())
    assert not world.verify(Submission()).success
    world.close()


def test_columns_and_files_have_a_number(tmp_path: Path) -> None:
    world = world_of("data-pipeline", tmp_path)
    table, column = staged(world)
    products = {"table": table, "column": column, "by": column, "target": "c"}
    assert "at most 40 columns" in refusal_of(world, "multiply", differing="target", **products)
    assert "at most 40 files" in refusal_of(world, "export", differing="file_name", table=table, file_name="f")
    world.close()


def test_a_join_is_counted_before_it_is_made() -> None:
    rows = [{"key": 1}] * 2_000
    with pytest.raises(ToolError, match="more than 2000 rows"):
        staging.joined(rows, rows, "key")


def test_numbers_are_summed_within_bounds() -> None:
    with pytest.raises(ToolError, match="beyond"):
        staging.aggregated([{"g": "a", "n": 2**53 - 1}] * 2, "g", "n", "sum", "t")


@pytest.mark.parametrize("run", [-(10**30), 10**30, 2**63])
def test_a_run_beyond_every_number_is_refused(run: int, tmp_path: Path) -> None:
    world = world_of("lab-experiment", tmp_path)
    with pytest.raises(msgspec.ValidationError, match="Expected `int` between"):
        called(world, "file_result", run=run, micrograms_per_litre=1)
    with pytest.raises(ToolError, match="no such run"):
        called(world, "file_result", run=-(2**53 - 1), micrograms_per_litre=1)
    world.close()
