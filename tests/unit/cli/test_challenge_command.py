"""`proctor challenge`: from opening to determination, between two projects, on record in ledger, run and report."""

from __future__ import annotations

import json
import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli, Done

import proctor
from proctor.pipeline import challenging
from proctor.pipeline.keys import make_key
from proctor.spec.evaluation import Evaluation
from proctor.spec.suite import Suite

SUITE = {
    "name": "mail",
    "version": "1.0",
    "title": "Mail",
    "epoch": "2026-01-01T00:00:00Z",
    "entries": [{"family": "email-triage", "n": 10, "cell": "S1"}],
}
KEYS = ("vendor", "rival", "auditor")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with three keys, and a run whose evaluator declared one of them."""
    folder = tmp_path_factory.mktemp("challenged")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROCTOR_KEY_FOLDER", str(folder / "private"))
        (folder / "project").mkdir()
        for name in KEYS:
            make_key(name, folder / "project")
    public = (folder / "project" / "proctor.keys" / "vendor.pub").read_text().split()[1]
    declared = Evaluation.parse({"organisation": "Vendor", "contact": "evals@example.org", "key": public}, source="t")
    (folder / "project" / ".proctor").mkdir()
    proctor.run(
        Suite.parse(SUITE, source="test"),
        agent="clerk",
        seed=7,
        evaluation=declared,
        store=str(folder / "project" / ".proctor" / "store.db"),
    )
    return folder


@pytest.fixture
def project(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROCTOR_KEY_FOLDER", str(ran / "private"))
    shutil.copytree(ran / "project", tmp_path, dirs_exist_ok=True)
    return tmp_path


TODAY = challenging.today().isoformat()
OPEN = ("--ground", "not-representative", "--family", "email-triage", "--because", "One easy family only")


def opened(cli: Cli) -> str:
    done = cli("challenge", "open", "latest", *OPEN, "--date", TODAY, "--key", "rival", "--json")
    assert done.code == 0, done.err
    return str(done.json["id"])


def act(cli: Cli, action: str, name: str, key: str, *options: str | Path, day: str = TODAY) -> Done:
    said = ("--because", "As was said before", "--date", day, "--key", key)
    return cli("challenge", action, name, *said, *options)


def later(monkeypatch: pytest.MonkeyPatch, days: int) -> str:
    """The day so many days from now, as today's."""
    moved = date.fromisoformat(TODAY) + timedelta(days=days)
    monkeypatch.setattr(challenging, "today", lambda: moved)
    return moved.isoformat()


def test_an_open_challenge_stands_on_every_reading_and_report(cli: Cli, project: Path) -> None:
    name = opened(cli)
    found = cli("score", "--json").json
    assert found["agency"]["flags"][0]["name"] == "Contested (Under Challenge)"
    assert "Contested (Under Challenge)" in found["agency"]["tuple"]["flags"]
    assert found["challenges"][0]["id"] == name
    assert f"challenged: {name}" in cli("score").out
    files = ("-o", "r.json", "--card", "card.html", "--technical-report", "technical.json")
    assert cli("report", *files).code == 0 and cli("report", "-o", "r.html").code == 0
    assert json.loads((project / "r.json").read_text())["challenges"][0]["status"] == "open"
    assert "Under Challenge" in (project / "card.html").read_text()
    assert json.loads((project / "technical.json").read_text())["challenges"][0]["acts"]
    assert "Challenged: open" in (project / "r.html").read_text()


def test_it_says_who_is_to_answer_and_until_when(cli: Cli, project: Path) -> None:
    done = cli("challenge", "open", "latest", *OPEN, "--date", TODAY, "--key", "rival")
    due = date.fromisoformat(TODAY) + timedelta(days=90)
    assert f"to answer until {due}: Vendor · evals@example.org" in done.out


