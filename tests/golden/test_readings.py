"""Five runs give what they gave: outcomes, readings and reports, all but digests of code and execution."""

from __future__ import annotations

import copy
import os
from typing import Any

import msgspec
import pytest

from proctor.evidence.row import Arm, Row
from proctor.instruments import efficiency
from proctor.plugins import registry
from tests.golden.readings.comparing import ABSENT, MAX_SHOWN, Difference, differences, digest, listed, rounded
from tests.golden.readings.examined import RUNS, document_of, file_of, golden, written
from tests.golden.readings.masking import masked
from tests.golden.readings.rows import COLUMNS, REAL, in_short, whole


@pytest.fixture(autouse=True)
def nothing_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run names every package whose code is in its process, plug-ins that other tests loaded included."""
    monkeypatch.setattr(registry, "_LOADED", set())


def compared(name: str) -> list[Difference]:
    """How a run differs from its file; skipped where this machine lacks what one of its families needs."""
    document = document_of(name)
    skipped = document["report"]["skipped"]
    if skipped and os.environ.get("CI") != "true":
        pytest.skip("; ".join(f"{family}: {why}" for family, why in skipped.items()))
    return list(differences(golden(name), document))


@pytest.mark.parametrize("name", RUNS)
def test_a_run_gives_what_it_gave(name: str) -> None:
    found = compared(name)
    assert not found, f"{len(found)} differences (python -m tests.golden.readings says how to go on):\n{listed(found)}"


@pytest.mark.parametrize("name", RUNS)
def test_files_are_in_the_form_they_are_written_in(name: str) -> None:
    text = file_of(name).read_text(encoding="utf-8")
    assert text == written(rounded(golden(name)))


def test_an_instrument_that_counts_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    _, why = efficiency.MEASURES["actions per episode"]
    monkeypatch.setitem(efficiency.MEASURES, "actions per episode", (lambda row: row.calls + 1, why))
    found = compared("hello")
    arms = len(golden("hello")["report"]["samples"])
    assert {one.path.partition("[")[0] for one in found} == {"readings.efficiency.values"}
    assert len(found) == 3 * arms, "estimate, low and high of every arm, and nothing else"


def changed(path: tuple[str | int, ...], value: Any) -> list[Difference]:
    """How the file of `hello` differs from one in which this path has another value."""
    old = golden("hello")
    new = copy.deepcopy(old)
    part = new
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value(part[path[-1]])
    return list(differences(old, new))


ESTIMATE = ("readings", "rates", "values", 0, "estimate", "low")


def test_a_changed_reading_is_named_by_its_path() -> None:
    (found,) = changed(ESTIMATE, lambda low: low * (1 + 1e-8))
    assert found.path == "readings.rates.values[0].estimate.low"
    assert found.old < found.new


def test_the_last_digits_of_a_number_may_differ() -> None:
    assert changed(ESTIMATE, lambda low: low * (1 + 1e-10)) == []


def test_a_small_number_is_compared_as_exactly_as_a_large_one() -> None:
    assert list(differences({"p": 1.0e-13}, {"p": 1.1e-13})) == [Difference("p", 1.0e-13, 1.1e-13)]
    assert list(differences({"sum": 0.0}, {"sum": 2e-17})) == []


def test_a_changed_count_is_named_by_its_path() -> None:
    group = next(name for name, one in golden("hello")["rows"]["groups"].items() if "success: correct" in one["ended"])
    (found,) = changed(("rows", "groups", group, "ended", "success: correct"), lambda count: count + 1)
    assert found.path == f"rows.groups.{group}.ended.success: correct"


def test_what_is_added_or_gone_is_a_difference() -> None:
    assert list(differences({"a": 1}, {"b": [1]})) == [Difference("a", 1, ABSENT), Difference("b", ABSENT, [1])]
    assert list(differences([1], [1, 2])) == [Difference("[1]", ABSENT, 2)]
    assert list(differences({"a": None}, {})) == [Difference("a", None, ABSENT)]


@pytest.mark.parametrize(("old", "new"), [(1, 1.0), (1, True), (0, None), ("1", 1), ([], {})])
def test_values_of_other_types_differ(old: Any, new: Any) -> None:
    assert list(differences({"a": old}, {"a": new})) == [Difference("a", old, new)]


def test_a_long_list_of_differences_is_cut() -> None:
    found = [Difference(f"a[{index}]", index, "x" * 1_000) for index in range(MAX_SHOWN + 5)]
    lines = listed(found).splitlines()
    assert len(lines) == MAX_SHOWN + 1
    assert lines[0].startswith("a[0]: 0 → 'xxx") and len(lines[0]) < 300
    assert lines[-1] == "… and 5 more"


ARMS = (
    Arm(index=0, entry=0, family="one@1.0", regime="baseline", condition="none", cell="S1", stage="main"),
    Arm(index=1, entry=1, family="two@1.0", regime="mild", condition="none", cell=None, stage="main"),
)
ONE = "S1 / one@1.0 / baseline / none / test"
TWO = "no cell / two@1.0 / mild / none / test"


def row(position: int, arm: int) -> Row:
    return Row(
        position=position,
        lifetime=position,
        arm=arm,
        unit=position,
        part=0,
        template="plain",
        instance="00ff",
        phase="test",
        replicate=0,
        outcome="success",
        reason="correct",
        format_error=False,
        faults=None,
        calls=3,
        retries=0,
        undeclared=0,
        violations=None,
        tokens=None,
        cost=None,
        measures=None,
        artifact_ok=None,
        answer='"yes"',
        head=b"\0",
        elapsed_us=10,
        attempts=1,
        aside=None,
    )


OTHER: dict[str, Any] = {
    "position": 9, "lifetime": 9, "unit": 9, "part": 1, "template": "table", "instance": "00fe", "replicate": 1,
    "outcome": "failure", "reason": "wrong", "format_error": True, "faults": '{"noise":1}', "calls": 4, "retries": 1,
    "undeclared": 1, "violations": '{"scope":1}', "tokens": 5, "cost": "0.1", "measures": "{}", "artifact_ok": False,
    "answer": '"no"', "confidence": 0.5, "transitions": 2, "claims": '{"tool":[1,0]}', "out_of_range": 1,
    "undeclared_actions": 1,
}  # fmt: skip
"""Another value for each column that does not say which group a row is in."""


def test_every_column_is_compared_or_real() -> None:
    assert OTHER.keys() | {"arm", "phase"} == {*COLUMNS}
    assert {*COLUMNS} | REAL == {*Row.__struct_fields__}


def summary(*rows: Row) -> dict[str, Any]:
    return in_short(whole(rows, ARMS))


@pytest.mark.parametrize("column", OTHER)
def test_a_changed_row_is_named_by_its_group_and_column(column: str) -> None:
    first, second = row(0, 0), row(1, 1)
    after = msgspec.structs.replace(second, **{column: OTHER[column]})
    paths = [one.path for one in differences(summary(first, second), summary(first, after))]
    ended = [path for path in paths if ".ended." in path]
    assert bool(ended) == (column in ("outcome", "reason"))
    assert [path for path in paths if path not in ended] == [f"columns.{column}", f"groups.{TWO}.digest"]


def test_a_row_in_another_group_moves_its_count() -> None:
    first, second = row(0, 0), row(1, 1)
    paths = [one.path for one in differences(summary(first, second), summary(first, row(1, 0)))]
    assert f"groups.{ONE}.episodes" in paths and f"groups.{TWO}" in paths


def test_real_columns_of_a_row_may_differ() -> None:
    before = row(0, 0)
    after = msgspec.structs.replace(before, head=b"\1", elapsed_us=11, attempts=2, aside=b"x")
    assert summary(before) == summary(after)


SHA = "0123456789abcdef" * 4


def test_digests_of_code_and_execution_are_masked_and_those_of_content_stay() -> None:
    document = {
        "config_hash": SHA,
        "root": None,
        "started": ["2026-01-01T00:00:00Z"],
        "head": "of the department",
        "text": f"run hello-1 has root {SHA}",
        "values": [{"rules_identity": "ab", "instance": "00ff"}],
    }
    assert masked(document, {"hello-1": "<run>", SHA: "<root>"}) == {
        "config_hash": "<config_hash>",
        "root": None,
        "started": "<started>",
        "head": "of the department",
        "text": "run <run> has root <root>",
        "values": [{"rules_identity": "ab", "instance": "00ff"}],
    }


def test_of_real_time_only_the_numbers_are_masked() -> None:
    estimate = {"estimate": 1.5, "low": 1.0, "high": None, "n": 20, "method": "mean"}
    real, other = ({"name": name, "estimate": estimate} for name in ("real milliseconds per episode", "actions"))
    hidden = {"estimate": "<estimate>", "low": "<low>", "high": None, "n": 20, "method": "mean"}
    assert masked([real, other], {}) == [{**real, "estimate": hidden}, other]


def test_a_digest_follows_values_and_not_order_or_last_digits() -> None:
    assert digest({"a": 0.1 + 0.2, "b": [-0.0]}) == digest({"b": [0.0], "a": 0.3})
    assert digest({"a": 0.3}) != digest({"a": 0.300001})
    assert digest([1, 2]) != digest([2, 1])
