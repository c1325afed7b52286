"""Without traces: rows and digests are as ever, and whoever needs the events is told in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError, IntegrityError
from proctor.engine.plan import Plan
from proctor.evidence.bundle import export_bundle, import_bundle, verify_bundle, verify_run
from proctor.evidence.store.store import Store
from proctor.spec.rules import Rules

SENTENCE = r"the traces of run .* were not recorded \(recordTraces: false\), so .*; run the suite again"


@pytest.fixture
def untraced(making: Any, tmp_path: Path) -> Iterator[Store]:
    """A run of long and short episodes, none of whose events were kept."""
    with Store(str(tmp_path / "untraced.db")) as store:
        what = making.suite(
            making.entry(n=3), making.entry(n=2, kind="long"), rules=Rules.model_validate({"recordTraces": False})
        )
        making.run(store, what)
        yield store


def failing(store: Store) -> set[str]:
    return {check.name for check in verify_run(store, 1, plan=Plan).checks if not check.ok}


def test_rows_and_digests_are_kept_and_events_are_not(untraced: Store, making: Any, tmp_path: Path) -> None:
    with Store(str(tmp_path / "traced.db")) as traced:
        making.run(traced, making.suite(making.entry(n=3), making.entry(n=2, kind="long")))
        rows = [
            [(row.outcome, row.reason, row.calls, row.measures) for row in one.rows(1)] for one in (untraced, traced)
        ]
        assert rows[0] == rows[1] and len(rows[0]) == 5
    count = untraced.connection.exec_driver_sql
    assert count("SELECT sum(length(trace)) FROM episodes").scalar() == 0
    assert [count(f"SELECT count(*) FROM {name}").scalar() for name in ("segments", "contents", "dictionaries")] == [
        0
    ] * 3
    record = untraced.run("latest")
    assert untraced.digests(1, record.config_hash)[0] == record.root and record.seal


def test_verification_says_what_it_could_not_check(untraced: Store) -> None:
    report = verify_run(untraced, 1, plan=Plan)
    assert report.ok, report.problems
    assert "traces were not recorded" in report.unchecked
    assert {check.name: check.detail for check in report.checks}["heads"].endswith("events were not recorded")


@pytest.mark.parametrize(
    ("statement", "checks"),
    [
        ("UPDATE episodes SET head = zeroblob(32) WHERE id % 4294967296 = 3", {"root", "seal"}),
        ("UPDATE episodes SET arm = 99 WHERE id % 4294967296 = 3", {"rows"}),
        ("UPDATE episodes SET unit = unit + 1 WHERE id % 4294967296 = 3", {"rows"}),
        ("UPDATE episodes SET elapsed_us = 1 WHERE id % 4294967296 = 3", {"seal"}),
        ("DELETE FROM episodes WHERE id % 4294967296 = 3", {"positions", "rows", "root", "seal"}),
        (
            "UPDATE runs SET frozen = replace(frozen, '\"record_traces\":false', '\"fail_fast\":false')",
            {"configuration"},
        ),
    ],
)
def test_rows_root_and_heads_are_checked_all_the_same(untraced: Store, statement: str, checks: set[str]) -> None:
    untraced.connection.exec_driver_sql(statement)
    untraced.connection.commit()
    assert failing(untraced) >= checks


def test_a_trace_that_was_recorded_and_emptied_is_damage(making: Any, tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        making.run(store, making.suite(making.entry(n=2)))
        store.connection.exec_driver_sql("UPDATE episodes SET trace = x''")
        store.connection.commit()
        assert "heads" in failing(store)


def test_whoever_needs_events_is_told(untraced: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=SENTENCE):
        untraced.events(1, 0)
    with pytest.raises(InputError, match="episode 77 is not in this run"):
        untraced.events(1, 77)
    with pytest.raises(InputError, match="no bundle can be made of it"):
        export_bundle(untraced, 1, tmp_path / "run.proctor")
    assert not (tmp_path / "run.proctor").exists()


def test_a_bundle_that_claims_to_have_no_traces_is_refused(made: Any, making: Any, tmp_path: Path) -> None:
    forged = making.Forgery.of(made("small").path)
    forged.declarations["frozen"]["rules"]["record_traces"] = False
    path = forged.write(tmp_path / "forged.proctor")
    report = verify_bundle(path)
    assert not report.ok and "traces were not recorded (recordTraces: false)" in report.problems[0].message
    with (
        Store(str(tmp_path / "other.db")) as store,
        pytest.raises(IntegrityError, match=r"cannot be verified.*it was not imported"),
    ):
        import_bundle(path, store)