def test_nobody_decides_their_own_case(cli: Cli, project: Path) -> None:
    name = opened(cli)
    for key, words in (("rival", "nobody resolves their own challenge"), ("vendor", "evaluator cannot resolve")):
        done = act(cli, "resolve", name, key, "--determination", "compliant")
        assert done.code == 2 and words in done.sentence
    (listed,) = cli("challenge", "list", "--json").json["runs"].values()
    assert listed["unreadable"] == [] and len(listed["challenges"][0]["acts"]) == 1


def test_the_challenger_determines_after_ninety_days(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = opened(cli)
    assert act(cli, "answer", name, "vendor").code == 0
    day = later(monkeypatch, 89)
    early = act(cli, "resolve", name, "rival", "--determination", "invalid", day=day)
    assert early.code == 2
    day = later(monkeypatch, 90)
    done = act(cli, "resolve", name, "rival", "--determination", "invalid", "--json", day=day)
    assert done.json["determination"] == "Invalid"
    agency = cli("score", "--json").json["agency"]
    assert agency["flags"][0]["name"] == "Invalid (Non-Compliance)" and agency["vector"]["S"]["level"] is None
    again = act(cli, "resolve", name, "rival", "--determination", "compliant", day=day)
    assert "is resolved already" in again.sentence


def test_the_future_is_refused(cli: Cli, project: Path) -> None:
    tomorrow = (date.fromisoformat(TODAY) + timedelta(days=1)).isoformat()
    done = cli("challenge", "open", "latest", *OPEN, "--date", tomorrow, "--key", "rival")
    assert done.code == 2 and "lies in the future" in done.sentence
    assert (
        "is dated before the run"
        in cli("challenge", "open", "latest", *OPEN, "--date", "2020-01-01", "--key", "rival").sentence
    )
    assert "write it like" in cli("challenge", "open", "latest", *OPEN, "--date", "20250110", "--key", "rival").sentence


def test_two_projects_exchange_a_record_by_bundle(cli: Cli, project: Path) -> None:
    name = opened(cli)
    assert cli("export", "latest", "-o", "mine.proctor").code == 0
    assert cli("import", "mine.proctor", "--store", "theirs.db").code == 0
    done = act(cli, "resolve", name, "auditor", "--determination", "contested", "--store", "theirs.db")
    assert done.code == 0
    assert act(cli, "answer", name, "vendor").code == 0, "at the same time"
    assert cli("export", "latest", "--store", "theirs.db", "-o", "theirs.proctor").code == 0
    assert len(cli("challenge", "import", "theirs.proctor", "--json").json["taken"]) == 1
    assert cli("challenge", "import", "theirs.proctor", "--json").json["taken"] == []
    found = cli("score", "--json").json["challenges"][0]
    assert (found["status"], found["determination"], len(found["acts"])) == ("resolved", "Contested", 3)
    assert cli("govern", "verify").code == 0
    kinds = [json.loads(line)["kind"] for line in (project / ".proctor" / "ledger.jsonl").read_text().splitlines()]
    assert kinds == ["challenge"] * 3


def test_an_act_from_the_future_is_not_taken_over(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sets their clock forward cannot end the 90 days for others."""
    name = opened(cli)
    shutil.copy(project / ".proctor" / "store.db", project / "theirs.db")
    with monkeypatch.context() as patch:
        day = later(patch, 90)
        own = act(cli, "resolve", name, "rival", "--determination", "invalid", "--store", "theirs.db", day=day)
        assert own.code == 0
    assert cli("export", "latest", "--store", "theirs.db", "-o", "theirs.proctor").code == 0
    refused = cli("challenge", "import", "theirs.proctor")
    assert refused.code == 2 and "which is after today" in refused.sentence
    assert cli("score", "--json").json["challenges"][0]["status"] == "open"


def test_a_withdrawn_and_a_corrected_claim_stay_visible(cli: Cli, project: Path) -> None:
    name = opened(cli)
    proctor.run(Suite.parse(SUITE, source="test"), agent="clerk", seed=8, store=str(project / ".proctor" / "store.db"))
    runs = [one["name"] for one in cli("runs", "--json").json]
    first = next(run for run in runs if run in cli("challenge", "list").out)
    second = next(run for run in runs if run != first)
    assert act(cli, "correct", name, "vendor", "--with", second).code == 0
    assert act(cli, "withdraw", name, "vendor").code == 0
    found = cli("score", first, "--json").json
    assert found["challenges"][0]["status"] == "withdrawn" and found["agency"]["vector"]["S"]["level"] == 1
    reasons = [one["reason"] for one in found["agency"]["flags"]]
    assert any("withdrew the claim" in one for one in reasons) and any(f"see {second}" in one for one in reasons)
    same = act(cli, "correct", name, "vendor", "--with", first)
    assert "has to be another run" in same.sentence


def test_a_run_with_one_challenge_stands_for_it(cli: Cli, project: Path) -> None:
    opened(cli)
    assert act(cli, "answer", "latest", "vendor").code == 0
    opened_again = cli("challenge", "open", "latest", *OPEN[:-1], "Another thing", "--date", TODAY, "--key", "auditor")
    assert opened_again.code == 0
    assert "there are 2 challenges" in act(cli, "answer", "latest", "vendor").sentence


def test_files_go_with_the_record(cli: Cli, project: Path) -> None:
    (project / "found.json").write_text('{"determination": "Invalid"}\n')
    options = ("--ground", "non-compliance", "--because", "An audit found it invalid", "--evidence", "found.json")
    done = cli("challenge", "open", "latest", *options, "--date", TODAY, "--key", "rival", "--json")
    assert done.json["acts"][0]["evidence"][0]["name"] == "found.json"
    assert cli("export", "latest", "-o", "run.proctor").code == 0
    assert b'{"determination": "Invalid"}' in (project / "run.proctor").read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--ground", "dislike"), "is no ground of a challenge; use one of undisclosed-families"),
        (("--ground", "divergence"), "needs --divergence"),
        (("--ground", "non-compliance"), "needs --evidence"),
        (("--ground", "not-representative"), "needs --family"),
        (("--ground", "not-representative", "--family", "chess"), "is no family of it"),
        (("--ground", "undisclosed-families", "--family", "chess"), "--evidence of its performance"),
        (
            ("--ground", "undisclosed-families", "--family", "email-triage", "--evidence", "proctor.keys/rival.pub"),
            "was disclosed",
        ),
    ],
)
def test_a_challenge_without_substance_is_refused(
    cli: Cli, project: Path, options: tuple[str, ...], words: str
) -> None:
    said = ("--because", "It is not right", "--date", TODAY, "--key", "rival")
    done = cli("challenge", "open", "latest", *options, *said)
    assert done.code == 2 and words in done.sentence
    assert "nothing is challenged" in cli("challenge", "list").out


def test_refusals_say_what_to_do(cli: Cli, project: Path) -> None:
    for arguments, words in (
        (("open", "latest", *OPEN, "--key", "rival"), "--date"),
        (("open", "latest", *OPEN, "--date", TODAY), "--key NAME"),
        (("open", "latest", *OPEN, "--date", TODAY, "--key", "vendor"), "withdraw or correct it"),
        (("answer", "nothing", "--because", "a b", "--date", TODAY, "--key", "vendor"), "`proctor challenge list`"),
        (("decide", "latest"), "use `challenge open RUN`"),
        (("import",), "name the bundle"),
    ):
        done = cli("challenge", *arguments)
        assert done.code == 2 and words in done.sentence, words


def test_only_one_who_is_proven_to_be_the_evaluator_withdraws(cli: Cli, project: Path) -> None:
    store = str(project / "plain.db")
    proctor.run(Suite.parse(SUITE, source="test"), agent="clerk", seed=7, store=store)
    done = cli("challenge", "open", "latest", *OPEN, "--date", TODAY, "--key", "rival", "--store", store, "--json")
    refused = act(cli, "withdraw", done.json["id"], "vendor", "--store", store)
    assert "declares no `evaluation.key`" in refused.sentence
    assert act(cli, "answer", done.json["id"], "vendor", "--store", store).code == 0
    assert "not proven to be the evaluator" in cli("challenge", "list", "--store", store).out
