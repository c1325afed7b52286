"""Cheating on a preregistration, and on what a run has frozen: each attempt shows, with the right flag."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.cli.registering import (
    FILE,
    LOG,
    PROJECT,
    SEED,
    STORE,
    SUITE,
    edit_store,
    flags,
    level,
    reading,
    register,
    run,
    stored,
)


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


def test_a_sham_run_does_not_complete_the_series(desk: Cli) -> None:
    """A second run of one instance used to make the first one valid, without a flag."""
    register(desk, runs=2)
    name = run(desk)
    Path("small.yaml").write_text(SUITE.replace("n: 20", "n: 1"))
    run(desk)
    found = reading(desk, name)
    assert level(found) is None
    why = flags(found)["Invalid (Selective Disclosure)"]
    assert why.startswith("run 2 of the 2 that were registered is not as registered: the sample of ")


def test_a_run_that_was_cut_short_does_not_complete_the_series(desk: Cli) -> None:
    register(desk, runs=2)
    name = run(desk)
    Path("proctor.yaml").write_text(PROJECT + "limits: {run_episodes: 1}\n")
    run(desk)
    found = reading(desk, name)
    assert level(found) is None
    assert "it ended as limit" in flags(found)["Invalid (Selective Disclosure)"]


def test_another_evaluator_than_was_registered_shows(desk: Cli) -> None:
    Path("proctor.yaml").write_text(PROJECT.replace("{organisation", "{independence: vendor, organisation"))
    register(desk)
    Path("proctor.yaml").write_text(
        PROJECT.replace("{organisation", "{independence: third-party, evaluator: Someone, organisation")
    )
    run(desk)
    said = " ".join(flag["reason"] for flag in reading(desk)["flags"])
    assert "evaluation.independence was registered as vendor, and is third-party" in said


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


def test_a_seed_that_was_played_and_never_committed_to_does_not_pass_for_a_hidden_one(desk: Cli) -> None:
    """An author plays 64 digits with the oracle, learns the answers, and examines a parrot on them in a fresh store."""
    assert desk("run", "-q", "--seed", "ab" * 32, "--agent", "oracle").code == 0
    said = "seed chosen by the author, not committed beforehand"
    same = reading(desk)
    assert desk("run", "-q", "--seed", "ab" * 32).code == 0
    found = reading(desk)
    for one in (same, found):
        assert "Limited Comparability (Benchmark overfitting)" in flags(one)
        assert "for the first time" not in json.dumps(one)
    assert said in desk("runs").out
    assert said in desk("score", "latest").out
    assert desk("report", "latest", "-o", "report.json").code == 0
    report = json.loads(Path("report.json").read_text())
    assert said in report["label"]
    assert report["seed"]["chosen"] is True
    assert "hidden: nobody" not in json.dumps(report)


def test_a_seed_that_was_committed_to_is_hidden(desk: Cli) -> None:
    register(desk)
    run(desk)
    assert "Limited Comparability (Benchmark overfitting)" not in flags(reading(desk))
    assert "committed beforehand" not in desk("runs").out
    assert desk("report", "latest", "-o", "report.json").code == 0
    report = json.loads(Path("report.json").read_text())
    assert report["seed"]["text"].startswith("hidden: nobody")


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


def test_episodes_left_out_after_the_run_show(desk: Cli) -> None:
    assert desk("run", "-q", "--seed", "ab" * 32).code == 0
    edit_store("DELETE FROM episodes WHERE id = (SELECT max(id) FROM episodes)")
    found = reading(desk)
    assert level(found) is None
    assert "episodes are missing" in flags(found)["Invalid (Selective Disclosure)"]
    assert desk("verify", "latest").code == 1
