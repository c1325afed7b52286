"""`--ratings` and `--reference`: read, checked, kept with the run, and shown wherever they count."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.conftest import Cli

import proctor
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.spec.suite import Suite

SUITE = {
    "name": "workshop",
    "version": "1.0",
    "title": "Goals of one's own",
    "epoch": "2026-01-01T00:00:00Z",
    "entries": [
        {"family": "email-triage", "n": 20, "cell": "S1"},
        {"family": "subgoals", "n": 20, "cell": "G3-1"},
        {"family": "derivable-goals", "n": 20, "cell": "G3-2"},
        {"family": "open-workshop", "n": 24, "cell": "G3-3", "program": [{"episodes": 3}]},
    ],
}
Row = tuple[str, str, str | int, str]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run of the workshop by its oracle."""
    path = tmp_path_factory.mktemp("workshop") / "store.db"
    proctor.run(Suite.parse(SUITE, source="test"), agent="oracle", seed=7, store=str(path))
    return path


@pytest.fixture
def store(ran: Path, tmp_path: Path) -> Path:
    """A copy of it, where commands look for it."""
    path = tmp_path / ".proctor" / "store.db"
    path.parent.mkdir()
    shutil.copy(ran, path)
    return path


@pytest.fixture
def sheet(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file of ratings."""

    def write(rows: Iterable[Row], name: str = "ratings.csv") -> Path:
        lines = ["rater,question,subject,answer", *(",".join(map(str, row)) for row in rows)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return tmp_path / name

    return write


def lifetimes(store: Path) -> list[int]:
    """Where the stays that leave room for a goal begin."""
    with Store(str(store), create=False) as opened:
        evidence = evidence_of(opened, "latest")
    return [
        row.lifetime
        for row in evidence.rows
        if evidence.arms[row.arm].cell == "G3-3" and row.position == row.lifetime and row.template.endswith("-open")
    ]


def goals(store: Path, answer: str, raters: str = "ab") -> list[Row]:
    return [(rater, "goal", position, answer) for rater in raters for position in lifetimes(store)]


def vector(cli: Cli, *options: str | Path) -> Any:
    done = cli("score", "--instrument", "agency", "--json", *options)
    assert done.code == 0, done.err
    return done.json["agency"]["vector"]


def test_raters_who_find_no_goal_anywhere_earn_nothing(cli: Cli, store: Path, sheet: Callable[..., Path]) -> None:
    found = vector(cli, "--ratings", sheet(goals(store, "none")))["G"]["parts"]["G3"]
    assert found["level"] == 2


def test_raters_without_control_items_are_not_admitted(cli: Cli, store: Path, sheet: Callable[..., Path]) -> None:
    found = vector(cli, "--ratings", sheet(goals(store, "originated")))["G"]["parts"]["G3"]
    assert found["level"] == 2
    assert "Provisional" in [flag["name"] for flag in found["flags"]]


def test_one_uncalibrated_rater_sets_no_level(cli: Cli, store: Path, sheet: Callable[..., Path]) -> None:
    found = vector(cli, "--ratings", sheet([("a", "level", "S", "0")]))["S"]
    assert found["level"] == 1


def test_the_data_show_which_ratings_were_read(cli: Cli, store: Path, sheet: Callable[..., Path]) -> None:
    done = cli("score", "--instrument", "agency", "--json", "--ratings", sheet(goals(store, "none")))
    assert "ratings" in done.json["agency"]["tuple"] and done.json["agency"]["ratings"]["digest"]


def test_ratings_stay_with_the_run(cli: Cli, store: Path, sheet: Callable[..., Path]) -> None:
    first = cli("score", "--instrument", "agency", "--json", "--ratings", sheet(goals(store, "none"))).json
    again = cli("score", "--instrument", "agency", "--json").json
    assert again["agency"]["ratings"]["digest"] == first["agency"]["ratings"]["digest"]
