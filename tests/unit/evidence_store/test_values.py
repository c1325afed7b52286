"""Values of a store are checked where they are read: odd ones are one sentence, whichever function asks."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from time import process_time

import pytest
from tests.adversarial.attackers.stores import COLUMNS, edited, read_store, store_bytes
from tests.unit.engine.small import frozen, run_small

from proctor.core.errors import InputError, IntegrityError, ProctorError, StoreError
from proctor.engine.plan import Plan
from proctor.evidence.bundle import export_bundle, import_bundle, verify_run
from proctor.evidence.evidence import evidence_of
from proctor.evidence.listing import list_runs
from proctor.evidence.store.store import Store
from proctor.evidence.store.values import MAX_RUN, amount
from proctor.pipeline.reruns import run_meant

SECONDS = 5.0
"""Processor time for reading a store of half a megabyte."""


@pytest.mark.parametrize("seed", range(3))
def test_odd_values_in_every_column_are_read_or_refused_in_one_sentence(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    path = tmp_path / "store.db"
    refused = 0
    for table, column in COLUMNS[seed::3]:
        path.write_bytes(store_bytes())
        value = edited(path, table, column, draw)
        began, sentence = process_time(), ""
        try:
            read_store(path, draw)
        except ProctorError as error:
            refused += 1
            sentence = str(error)
        assert "\n" not in sentence, (table, column, value)
        assert process_time() - began < SECONDS, (table, column, value)
    assert refused


def test_an_honest_store_is_read_by_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(store_bytes())
    assert len(read_store(path)) > 15


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two finished runs."""
    path = tmp_path_factory.mktemp("honest") / "store.db"
    for seed in (1, 2):
        run_small(path, {"n": 3}, running={"seed": seed})
    return path


@pytest.fixture
def place(honest: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(honest, tmp_path / "store.db"))


def change(place: Path, *statements: str) -> None:
    with closing(sqlite3.connect(place)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("number", [2**63 - 1, 2**31 - 1, MAX_RUN + 1, 0, -1, -(2**63)])
def test_a_run_of_an_impossible_number_is_refused_by_all_who_read_runs(place: Path, number: int) -> None:
    change(place, f"UPDATE runs SET number = {number} WHERE number = 2")
    made = frozen({"n": 3})
    with Store(str(place)) as store:
        for read in (
            lambda: store.runs(),
            lambda: list_runs(store),
            lambda: verify_run(store, 1),
            lambda: evidence_of(store, "latest"),
            lambda: store.add_run("mine", made, Plan(made).arms, 3, {}),
        ):
            with pytest.raises(IntegrityError, match=r"run -?\d+: it cannot be read") as caught:
                read()
            assert "\n" not in str(caught.value)
        assert store.query("SELECT count(*) FROM runs", ()) == [(2,)], "and nothing was added"


def test_where_no_number_is_left_none_is_made_up(place: Path) -> None:
    change(place, f"UPDATE runs SET number = {MAX_RUN} WHERE number = 2")
    made = frozen({"n": 3})
    with Store(str(place)) as store:
        assert list(store.rows(MAX_RUN)) == []
        with pytest.raises(StoreError, match="after which there can be none; choose another with --store"):
            store.add_run("mine", made, Plan(made).arms, 3, {})
        assert [run.number for run in store.runs()] == [1, MAX_RUN]


def test_looks_that_go_round_in_a_circle_end(place: Path) -> None:
    with Store(str(place), create=False) as store:
        first, second = store.runs()
    look = '\'{{"number": 2, "after": "{}", "max_n": 9}}\''
    change(
        place,
        f"UPDATE runs SET frozen = json_set(frozen, '$.look', json({look.format(second.root)})) WHERE number = 1",
        f"UPDATE runs SET frozen = json_set(frozen, '$.look', json({look.format(first.root)})) WHERE number = 2",
    )
    with Store(str(place), create=False) as store, pytest.raises(ProctorError) as caught:
        evidence_of(store, first.name)
    assert "goes on where" in str(caught.value)


@pytest.mark.parametrize("cost", ["1e999999", "1e-999999", "NaN", "inf", "-Infinity", "x", "", "9" * 200, "0e99999", 5])
def test_what_cannot_be_written_out_is_no_amount(cost: object) -> None:
    assert amount(cost) is None


@pytest.mark.parametrize("cost", ["0", "0.10", "1E-7", "12345.678901", "0E-10"])
def test_amounts_are_read(cost: str) -> None:
    assert amount(cost) == Decimal(cost)


# Which run is `latest`


def test_latest_follows_the_order_in_which_runs_were_begun_here_and_no_date(place: Path, tmp_path: Path) -> None:
    later = "'[\"2999-01-01T00:00:00+00:00\"]'"
    change(place, f"UPDATE runs SET execution = json_set(execution, '$.started', json({later})) WHERE number = 1")
    with Store(str(place), create=False) as store:
        newest = store.runs()[-1]
        assert newest.number == 2
        assert store.run("latest").name == newest.name == run_meant(store, tmp_path, "latest").name


def test_latest_is_no_run_that_was_taken_in_unless_all_were(place: Path, tmp_path: Path) -> None:
    run_small(tmp_path / "theirs.db", {"n": 3}, running={"seed": 9})
    with Store(str(tmp_path / "theirs.db"), create=False) as theirs:
        export_bundle(theirs, 1, tmp_path / "theirs.proctor")
    with Store(str(place)) as store:
        own = store.run("latest").name
        name = import_bundle(tmp_path / "theirs.proctor", store)
        assert store.run(name).number == 3
        assert store.run("latest").name == own == run_meant(store, tmp_path, "latest").name
        assert [run.number for run in store.runs()] == [3, 1, 2]
    newest = run_small(place, {"n": 3}, running={"seed": 5}).run
    with Store(str(place)) as store:
        assert store.run("latest").name == newest
    with Store(str(tmp_path / "empty.db")) as store:
        import_bundle(tmp_path / "theirs.proctor", store)
        assert store.run("latest").name == name


def test_nobody_can_say_beforehand_that_a_run_was_taken_in(place: Path) -> None:
    change(place, *(f"INSERT INTO meta VALUES ('imported-run-{n}', 'prepared')" for n in range(1, 9)))
    made = frozen({"n": 3})
    with Store(str(place)) as store:
        assert [run.number for run in store.runs()] == [1, 2], "the mark names another run"
        number = store.add_run("prepared", made, Plan(made).arms, 3, {})
        assert store.run("latest").number == number == 3


def test_a_name_stands_for_one_run(place: Path, tmp_path: Path) -> None:
    change(place, "UPDATE runs SET name = 'latest' WHERE number = 1")
    with Store(str(place), create=False) as store, pytest.raises(IntegrityError, match="'latest', which stands for"):
        store.run("latest")


def test_a_run_called_latest_is_not_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.engine.run.run_name", lambda _: "latest")
    monkeypatch.setattr("proctor.evidence.store.values.LATEST", "another")
    monkeypatch.setattr("proctor.evidence.store.store.LATEST", "another")
    run_small(tmp_path / "theirs.db", {"n": 3})
    with Store(str(tmp_path / "theirs.db"), create=False) as theirs:
        export_bundle(theirs, 1, tmp_path / "theirs.proctor")
    with Store(str(tmp_path / "mine.db")) as store:
        with pytest.raises(InputError, match="a run cannot be called 'latest'"):
            import_bundle(tmp_path / "theirs.proctor", store)
        assert store.runs() == []
