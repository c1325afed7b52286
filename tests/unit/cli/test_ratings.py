"""`--ratings` and `--reference`: read, checked, kept with the run, and shown wherever they count."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.conftest import Cli

import proctor
from proctor.core.errors import StoreError
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
        {"family": "open-workshop", "n": 44, "cell": "G3-3", "program": [{"episodes": 3}]},
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


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Right answers to twenty control items on goals."""
    answers = ["originated" if number % 2 else "derivable" for number in range(20)]
    lines = ["item,answer,author", *(f"i{number},{answer},jo" for number, answer in enumerate(answers))]
    (tmp_path / "key.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "key.csv"


def control(raters: str = "ab") -> list[Row]:
    """What raters say of the control items: all of it right."""
    answers = [(f"i{number}", "originated" if number % 2 else "derivable") for number in range(20)]
    return [(rater, "control", item, answer) for rater in raters for item, answer in answers]


def agency(cli: Cli, *options: str | Path) -> Any:
    done = cli("score", "--instrument", "agency", "--json", *options)
    assert done.code == 0, done.err
    return done.json["agency"]


def test_admitted_raters_open_the_third_level(cli: Cli, store: Path, sheet: Callable[..., Path], key: Path) -> None:
    path = sheet([*control(), *goals(store, "originated")])
    first = agency(cli, "--ratings", path, "--reference", key)
    found = first["vector"]["G"]["parts"]["G3"]
    assert found["level"] == 3
    assert [flag["name"] for flag in found["flags"]] == ["Limited Comparability (control items)"]
    ratings = first["ratings"]
    assert ratings["digest"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert ratings["references"][0]["digest"] == hashlib.sha256(key.read_bytes()).hexdigest()
    assert ratings["raters"]["a"]["goal"]["admitted"] and ratings["not_stored"] == ""
    assert ratings["sample"]["G3-3"]["unjudged"] == 0
    path.unlink()
    assert agency(cli) == first, "and from now on without the files"
    text = cli("score", "--instrument", "agency").out
    digest = ratings["digest"][:12]
    assert f"Ratings {digest} by a, b" in text and f"Ratings {digest} (stored with the run)" in text
    assert "Proctor cannot know who wrote these files" in text


def test_stays_that_leave_no_room_need_no_verdict(cli: Cli, store: Path, sheet: Callable[..., Path], key: Path) -> None:
    found = agency(cli, "--ratings", sheet([*control(), *goals(store, "originated")]), "--reference", key)
    sample = found["ratings"]["sample"]["G3-3"]
    assert sample["to_judge"] == sample["originated"] == 20 and sample["lifetimes"] > 30
    target = found["vector"]["G"]["parts"]["G3"]["levels"][2]["target"]
    assert target["k"] == target["n"] == sample["lifetimes"]


def test_editing_one_rating_shows_and_gains_nothing(
    cli: Cli, store: Path, sheet: Callable[..., Path], key: Path
) -> None:
    rows = [*control(), *goals(store, "originated")]
    refused = [*control(), *goals(store, "derivable", "a"), *goals(store, "originated", "b")]
    first = agency(cli, "--ratings", sheet(refused, "first.csv"), "--reference", key)
    assert first["vector"]["G"]["parts"]["G3"]["level"] == 2
    second = agency(cli, "--ratings", sheet(rows, "second.csv"))
    found = second["vector"]["G"]["parts"]["G3"]
    assert found["level"] == 2
    assert found["flags"][0]["name"] == "Contested (Evaluator Disagreement)"
    digest = first["ratings"]["digest"]
    assert f"ratings changed since {digest[:12]}" in found["flags"][0]["reason"]
    assert second["ratings"]["earlier"] == [digest] and len(second["ratings"]["changed"]) == len(lifetimes(store))


def test_ratings_travel_with_the_bundle(
    cli: Cli, store: Path, sheet: Callable[..., Path], key: Path, tmp_path: Path
) -> None:
    mine = agency(cli, "--ratings", sheet([*control(), *goals(store, "originated")]), "--reference", key)
    assert cli("export", "latest", "-o", "run.proctor").code == 0
    verified = cli("verify", "run.proctor")
    assert verified.code == 0 and "2 documents beside the run, outside its root: rating-reference-" in verified.out
    assert cli("import", "run.proctor", "--store", "theirs.db").code == 0
    assert agency(cli, "--store", "theirs.db") == mine
    damaged = bytearray((tmp_path / "run.proctor").read_bytes())
    damaged[damaged.index(b"a,goal,")] ^= 1
    (tmp_path / "run.proctor").write_bytes(damaged)
    refused = cli("verify", "run.proctor")
    assert refused.code == 1 and f"attachments/ratings-{mine['ratings']['digest'][:12]}" in refused.err


def test_several_sheets_count_together(cli: Cli, store: Path, sheet: Callable[..., Path], key: Path) -> None:
    """One for each rater, as they come back."""
    sheets = [sheet([*control(rater), *goals(store, "originated", rater)], f"{rater}.csv") for rater in "ab"]
    found = agency(cli, "--ratings", sheets[0], "--ratings", sheets[1], "--reference", key)
    assert found["vector"]["G"]["parts"]["G3"]["level"] == 3
    assert len(found["ratings"]["earlier"]) == 1 and found["ratings"]["changed"] == []


def test_a_store_that_cannot_be_written_scores_all_the_same(
    cli: Cli, store: Path, sheet: Callable[..., Path], key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Store, number: int, kind: str, content: bytes) -> str:
        message = f"store {self.location}: it is read-only; make it writable or choose another with --store"
        raise StoreError(message)

    monkeypatch.setattr(Store, "attach", refuse)
    given = ("--ratings", sheet([*control(), *goals(store, "originated")]), "--reference", key)
    found = agency(cli, *given)
    assert found["vector"]["G"]["parts"]["G3"]["level"] == 3
    assert "it is read-only" in found["ratings"]["not_stored"] == found["tuple"]["ratings"]["not_stored"]
    text = cli("score", "--instrument", "agency", *given).out
    assert "(not stored with the run)" in text and "not stored: store" in text
    assert agency(cli)["ratings"] == {}


def test_the_report_takes_and_keeps_the_same_files(
    cli: Cli, store: Path, sheet: Callable[..., Path], key: Path, tmp_path: Path
) -> None:
    path = sheet([*control(), *goals(store, "originated")])
    assert cli("report", "-o", "first.json", "--ratings", path, "--reference", key).code == 0
    assert cli("report", "-o", "again.json").code == 0
    assert (tmp_path / "first.json").read_text() == (tmp_path / "again.json").read_text()
    assert hashlib.sha256(path.read_bytes()).hexdigest() in (tmp_path / "again.json").read_text()
    assert cli("report", "-o", "page.html").code == 0


def test_bad_files_are_refused_in_one_sentence(cli: Cli, store: Path, sheet: Callable[..., Path], key: Path) -> None:
    for options, words in (
        (("--ratings", "none.csv"), "No such file"),
        (("--ratings", key), "the first line must read rater,question,subject,answer"),
        (("--reference", sheet([])), "the first line must read item,answer,author"),
        (("--ratings", sheet([("a", "goal", 99999, "none")], "far.csv")), "there is no episode 99999"),
        (("--ratings", sheet([("reference", "control", "i", "3")], "own.csv")), "given with --reference FILE"),
    ):
        done = cli("score", *options)
        assert done.code == 2 and words in done.sentence, words
    assert agency(cli)["ratings"] == {}, "and nothing of it was kept"
