"""Bundles of format 2, written before rows had all their columns: they verify, import and score as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.api import score
from proctor.engine.plan import Plan
from proctor.evidence.bundle import export_bundle, import_bundle, verify_bundle
from proctor.evidence.bundle.in_store import verify_run
from proctor.evidence.row import LATER_COLUMNS, counts_columns
from proctor.evidence.store.store import Store

BUNDLES = sorted((Path(__file__).parents[3] / "docs" / "evidence").glob("*.proctor"))


@pytest.mark.parametrize("path", BUNDLES[:2], ids=lambda path: path.stem)
def test_an_older_bundle_verifies_imports_and_scores(path: Path, tmp_path: Path) -> None:
    assert verify_bundle(path, plan=Plan).ok
    place = tmp_path / "store.db"
    with Store(str(place)) as store:
        name = import_bundle(path, store, plan=Plan)
        number = store.run(name).number
        assert verify_run(store, number, plan=Plan).ok
        assert {getattr(row, column) for row in store.rows(number) for column in LATER_COLUMNS} == {None}
        again = tmp_path / "again.proctor"
        assert export_bundle(store, number, again).version == 3
    assert verify_bundle(again, plan=Plan).ok, "written in the format of today, it still says nothing it does not know"
    assert score(name, store=str(place))


@pytest.mark.parametrize(
    ("bench", "counted"),
    [(None, False), ("1.0", False), ("0.9", False), ("1.1", True), ("1.10", True), ("2.0", True), ("nonsense", True)],
)
def test_which_versions_of_the_bench_counted_the_later_columns(bench: str | None, counted: bool) -> None:
    assert counts_columns(bench) == counted
