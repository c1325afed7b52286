"""What must be said of an agent is said by every command that prints a reading of it, in text and in JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.suites.binding.swebench import repository

from proctor.cli.score import label_of_runs
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.reports.build import build_report

PLANTED = "planted levels, not a result"
ORACLE = "oracle, not a result"
RETRIEVER = "planted retrieval agent: pipeline check, not evidence"


@pytest.fixture
def runs(cli: Cli) -> tuple[str, str]:
    """A planted agent's run of `hello`, and an oracle's."""
    return tuple(  # type: ignore[return-value]
        cli("run", "hello", "--agent", agent, "--seed", "1", "--store", "s.db", "-q").out.strip()
        for agent in ("graded:S=3", "oracle")
    )


def test_every_command_that_prints_a_reading_says_it(cli: Cli, runs: tuple[str, str], tmp_path: Path) -> None:
    planted, oracle = runs
    store = ("--store", "s.db")
    for arguments in (
        ("score", planted),
        ("score", planted, "--json"),
        ("score", planted, "--instrument", "rates"),
        ("show", planted),
        ("show", planted, "--json"),
        ("runs",),
        ("runs", "--json"),
        ("report", planted, "--json"),
        ("compare", planted, oracle),
        ("compare", planted, oracle, "--json"),
    ):
        done = cli(*arguments, *store)
        assert done.code == 0, done.err
        assert PLANTED in done.out, arguments
        if oracle in arguments or arguments[0] == "runs":
            assert ORACLE in done.out, arguments
    for name in ("r.html", "r.json"):
        assert cli("report", planted, "-o", name, *store).code == 0
        assert PLANTED in (tmp_path / name).read_text(encoding="utf-8")


def test_a_label_of_one_of_two_runs_says_which(cli: Cli, runs: tuple[str, str], tmp_path: Path) -> None:
    """What `--beside` prints: the agents of both boundaries."""
    with Store(str(tmp_path / "s.db")) as store:
        one, two = (evidence_of(store, name) for name in runs)
        beside = build_report(store, two, ())
        assert build_report(store, one, (), other=beside).label == f"{PLANTED}; {two.run}: {ORACLE}"
    assert label_of_runs(one, two) == f"{one.run}: {PLANTED}; {two.run}: {ORACLE}"
    assert label_of_runs(one, None) == PLANTED
    assert label_of_runs(one, one) == PLANTED


def test_runs_that_are_read_together_keep_it(cli: Cli, tmp_path: Path) -> None:
    data = repository.write(tmp_path / "data")
    names = []
    for agent in ("retriever:state=.9", "retriever:state=.2"):
        done = cli("run", "binding-swebench", "--data", data, "--agent", agent, "--store", "s.db", "-q")
        names.append(done.out.strip())
    together = ("score", names[0], "--with", names[1], "--store", "s.db")
    assert RETRIEVER in cli(*together).out.splitlines()[0]
    read = cli(*together, "--json").json
    assert read["label"] == RETRIEVER
    assert read["agents"] == ["retriever:state=.9", "retriever:state=.2"]
    for more in ((), ("--json",)):
        assert RETRIEVER in cli("predict", "--run", names[0], "--run", names[1], "--store", "s.db", *more).out
