"""The pipeline as a user meets it: commands, exit codes, a kill, a clone, a plugin for pytest, a workflow."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.command import ALONE, accept_baseline, proctor, proctor_json
from tests.e2e.killed_looks import HELD, LOOKING, finished_stages, killed_in
from tests.unit.pipeline.living import CLERK, live
from tests.unit.pipeline.living import accepted as accept_runs
from tests.unit.pipeline.small_quality import RULES, SUITE, scenario, write_agent, write_project, write_scenarios

KEYS = "PROCTOR_KEY_FOLDER"


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose baseline is five runs of the oracle; copied, never changed."""
    project = tmp_path_factory.mktemp("accepted") / "project"
    project.mkdir()
    write_project(project)
    runs = [run(project, seed) for seed in range(1, 6)]
    accept_baseline(project, *runs)
    return project


@pytest.fixture
def project(accepted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(KEYS, str(tmp_path / "private"))
    shutil.copytree(accepted, tmp_path / "project")
    return tmp_path / "project"


def run(project: Path, seed: int, agent: str = "oracle") -> str:
    name: str = proctor_json("run", SUITE, "--agent", agent, "--seed", str(seed), cwd=project)["run"]
    return name


def ledger(project: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (project / ".proctor" / "ledger.jsonl").read_text().splitlines()]


def decided(project: Path) -> list[dict[str, Any]]:
    return [entry["body"] for entry in ledger(project) if entry["kind"] == "decision"]


def test_deploy_block_and_their_exit_codes(project: Path) -> None:
    done = proctor("gate", run(project, 9), "--rehearsal", cwd=project, code=0)
    assert done.stdout.startswith("deploy: ")
    for number, stage in enumerate(("scenario-generation", "agent-execution", "oracle-comparison"), start=1):
        assert f"{number}/7 {stage}" in done.stderr
    done = proctor("gate", run(project, 9, "null"), cwd=project, code=100)
    assert done.stdout.startswith("block: ")
    assert [body["result"] for body in decided(project)] == ["deploy", "block"]


def test_an_escalation_waits_for_a_person_and_the_gate_takes_the_answer(project: Path) -> None:
    (project / ".proctor" / "baselines" / "small-quality.json").unlink()
    name = run(project, 9)
    assert proctor("gate", name, "--rehearsal", cwd=project, code=101).stdout.startswith("escalate-to-human: ")
    (waits,) = proctor_json("govern", "list", cwd=project)["waiting"]
    for who in ("anna", "ben"):
        proctor("govern", "key", who, cwd=project)
    refused = proctor("govern", "approve", waits["pipeline"], "--because", "first release", cwd=project, code=2)
    assert "needs a signature" in refused.stderr
    answering = ("govern", "approve", waits["pipeline"], "--because", "first release", "--key")
    assert "somebody else has to approve it as well" in proctor(*answering, "anna", cwd=project).stdout
    assert "somebody else has to decide" in proctor(*answering, "anna", cwd=project, code=2).stderr
    proctor("gate", name, "--rehearsal", cwd=project, code=101)
    proctor(*answering, "ben", cwd=project)
    done = proctor("gate", name, "--rehearsal", cwd=project, code=0)
    assert done.stdout.startswith("deploy: escalated")
    assert "nothing waits" in proctor("govern", "list", cwd=project).stdout
    assert "entries verified" in proctor("govern", "verify", cwd=project).stdout


def test_changed_weights_go_through_two_people(project: Path) -> None:
    name = run(project, 9)
    rules = {**RULES, "weights": {"DA": 0.5, "GCR": 0.25, "EQS": 0.25}}
    (project / "proctor.rules.yaml").write_text(yaml.safe_dump(rules))
    refused = proctor("gate", name, "--rehearsal", cwd=project, code=2)
    assert refused.stdout == ""
    assert "rules.weights.DA 0.4 → 0.5" in refused.stderr
    for who in ("anna", "ben"):
        proctor("govern", "key", who, cwd=project)
    facts = ("--suite", SUITE, "--because", "accuracy matters most", "--evidence", "cases.json")
    wanted = proctor_json("govern", "propose", *facts, "--key", "anna", cwd=project)["id"]
    own = proctor("govern", "approve", wanted, "--because", "it is mine", "--key", "anna", cwd=project, code=2)
    assert "somebody else" in own.stderr
    proctor("govern", "approve", wanted, "--because", "agreed by all", "--key", "ben", cwd=project)
    assert "approved by ben" in proctor("gate", name, "--rehearsal", cwd=project, code=0).stdout


def test_weights_that_do_not_sum_to_one_are_one_sentence(project: Path) -> None:
    (project / "proctor.rules.yaml").write_text(yaml.safe_dump({"weights": {"DA": 0.5, "GCR": 0.4}}))
    done = proctor("gate", "latest", cwd=project, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert "sum to 0.9; they must sum to 1" in done.stderr


def test_a_damaged_ledger_names_the_place(project: Path) -> None:
    proctor("gate", run(project, 9), "--rehearsal", cwd=project)
    path = project / ".proctor" / "ledger.jsonl"
    path.write_text(path.read_text().replace('"release":"1.0"', '"release":"9.9"'))
    done = proctor("govern", "verify", cwd=project, code=1)
    assert "ledger.jsonl line 2" in done.stderr


def test_a_ledger_that_was_deleted_is_missed_by_every_command_that_decides(project: Path) -> None:
    """Weights moved, ledger gone: without the check this would be a new, unsigned beginning."""
    name = run(project, 9)
    (project / ".proctor" / "ledger.jsonl").unlink()
    (project / "proctor.rules.yaml").write_text(
        yaml.safe_dump({**RULES, "weights": {"DA": 0.6, "GCR": 0.2, "EQS": 0.2}})
    )
    for command in (("gate", name), ("gate", name, "--json"), ("baseline", "accept", name, "--key", "zoe")):
        done = proctor(*command, cwd=project, code=None)
        assert done.returncode in (1, 2)
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
    assert not (project / ".proctor" / "ledger.jsonl").exists()


def test_a_ledger_that_was_cut_off_is_found(project: Path) -> None:
    proctor("gate", run(project, 9), "--rehearsal", cwd=project)
    path = project / ".proctor" / "ledger.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert "cut off" in proctor("govern", "verify", cwd=project, code=1).stderr


def test_the_baseline_in_another_clone_gives_the_same_gate(project: Path, tmp_path: Path) -> None:
    carried = tmp_path / "proctor.baseline"
    proctor("baseline", "export", carried, cwd=project)
    here = proctor_json("gate", run(project, 9), "--rehearsal", cwd=project)
    clone = tmp_path / "clone"
    clone.mkdir()
    write_project(clone)
    shutil.copytree(project / "proctor.keys", clone / "proctor.keys")
    proctor("baseline", "import", carried, cwd=clone)
    there = proctor_json("gate", run(clone, 9), "--rehearsal", cwd=clone)
    same = ("result", "reasons", "standing", "exit_code")
    assert {name: here[name] for name in same} == {name: there[name] for name in same}
    assert here["report"]["regression_analysis"] == there["report"]["regression_analysis"]
    assert proctor_json("baseline", "show", cwd=clone) == proctor_json("baseline", "show", cwd=project)


def test_a_fresh_clone_takes_the_answer_that_the_baseline_carries(project: Path, tmp_path: Path) -> None:
    """What two people answered once is not asked again where the ledger is not; another failure is."""
    for who in ("anna", "ben"):
        proctor("govern", "key", who, cwd=project)
    write_agent(project, 1)
    name = run(project, 9, CLERK)
    waits = proctor("gate", name, "--key", "anna", "-q", cwd=project, code=101)
    assert "1 scenario turned wrong: request-1 " in waits.stdout
    (pipeline,) = (one["pipeline"] for one in proctor_json("govern", "list", cwd=project)["waiting"])
    proctor("govern", "approve", pipeline, "--because", "known, mended in 1.1", "--key", "ben", cwd=project)
    carried = project / "proctor.baseline"
    proctor("baseline", "export", carried, "--key", "anna", cwd=project)
    clone = tmp_path / "clone"
    clone.mkdir()
    for kept in (one for one in project.iterdir() if one.name != ".proctor"):
        (shutil.copytree if kept.is_dir() else shutil.copy)(kept, clone / kept.name)
    proctor("baseline", "import", "proctor.baseline", cwd=clone)
    done = proctor("gate", run(clone, 10, CLERK), cwd=clone, code=0)
    assert done.stdout.startswith("deploy: escalated"), done.stdout
    write_agent(clone, 2)
    assert "request-2 " in proctor("gate", run(clone, 10, CLERK), "-q", cwd=clone, code=101).stdout


def test_watch_looks_once_and_incidents_set_it_off(project: Path) -> None:
    looking = ("watch", SUITE, "--agent", "oracle", "--rehearsal", "--once")
    assert "triggered by onAgentUpdate" in proctor(*looking, cwd=project, code=0).stdout
    assert "nothing to do" in proctor(*looking, cwd=project, code=0).stdout
    incident = {"incident": "INC-7", "at": "2026-03-02", "happened": {"name": "delete"}, "harm": "S1"}
    known = {name: scenario(3)[name] for name in ("coordinate", "context", "sources", "actions", "expected")}
    (project / "incident.yaml").write_text(yaml.safe_dump({**incident, **known}))
    assert "candidates/incident-inc-7.yaml" in proctor("incident", "add", "incident.yaml", cwd=project).stdout
    assert "INC-7" in proctor("incident", "list", cwd=project).stdout
    assert "triggered by onIncident" in proctor(*looking, cwd=project, code=0).stdout
    write_scenarios(project, [scenario(number, weight=0.5) for number in range(12)])
    assert "12 places" in proctor(*looking, cwd=project, code=2).stderr


def test_a_recorded_episode_becomes_a_candidate(project: Path) -> None:
    name = run(project, 9)
    made = proctor_json("incident", "add", "--run", name, "--episode", "0", cwd=project)
    candidate = yaml.safe_load((project / made["file"]).read_text())["scenarios"][0]
    assert candidate["provenance"] == {"kind": "incident", "source": f"{name}/0"}
    assert "say `incident add FILE`" in proctor("incident", "add", cwd=project, code=2).stderr


def test_killed_again_and_again_a_look_comes_to_one_decision(tmp_path: Path) -> None:
    """SIGKILL amid episodes and before the ledger is written; the stages' own tests kill at every boundary."""
    project = tmp_path / "project"
    project.mkdir()
    write_project(project)
    head, line, rest = (project / "desk.py").read_text().partition("family = ScenarioFamily(")
    (project / "desk.py").write_text(f"import sys, time\n{head}{HELD}{line.replace('Scenario', 'Held')}{rest}")
    # Code of a family is governed: the one that can be held is the one that was accepted.
    accept_runs(project, *live(project, 1, 2, 3, 4, 5))
    (project / "hold").touch()
    killed_in(project, "2/7 agent-execution", when=project / "waiting")
    assert finished_stages(project) == ["1"]
    assert len(proctor_json("runs", cwd=project)) == 1, "it was begun"
    (project / "hold").unlink()
    with (project / ".proctor" / "ledger.jsonl").open("rb") as held:
        # Nobody can write a decision meanwhile.
        fcntl.flock(held, fcntl.LOCK_EX)
        killed_in(project, "7/7 gate-decision")
        assert finished_stages(project) == list("123456")
    assert not decided(project)
    proctor(*LOOKING, cwd=project, code=0)
    assert finished_stages(project) == list("1234567")
    assert [body["result"] for body in decided(project)] == ["deploy"]
    assert len(proctor_json("runs", cwd=project)) == 1, "it was continued, not begun anew"
    proctor("govern", "verify", cwd=project)


def plugged(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (project / "pytest.ini").touch()
    installed = any(point.value == "proctor.pytest_plugin" for point in entry_points(group="pytest11"))
    command = [sys.executable, "-m", "pytest", *ALONE, "-v"]
    command += [] if installed else ["-p", "proctor.pytest_plugin"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(
        [*command, *arguments], cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_the_pytest_plugin_adds_metrics_and_the_gate(project: Path) -> None:
    done = plugged(project, "--proctor-suite", SUITE, "--proctor-agent", "oracle", "--proctor-rehearsal")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
    done = plugged(project, "--proctor-suite", SUITE, "--proctor-agent", "null")
    assert done.returncode == 1
    assert "DA 0.000 is below its floor of 0.7" in done.stdout
    assert "block: " in done.stdout
    assert len(decided(project)) == 2


def test_the_pytest_plugin_asks_only_for_what_the_rules_ask_for(tmp_path: Path) -> None:
    write_project(tmp_path, rules={**RULES, "weights": {"DA": 1.0}})
    done = plugged(tmp_path, "-rs", "--proctor-suite", SUITE, "--proctor-agent", "null")
    assert done.returncode == 1
    assert "3 failed, 2 skipped" in done.stdout
    for metric in ("GCR", "EQS"):
        assert f"the rules of this project do not ask for {metric}" in done.stdout
        assert f"{metric} 0.000 lies under" not in done.stdout


def test_the_pytest_plugin_examines_nothing_under_unapproved_rules(project: Path) -> None:
    (project / "proctor.rules.yaml").write_text(yaml.safe_dump({**RULES, "alpha": 0.05}))
    done = plugged(project, "--proctor-suite", SUITE, "--proctor-agent", "oracle")
    assert "5 failed" in done.stdout, done.stdout + done.stderr
    assert "suite 'small-quality' differs from its approved rules and oracle in 1 place" in done.stdout
    assert not decided(project)


def test_the_pytest_fixtures(project: Path) -> None:
    (project / "test_mine.py").write_text(
        f"def test_it(proctor_run, proctor_evidence, proctor_gate):\n"
        f"    run = proctor_run({SUITE!r}, 'oracle', seed=3)\n"
        f"    assert run.complete\n"
        f"    assert len(proctor_evidence(run.run).rows) == 24\n"
        f"    assert proctor_gate(run.run).result == 'deploy'\n"
    )
    done = plugged(project, "--proctor-rehearsal")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_the_pytest_plugin_knows_the_project_and_scopes(project: Path) -> None:
    proctor("init", "--agent", "oracle", "--suite", SUITE, cwd=project)
    done = plugged(project, "--proctor-suite", SUITE, "--proctor-scope", "G1.U1.P1.Z1.A2", "--proctor-allow-escalation")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed, 1 skipped" in done.stdout
    assert decided(project)[-1]["scope"] == "G1.U1.P1.Z1.A2"
    done = plugged(project, "--proctor-suite", SUITE, "--proctor-scope", "G9.*.*.*.*")
    assert done.returncode == 1
    assert "no scenario of suite 'small-quality' is in this scope" in done.stdout


def test_the_pytest_plugin_refuses_in_one_sentence(project: Path) -> None:
    done = plugged(project, "--proctor-suite", SUITE)
    assert done.returncode == 4
    assert "give --proctor-agent, or name it in proctor.yaml" in done.stderr + done.stdout
    done = plugged(project, "--proctor-agent", "oracle")
    assert done.returncode == 4
    assert "give --proctor-suite too" in done.stderr + done.stdout
    done = plugged(project, "--proctor-suite", "nonsense", "--proctor-agent", "oracle")
    assert done.returncode == 4
    assert "Traceback" not in done.stdout + done.stderr


def test_the_workflow_is_written_and_names_real_commands(tmp_path: Path) -> None:
    proctor("init", "--agent", "oracle", "--suite", "quality", "--github", cwd=tmp_path)
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "proctor.yml").read_text())
    commands = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    named = [line.split()[1] for text in commands for line in text.splitlines() if line.startswith("proctor ")]
    assert named == ["baseline", "run", "gate"]
    again = proctor("init", "--github", cwd=tmp_path, code=2)
    assert "exists already" in again.stderr
