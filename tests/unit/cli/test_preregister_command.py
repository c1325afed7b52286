"""Preregistration from the command line: writing it, running against it, revealing it, handing over the evidence."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.cli.registering import (
    FILE,
    LOG,
    SEED,
    STORE,
    flags,
    level,
    reading,
    register,
    run,
)

# Writing.


def test_what_is_written(desk: Cli) -> None:
    made = register(desk, runs=2)
    document = json.loads(FILE.read_text())
    assert document["sha256"] == made["sha256"]
    content = document["preregistration"]
    assert (content["claim"], content["use"], content["runs"]) == ({"about": "S", "at_least": 1}, "research", 2)
    assert content["families"][0]["criterion"]
    assert content["suite"]["entries"][0]["n"] == 20
    assert content["rules"]["threshold"] == 0.7
    assert content["code"]["proctor"] and content["code"]["sources"] and content["code"]["bench"]
    assert content["agents"] == [
        {
            "boundary": "core",
            "agent": "oracle",
            "source": None,
            "agent_identity": content["agents"][0]["agent_identity"],
        }
    ]
    secret = json.loads(SEED.read_text())
    assert stat.S_IMODE(SEED.stat().st_mode) == 0o600
    assert len(secret["seed"]) == len(secret["nonce"]) == 64
    assert secret["seed"] not in FILE.read_text(), "the seed is hidden"
    assert secret["nonce"] not in FILE.read_text()
    assert "no git checkout" in made["tag"]


def test_people_read_what_to_do_next(desk: Cli) -> None:
    done = desk("preregister", "small.yaml", "--claim", "S=1", "--use", "research", "--out", FILE)
    assert "claim     S=1, for research; all other levels are secondary" in done.out
    assert "next      publish claim.json or its digest, then proctor run small.yaml --preregistration" in done.out


def test_a_git_checkout_gets_a_tag_and_knows_earlier_ones(desk: Cli, tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    for name in ("user.name", "user.email"):
        subprocess.run(["git", "config", name, "t@example.org"], cwd=tmp_path, check=True)
    done = desk("preregister", "small.yaml", "--claim", "S=1", "--use", "research", "--out", "none.json")
    assert "no git tag: this is no git checkout with a commit" in done.out, "there is nothing to tag yet"
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=tmp_path, check=True)
    digest = register(desk)["sha256"]
    tags = subprocess.run(["git", "tag"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split()
    assert tags == [f"proctor-prereg-{digest[:12]}"]
    desk("preregister", "small.yaml", "--claim", "S=1", "--use", "research", "--out", "again.json")
    again = json.loads(Path("again.json").read_text())["preregistration"]
    assert again["earlier"] == tags, "who registers again after seeing results leaves the first tag"
    assert again["code"]["modified"] is False


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--use", "research", "--out", "x.json"), "needs --claim"),
        (("--claim", "S=1", "--out", "x.json"), "needs --use"),
        (("--claim", "S=1", "--use", "research"), "needs --out"),
        (("--claim", "S=9", "--use", "research", "--out", "x.json"), "levels go from 1 to 5"),
        (("--claim", "S=1", "--use", "marketing", "--out", "x.json"), "must not be used for marketing copy"),
        (("--claim", "S=1", "--use", "internal", "--out", "x.json"), "declares evaluation.use research"),
        (("--claim", "S=1", "--use", "research", "--out", "x.json", "--system", "theirs"), "declares 'ours'"),
        (("--claim", "S=1", "--use", "research", "--out", "no/x.json"), "cannot be written"),
    ],
)
def test_what_cannot_be_registered_is_one_sentence(desk: Cli, arguments: tuple[str, ...], complaint: str) -> None:
    done = desk("preregister", "small.yaml", *arguments)
    assert done.code == 2
    assert complaint in done.sentence


def test_a_preregistration_is_never_replaced(desk: Cli) -> None:
    register(desk)
    again = desk("preregister", "small.yaml", "--claim", "S=1", "--use", "research", "--out", FILE)
    assert "claim.json exists already; a preregistration is never replaced" in again.sentence


# Running.


def test_a_run_as_registered_has_levels_and_says_so(desk: Cli) -> None:
    register(desk)
    name = run(desk)
    found = reading(desk)
    assert (level(found), flags(found), found["exploratory"]) == (1, {}, "")
    assert found["preregistration"]["primary_claim"] == "S=1"
    assert found["preregistration"]["supported"] is True
    events = [(one["event"], one["number"], one["run"]) for one in map(json.loads, LOG.read_text().splitlines())]
    assert events == [("started", 1, name), ("finished", 1, name)]


def test_the_seed_stays_hidden_in_what_is_printed(desk: Cli) -> None:
    register(desk)
    seed = json.loads(SEED.read_text())["seed"]
    done = desk("run", "--preregistration", FILE, "--json")
    assert done.json["seed"] == "hidden"
    for printed in (
        done,
        desk("run", "--preregistration", FILE, "--resume"),
        desk("show"),
        desk("show", "--json"),
        desk("score", "--json"),
        desk("report", "--json"),
        desk("runs", "--json"),
    ):
        assert seed not in printed.out + printed.err


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--seed", "7"), "--preregistration fixes the seed; leave --seed out"),
        (("--until-decided", "--max-n", "40"), "a preregistration fixes them; leave one out"),
    ],
)
def test_what_a_preregistration_leaves_no_choice_about(desk: Cli, more: tuple[str, ...], complaint: str) -> None:
    register(desk)
    assert complaint in desk("run", "--preregistration", FILE, *more).sentence


def test_the_registered_scale_holds_unless_another_is_asked_for(desk: Cli) -> None:
    register(desk, "--scale", "2", runs=2)
    run(desk)
    run(desk, "--scale", "3")
    first, second = desk("runs", "--json").json
    assert (first["episodes"], second["episodes"]) == (40, 60)
    assert list(flags(reading(desk, first["name"])).values()) == [
        "run 2 of the 2 that were registered is not as registered: the scale was 2 and is 3"
    ]
    assert "the scale was 2 and is 3" in " ".join(flags(reading(desk, second["name"])).values())


def test_every_start_counts_and_there_is_no_run_too_many(desk: Cli) -> None:
    register(desk, runs=2)
    run(desk)
    run(desk, "--store", "elsewhere.db")
    third = desk("run", "--preregistration", FILE, "-q")
    assert (third.code, third.out) == (2, "")
    assert "all 2 registered runs were started" in third.sentence


def test_an_unfinished_series_has_no_levels_and_a_finished_one_has(desk: Cli) -> None:
    """Whoever could read the first run could stop at a good one."""
    register(desk, runs=2)
    first = run(desk)
    early = reading(desk)
    assert level(early) is None
    assert "run 2 of the 2 that were registered" in flags(early)["Invalid (Selective Disclosure)"]
    assert "Invalid (Selective Disclosure): run 2 of the 2" in desk("score").out, "the reason is printed too"
    second = run(desk)
    for name in (first, second):
        found = reading(desk, name)
        assert (level(found), flags(found)) == (1, {}), "and the other run of the series is not overfitting"


def test_an_interrupted_run_keeps_its_number(desk: Cli, tmp_path: Path) -> None:
    from proctor.engine.executors.choice import make_executor
    from proctor.engine.names import load_suite
    from proctor.engine.plan import Plan
    from proctor.engine.preregistering import OpenRegistration
    from proctor.engine.run import freeze, start_run
    from proctor.engine.stores import open_store
    from proctor.spec.project import read_project
    from proctor.spec.system import BoundaryKind

    register(desk)
    registration = OpenRegistration(FILE)
    project = read_project(tmp_path)
    assert project is not None
    frozen = freeze(
        suite=load_suite("small.yaml", tmp_path),
        agent="oracle",
        folder=tmp_path,
        seed=registration.secret.seed,
        system=project.system.within(BoundaryKind.CORE),
        limits=project.limits,
        evaluation=project.evaluation,
        preregistration=registration.digest,
    )
    with open_store(STORE, create=True) as store:
        record, _ = start_run(store, frozen, Plan(frozen), executor=make_executor(None), registration=registration)
    refused = desk("run", "--resume", record.name)
    assert refused.code == 2, "without its preregistration it is another run"
    assert run(desk, "--resume") == record.name
    assert [json.loads(line)["number"] for line in LOG.read_text().splitlines()] == [1, 1]
    assert level(reading(desk)) == 1


# Revealing and handing over.


def test_no_bundle_before_the_seed_is_revealed(desk: Cli) -> None:
    register(desk, runs=2)
    names = [run(desk), run(desk)]
    early = desk("export", names[0], "-o", "a.proctor")
    assert (early.code, Path("a.proctor").exists()) == (2, False)
    assert "its seed is hidden: a bundle would give it away" in early.sentence
    also = desk("export", names[0], "-o", "a.proctor", "--preregistration", FILE)
    assert "its seed is hidden" in also.sentence
    shown = desk("preregister", "reveal", FILE, "--json").json
    assert shown["unfinished"] == []
    assert shown["seed"] == json.loads(SEED.read_text())["seed"]
    for number, name in enumerate(names):
        assert desk("export", name, "-o", f"{number}.proctor", "--preregistration", FILE).code == 0
        assert desk("verify", f"{number}.proctor").code == 0
    assert desk("import", "0.proctor", "--store", "audit.db").code == 0
    alone = reading(desk, names[0], "--store", "audit.db")
    assert "Invalid (Selective Disclosure)" in flags(alone), "one of two was handed over"
    assert desk("import", "1.proctor", "--store", "audit.db").code == 0
    assert level(reading(desk, names[0], "--store", "audit.db")) == 1
    assert "its seed is revealed" in desk("run", "--preregistration", FILE).sentence


def test_another_files_reveal_does_not_open_it(desk: Cli) -> None:
    register(desk)
    name = run(desk)
    assert desk("preregister", "small.yaml", "--claim", "S=1", "--use", "research", "--out", "other.json").code == 0
    assert desk("preregister", "reveal", "other.json").code == 0
    refused = desk("export", name, "-o", "a.proctor", "--preregistration", "other.json")
    assert "is not the one revealed in that file's log" in refused.sentence


def test_revealing_early_names_what_will_be_missing(desk: Cli) -> None:
    register(desk, runs=3)
    run(desk)
    done = desk("preregister", "reveal", FILE)
    assert "missing   run 2, 3 of 3: they can no longer be made" in done.out
    assert desk("preregister", "reveal", FILE).code == 0, "again changes nothing"
    assert sum("revealed" in line for line in LOG.read_text().splitlines()) == 1


def test_reveal_needs_a_file(desk: Cli) -> None:
    assert "name the preregistration" in desk("preregister", "reveal").sentence
    assert "cannot be read" in desk("preregister", "reveal", "none.json").sentence
    assert "name one suite" in desk("preregister", "small.yaml", "x.json").sentence
