"""Preregistration from the command line: writing it, running against it, revealing it, and cheating on it."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.conftest import SMALL_FAMILY, Cli

FILE, SEED, LOG = Path("claim.json"), Path("claim.json.seed"), Path("claim.json.log")
STORE = ".proctor/store.db"
CRITERION = "The number is repeated."
PROJECT = """\
system:
  name: ours
  boundaries: {core: {tools: [], memory: internal}, extended: none}
  agents: {core: oracle}
evaluation: {organisation: Example, contact: evals@example.org, use: research}
suite: small.yaml
"""
SUITE = """\
name: small
version: "1.0"
title: Small
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: small_family.py, n: 20, cell: S1}
"""


@pytest.fixture
def desk(cli: Cli, tmp_path: Path) -> Cli:
    """A project with a family of its own that evidences S1."""
    text = SMALL_FAMILY.read_text()
    (tmp_path / "small_family.py").write_text(text.replace("criterion=", 'evidences=("S1",),\n        criterion=', 1))
    (tmp_path / "small.yaml").write_text(SUITE)
    (tmp_path / "proctor.yaml").write_text(PROJECT)
    return cli


def register(cli: Cli, *more: str, claim: str = "S=1", use: str = "research", runs: int = 1) -> Any:
    done = cli(
        "preregister", "small.yaml", "--claim", claim, "--use", use, "--runs", str(runs), "--out", FILE, "--json", *more
    )
    assert done.code == 0, done.err
    return done.json


def run(cli: Cli, *more: str) -> str:
    done = cli("run", "--preregistration", FILE, "-q", *more)
    assert done.code == 0, done.err
    return done.out.strip()


def reading(cli: Cli, name: str = "latest", *more: str) -> Any:
    done = cli("score", name, "--instrument", "agency", "--json", *more)
    assert done.code == 0, done.err
    return done.json["agency"]


def flags(found: Any) -> dict[str, str]:
    every = [*found["flags"], *found["vector"]["S"]["flags"]]
    return {flag["name"]: flag["reason"] for flag in every}


def level(found: Any) -> int | None:
    level: int | None = found["vector"]["S"]["level"]
    return level


def edit_store(statement: str, *values: str) -> None:
    with sqlite3.connect(STORE) as store:
        assert store.execute(statement, values).rowcount == 1
    store.close()


def stored(column: str) -> str:
    with sqlite3.connect(STORE) as store:
        text = store.execute(f"SELECT {column} FROM runs ORDER BY number DESC LIMIT 1").fetchone()[0]
    store.close()
    return str(text)


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
    assert flags(reading(desk, first["name"])) == {}
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


# Cheating.


def test_leaving_out_a_run_shows(desk: Cli) -> None:
    register(desk, runs=3)
    names = [run(desk) for _ in range(3)]
    assert level(reading(desk, names[0])) == 1
    with sqlite3.connect(STORE) as store:
        for table, column in (("episodes", "id >> 32"), ("arms", "run"), ("dictionaries", "run"), ("runs", "number")):
            store.execute(f"DELETE FROM {table} WHERE {column} = (SELECT number FROM runs WHERE name = ?)", (names[1],))
    store.close()
    for name in (names[0], names[2]):
        found = reading(desk, name)
        assert level(found) is None
        assert "run 2 of the 3 that were registered" in flags(found)["Invalid (Selective Disclosure)"]


def test_a_log_that_was_cut_short_shows_beside_the_run_it_forgot(desk: Cli) -> None:
    register(desk, runs=2)
    run(desk)
    LOG.unlink()
    run(desk)
    found = reading(desk)
    assert level(found) is None
    said = " ".join(flag["reason"] for flag in found["flags"])
    assert "there are two runs 1" in said
    assert "it was rewritten" in said


@pytest.mark.parametrize("old", ['"number":1', '"event":"finished"', '"root":"'])
def test_an_edited_log_is_refused(desk: Cli, old: str) -> None:
    register(desk, runs=3)
    run(desk)
    run(desk)
    lines = LOG.read_text().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines[:-1]) if old in line)
    lines[at] = lines[at].replace(
        old, {'"number":1': '"number":2', '"event":"finished"': '"event":"resumed"'}.get(old, old + "0")
    )
    LOG.write_text("".join(lines))
    done = desk("run", "--preregistration", FILE, "-q")
    assert done.code != 0
    assert "claim.json.log" in done.err


def test_a_line_taken_out_of_the_log_is_refused(desk: Cli) -> None:
    register(desk, runs=3)
    run(desk)
    run(desk)
    lines = LOG.read_text().splitlines(keepends=True)
    LOG.write_text("".join(lines[:1] + lines[2:]))
    assert "does not follow from line 1" in desk("run", "--preregistration", FILE, "-q").err


def test_an_edited_file_is_refused_and_with_its_digest_edited_its_seed_is_not(desk: Cli) -> None:
    register(desk)
    document = json.loads(FILE.read_text())
    document["preregistration"]["runs"] = 5
    FILE.write_text(json.dumps(document))
    assert "was changed after it was written" in desk("run", "--preregistration", FILE).sentence
    from proctor.core.hashing import content_hash

    document["sha256"] = content_hash(document["preregistration"])
    FILE.write_text(json.dumps(document))
    assert "its seed is not the one that claim.json commits to" in desk("run", "--preregistration", FILE).sentence


def test_another_seed_is_refused(desk: Cli) -> None:
    register(desk)
    secret = json.loads(SEED.read_text())
    SEED.write_text(json.dumps({**secret, "seed": "00" * 32}))
    assert "its seed is not the one that claim.json commits to" in desk("run", "--preregistration", FILE).sentence


def test_a_seed_that_others_can_read_is_refused(desk: Cli) -> None:
    register(desk)
    SEED.chmod(0o644)
    assert "others can read the hidden seed" in desk("run", "--preregistration", FILE).sentence


def test_evidence_with_another_seed_does_not_open_the_commitment(desk: Cli) -> None:
    """Somebody who forges the record instead of asking Proctor to run."""
    register(desk)
    run(desk)
    execution = json.loads(stored("execution"))
    execution["preregistration"]["nonce"] = "00" * 32
    edit_store("UPDATE runs SET execution = ?", json.dumps(execution))
    found = reading(desk)
    assert level(found) is None
    assert "not the one that was committed to" in flags(found)["Invalid (Selective Disclosure)"]
    assert "FAIL  configuration" in desk("verify", "latest").out


def test_a_criterion_edited_after_registering_shows(desk: Cli, tmp_path: Path) -> None:
    register(desk)
    family = tmp_path / "small_family.py"
    text = family.read_text()
    before = text.partition('criterion="')[2].partition('"')[0]
    family.write_text(text.replace(before, "Anything goes."))
    # In a process of its own: this one has the family loaded as it was.
    command = [sys.executable, "-m", "proctor", "run", "--preregistration", str(FILE)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"post-hoc  the success criterion of small@1.0 was '{before}' and is 'Anything goes.'" in done.stderr
    found = reading(desk)
    assert level(found) is None
    assert "Invalid (Post-Hoc Criteria)" in flags(found)
    assert "Anything goes." in flags(found)["Limited Comparability (changed after preregistration)"]


def test_a_sample_enlarged_after_registering_shows(desk: Cli) -> None:
    register(desk)
    Path("small.yaml").write_text(SUITE.replace("n: 20", "n: 40"))
    run(desk)
    assert "Invalid (Post-Hoc Criteria)" in flags(reading(desk))


def test_rules_loosened_after_registering_show(desk: Cli) -> None:
    register(desk)
    Path("small.yaml").write_text(SUITE + "rules: {threshold: 0.6}\n")
    run(desk)
    found = flags(reading(desk))
    assert "Invalid (Post-Hoc Criteria)" in found
    assert "the rules changed: threshold" in found["Limited Comparability (changed after preregistration)"]


def test_a_boundary_edited_after_registering_shows(desk: Cli) -> None:
    register(desk)
    Path("proctor.yaml").write_text(PROJECT.replace("tools: [], ", ""))
    run(desk)
    found = reading(desk)
    assert level(found) is None
    assert "boundary is not the one that was registered" in " ".join(flag["reason"] for flag in found["flags"])
    assert "Invalid (Missing Inputs)" in flags(found)


def test_a_swapped_agent_shows(desk: Cli) -> None:
    register(desk)
    Path("proctor.yaml").write_text(PROJECT.replace("core: oracle", "core: 'null'"))
    run(desk)
    found = reading(desk)
    assert level(found) is None
    assert "the agent is null (core boundary), and registered is oracle (core)" in " ".join(
        flag["reason"] for flag in found["flags"]
    )


def test_another_use_shows(desk: Cli) -> None:
    register(desk)
    Path("proctor.yaml").write_text(PROJECT.replace("use: research", "use: procurement"))
    run(desk)
    assert "declared for procurement" in flags(reading(desk))["Invalid (Missing Inputs)"]


def test_registering_again_after_a_run_shows(desk: Cli) -> None:
    register(desk)
    run(desk)
    again = ("preregister", "small.yaml", "--claim", "S=1", "--use", "research", "--out", "again.json")
    assert desk(*again).code == 0
    assert desk("run", "--preregistration", "again.json", "-q").code == 0
    assert "Limited Comparability (further preregistrations)" in flags(reading(desk))


def test_procurement_without_a_preregistration_is_said_before_and_after(desk: Cli) -> None:
    Path("proctor.yaml").write_text(PROJECT.replace("use: research", "use: procurement"))
    done = desk("run", "--seed", "ab" * 32)
    assert "claim     a result for procurement needs a preregistration (§13.4.2)" in done.err
    found = reading(desk)
    assert level(found) is None
    assert "preregistration" in flags(found)["Invalid (Missing Inputs)"]


# Editing what was frozen, after the run.


def test_a_criterion_edited_after_the_run_shows(desk: Cli) -> None:
    assert desk("run", "-q", "--seed", "ab" * 32).code == 0
    assert level(reading(desk)) == 1
    frozen = json.loads(stored("frozen"))
    frozen["families"][0]["spec"]["criterion"] = "Anything goes."
    edit_store("UPDATE runs SET frozen = ?", json.dumps(frozen))
    found = reading(desk)
    assert level(found) is None
    assert "Invalid (Post-Hoc Criteria)" in flags(found)
    assert found["vector"]["S"]["n"] == 0, "its units are invalid"
    assert desk("verify", "latest").code == 1


@pytest.mark.parametrize(
    ("place", "value", "name"),
    [
        (("system", "boundary", "tools"), None, "boundary type"),
        (("system", "boundary", "kind"), "extended", "boundary type"),
        (("evaluation", "organisation"), "Somebody Else", "evaluation"),
        (("system", "version"), "9", "system identifier"),
    ],
)
def test_a_declaration_edited_after_the_run_shows(desk: Cli, place: tuple[str, ...], value: Any, name: str) -> None:
    assert desk("run", "-q", "--seed", "ab" * 32).code == 0
    frozen = json.loads(stored("frozen"))
    inner = frozen
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    edit_store("UPDATE runs SET frozen = ?", json.dumps(frozen))
    found = reading(desk)
    assert level(found) is None
    assert any(name in flag["reason"] for flag in found["flags"] if flag["name"] == "Invalid (Missing Inputs)")
    assert desk("verify", "latest").code == 1


def test_a_rule_edited_after_the_run_shows(desk: Cli) -> None:
    assert desk("run", "-q", "--seed", "ab" * 32).code == 0
    frozen = json.loads(stored("frozen"))
    frozen["rules"]["threshold"] = 0.6
    edit_store("UPDATE runs SET frozen = ?", json.dumps(frozen))
    assert "Invalid (Post-Hoc Criteria)" in flags(reading(desk))


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
