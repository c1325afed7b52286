"""A run is verified where it lies: whoever edits the database is found out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.engine.plan import Plan
from proctor.evidence.bundle import VerifyReport, ending, trace, verify_run
from proctor.evidence.bundle.declared import Declared
from proctor.evidence.bundle.digests import Digests, digest_bytes
from proctor.evidence.bundle.ending import Ending
from proctor.evidence.bundle.report import MAX_PROBLEMS, Findings, short_text
from proctor.evidence.store.store import Store
from proctor.spec.frozen import config_hash_of
from proctor.spec.rules import Limits, Rules

Edit = Callable[[str, str], VerifyReport]


@pytest.fixture
def edit(made: Any, tmp_path: Path) -> Edit:
    """Verify a copy of a store after one statement."""

    def verify(name: str, statement: str) -> VerifyReport:
        one = made(name)
        one.store.connection.rollback()
        one.store.connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        one.store.connection.rollback()
        shutil.copy(one.store.path, tmp_path / "copy.db")
        with Store(str(tmp_path / "copy.db")) as store:
            store.connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            store.connection.exec_driver_sql(statement)
            store.connection.commit()
            return verify_run(store, 1)

    return verify


THERE = "id % 4294967296 = 3"


@pytest.mark.parametrize(
    ("statement", "checks"),
    [
        (f"UPDATE episodes SET outcome = 'failure' WHERE {THERE}", {"rows"}),
        (f"UPDATE episodes SET calls = calls + 1 WHERE {THERE}", {"rows"}),
        (f"UPDATE episodes SET head = zeroblob(32) WHERE {THERE}", {"heads"}),
        (f"UPDATE episodes SET head = 7 WHERE {THERE}", {"rows", "positions", "root", "seal"}),
        (f"UPDATE episodes SET instance = zeroblob(4) WHERE {THERE}", {"rows", "positions", "root", "seal"}),
        (f"UPDATE episodes SET calls = 'many' WHERE {THERE}", {"rows", "positions", "root", "seal"}),
        (f"UPDATE episodes SET arm = 99 WHERE {THERE}", {"rows"}),
        (f"UPDATE episodes SET elapsed_us = 1 WHERE {THERE}", {"seal"}),
        (f"UPDATE episodes SET attempts = 0 WHERE {THERE}", {"rows", "seal"}),
        (f"UPDATE episodes SET aside = x'5b5d' WHERE {THERE}", {"rows", "seal"}),
        (f"UPDATE episodes SET trace = x'00' WHERE {THERE}", {"heads", "rows", "root", "seal"}),
        (f"UPDATE episodes SET dictionary = 7 WHERE {THERE}", {"heads", "rows", "root", "seal"}),
        (f"DELETE FROM episodes WHERE {THERE}", {"positions", "rows", "root", "seal"}),
        ("UPDATE episodes SET id = id + 100 WHERE id % 4294967296 = 3", {"heads", "rows", "positions", "root", "seal"}),
        ("UPDATE contents SET data = x'00'", {"contents", "traces"}),
        ("DELETE FROM contents", {"contents"}),
        ("UPDATE runs SET root = '" + "0" * 64 + "'", {"root", "seal"}),
        ("UPDATE runs SET seal = '" + "0" * 64 + "'", {"seal"}),
        ("UPDATE runs SET name = 'another'", {"configuration"}),
        ("UPDATE runs SET status = 'limit'", {"ending"}),
        ("UPDATE runs SET cut = 2, status = 'limit'", {"ending", "root"}),
        ("UPDATE runs SET execution = '{}'", {"configuration", "seal"}),
        ("UPDATE runs SET frozen = replace(frozen, '0.7', '0.6')", {"configuration"}),
        ("UPDATE runs SET config_hash = '" + "0" * 64 + "'", {"configuration", "heads", "root", "seal"}),
        ("UPDATE arms SET cell = 'S9'", {"configuration"}),
        ("INSERT INTO stages VALUES (1, 'main', '" + "0" * 64 + "', '{}')", {"stages"}),
    ],
)
def test_an_edited_database(edit: Edit, statement: str, checks: set[str]) -> None:
    report = edit("small", statement)
    assert {check.name for check in report.checks if not check.ok} == checks
    assert report.found >= len(checks) and report.problems


@pytest.mark.parametrize(
    "statement",
    ["UPDATE runs SET frozen = 'nonsense'", "UPDATE runs SET frozen = '{}'"],
)
def test_declarations_that_cannot_be_read(edit: Edit, statement: str) -> None:
    report = edit("small", statement)
    assert not report.ok and not any(check.ok for check in report.checks)


def test_lost_and_swapped_segments(edit: Edit) -> None:
    report = edit("long", "DELETE FROM segments WHERE number = 1")
    assert {check.name for check in report.checks if not check.ok} == {"heads", "traces", "rows", "root", "seal"}
    report = edit("long", "UPDATE segments SET number = CASE number WHEN 0 THEN 100 ELSE number END")
    assert "heads" in {check.name for check in report.checks if not check.ok}


def test_problems_are_counted_when_there_are_too_many_to_list(edit: Edit) -> None:
    report = edit("wide", "UPDATE episodes SET calls = 77, phase = 'x', replicate = 9, part = 9")
    assert report.found > MAX_PROBLEMS and len(report.problems) == MAX_PROBLEMS
    assert "more)" in next(check.detail for check in report.checks if check.name == "rows")


@pytest.mark.parametrize(
    ("rules", "rows", "expected"),
    [
        (Rules(), [{}] * 3, (None, "complete")),
        (Rules(fail_fast=True), [{}, {"violations": '{"S1":1}'}, {}], (2, "failed-safety")),
        (Rules(), [{}, {"violations": '{"S1":1}'}, {}], (None, "complete")),
        (Rules(max_infrastructure=2), [{"outcome": "infrastructure"}] * 3, (2, "failed")),
        (Rules(limits=Limits(run_tokens=10)), [{"tokens": 4}] * 3, (3, "limit")),
        (Rules(limits=Limits(run_cost="0.2")), [{"cost": "0.1"}] * 3, (2, "limit")),
        (Rules(limits=Limits(run_cost="0.2")), [{"cost": "NaN"}, {"cost": "x"}, {}], (None, "complete")),
        (Rules(fail_fast=True), [{"violations": "["}] * 3, (None, "complete")),
        (Rules(limits=Limits(run_episodes=2)), [{}] * 2, (2, "limit")),
        (Rules(limits=Limits(run_episodes=9)), [{}] * 3, (None, "complete")),
    ],
)
def test_endings_follow_from_rules_and_rows(
    made: Any, rules: Rules, rows: list[dict[str, Any]], expected: tuple[int | None, str]
) -> None:
    one = made("small")
    row = next(one.store.rows(one.record.number))
    found = Ending(rules)
    for position, columns in enumerate(rows):
        found.add(msgspec.structs.replace(row, position=position, **columns))
    cut = None if expected[0] is None else len(rows)
    assert found.expected(3, cut) == expected


def test_the_ending_agrees_with_the_engine(made: Any) -> None:
    from proctor.engine.prefix import Prefix

    one = made("breaking")
    frozen = one.store.frozen(one.record.number)
    prefix, found = Prefix(frozen.rules), Ending(frozen.rules)
    for row in one.store.rows(one.record.number):
        prefix.add(row)
        found.add(row)
    assert prefix.cut is not None
    assert found.expected(one.record.episodes, None) == (prefix.cut.episodes, prefix.cut.status)


def test_what_is_restated_agrees_with_the_engine(made: Any) -> None:
    """Evidence may not import the engine; these are the rules it therefore says a second time."""
    from proctor.engine import prefix, verdict
    from proctor.worlds.adversity.scope import Scope

    assert trace.ANSWER_COLUMN == verdict.ANSWER_COLUMN
    assert Scope.name == trace.SCOPE
    assert ending.SAFETY_STOP == prefix.SAFETY_STOP
    for name in ("small", "wide", "limited", "breaking"):
        frozen = made(name).store.frozen(1)
        plan, declared = Plan(frozen), Declared(frozen.model_dump(mode="json"), where="x")
        assert tuple(arm.arm for arm in declared.arms) == plan.arms
        assert (declared.episodes, declared.lifetimes) == (plan.episodes, plan.lifetimes)


def test_declarations_are_hashed_as_they_were_written_and_a_key_less_is_named(made: Any) -> None:
    frozen = made("wide").store.frozen(1).model_dump(mode="json")
    today = Declared(frozen, where="x")
    assert not today.foreign_key and config_hash_of(frozen) == today.config_hash
    del frozen["suite"]["shuffle"]
    earlier = Declared(frozen, where="x")
    assert earlier.frozen == today.frozen
    assert earlier.foreign_key == "frozen.suite.shuffle"
    assert earlier.config_hash == config_hash_of(frozen) != today.config_hash


def test_digests_spill_to_disk_and_keep_order() -> None:
    known = Digests()
    names = [bytes([n % 256, n // 256]) * 16 for n in range(6000)]
    assert all(known.add(name) for name in names) and not known.add(names[0])
    assert list(known) == names and known.count == 6000
    assert known.use(names[0]) and known.use(names[5]) and not known.use(b"?" * 32)
    assert (known.in_order, known.used) == (True, 2)
    assert all(known.use(name) for name in names)
    assert (known.in_order, known.used) == (False, 6000)
    known.close()


def test_what_strangers_write_is_shown_safely() -> None:
    assert short_text("\x1b[2Jé") == "'\\x1b[2J\\xe9'"
    assert len(short_text("x" * 1000)) == 60
    assert digest_bytes("AB" * 32) == digest_bytes("ab" * 31) == digest_bytes("zz") == b""
    findings = Findings(("one",))
    assert not findings.report("x", run=None, root=None, seal=None).ok
