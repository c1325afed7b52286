"""A package that adds one of everything, installed by entry points alone, in the commands people use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import proctor, proctor_json
from tests.e2e.installed_plugin import install

STORE = "quay-drawer:quay"


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="module")
def run(env: dict[str, str], project: Path) -> dict[str, Any]:
    """The plug-in's agent on the plug-in's suite and family, by the plug-in's executor, in the plug-in's store."""
    arguments = ("run", "quayworks", "--agent", "quay-docker", "--executor", "one-crane", "--store", STORE)
    found: dict[str, Any] = proctor_json(*arguments, cwd=project, env=env)
    return found


def test_run_keeps_evidence_in_the_plugins_store(run: dict[str, Any], project: Path) -> None:
    assert (run["status"], run["episodes"], run["store"]) == ("complete", 20, STORE)
    assert run["outcomes"]["success"] >= 10, "every episode without trouble, at least"
    assert (project / "quay.drawer").is_file()


def test_the_executor_and_the_store_change_nothing(run: dict[str, Any], env: dict[str, str], tmp_path: Path) -> None:
    again = proctor_json("run", "quayworks", "--agent", "quay-docker", "--workers", "2", cwd=tmp_path, env=env)
    assert again["root"] == run["root"]


def test_the_end_of_a_run_is_summed_up_by_the_plugins_section(
    run: dict[str, Any], env: dict[str, str], project: Path
) -> None:
    text = proctor("show", run["run"], "--store", STORE, cwd=project, env=env).stdout
    assert "Crane calls: " in text and "calls an episode (n = 20)" in text
    assert "Success rates" not in text


def test_score(run: dict[str, Any], env: dict[str, str], project: Path) -> None:
    every = proctor("score", run["run"], "--store", STORE, cwd=project, env=env).stdout
    assert "Crane calls: " in every and "Success rates" in every
    read = proctor_json("score", run["run"], "--store", STORE, "--instrument", "quay-calls", cwd=project, env=env)
    assert read["quay-calls"]["measured"] and read["quay-calls"]["values"][0]["estimate"]["n"] == 20


def test_report(run: dict[str, Any], env: dict[str, str], project: Path) -> None:
    proctor("report", run["run"], "--store", STORE, "-o", "quay.html", cwd=project, env=env)
    page = (project / "quay.html").read_text(encoding="utf-8")
    assert "Crane calls" in page and "calls an episode" in page
    report = proctor_json("report", run["run"], "--store", STORE, cwd=project, env=env)
    assert report["sections"][0]["title"] == "Crane calls"


def test_verify_export_and_import(run: dict[str, Any], env: dict[str, str], project: Path) -> None:
    assert "verified" in proctor("verify", run["run"], "--store", STORE, cwd=project, env=env).stdout
    proctor("export", run["run"], "--store", STORE, "-o", "quay.proctor", cwd=project, env=env)
    proctor("verify", "quay.proctor", cwd=project, env=env)
    (project / "list.txt").write_text("quay manifest\nquay.proctor\n", encoding="utf-8")
    taken = proctor_json("import", "list.txt", "--store", "quay-drawer:other", cwd=project, env=env)
    assert (taken["run"], taken["root"]) == (run["run"], run["root"])
    proctor("verify", run["run"], "--store", "quay-drawer:other", cwd=project, env=env)


def test_a_bundle_of_a_plugin_is_read_without_it(run: dict[str, Any], env: dict[str, str], project: Path) -> None:
    proctor("export", run["run"], "--store", STORE, "-o", "alone.proctor", cwd=project, env=env)
    proctor("import", "alone.proctor", "--store", "alone.db", cwd=project)
    assert "Success rates" in proctor("score", run["run"], "--store", "alone.db", cwd=project).stdout


def test_the_gate_decides_about_no_scenarios_that_lie_on_a_path_alone(env: dict[str, str], project: Path) -> None:
    arguments = ("run", "quayworks-desk", "--agent", "quay-docker", "--executor", "one-crane", "--store", STORE)
    lived = proctor_json(*arguments, cwd=project, env=env)
    would = json.loads(proctor("gate", lived["run"], "--store", STORE, "--json", cwd=project, env=env, code=100).stdout)
    assert would["dry_run"] and would["outcome"] == "block"
    refused = proctor("gate", lived["run"], "--freeze", "--store", STORE, cwd=project, env=env, code=2)
    assert "which sees installed packages and neither PYTHONPATH nor `.pth` files" in refused.stderr
    read = proctor_json("score", lived["run"], "--store", STORE, "--instrument", "quality", cwd=project, env=env)
    assert read["quality"]["DA"]["value"] == 0.5, "it leaves every berth to the harbour master"


def test_the_plugins_metric_is_shown_and_decides_where_the_rules_name_it(env: dict[str, str], tmp_path: Path) -> None:
    arguments = ("run", "quayworks-desk", "--agent", "quay-docker")
    lived = proctor_json(*arguments, cwd=tmp_path, env=env)
    read = proctor_json("score", lived["run"], "--instrument", "quality", cwd=tmp_path, env=env)
    assert read["quality"]["further_metrics"]["QUAY"]["value"] == 0.0, "it leaves every berth to the harbour master"
    assert "Cases Handled At The Quay" in proctor("score", lived["run"], cwd=tmp_path, env=env).stdout
    proctor("report", lived["run"], "-o", "quay.html", cwd=tmp_path, env=env)
    assert "Cases Handled At The Quay" in (tmp_path / "quay.html").read_text(encoding="utf-8")
    unasked = json.loads(proctor("gate", lived["run"], "--json", cwd=tmp_path, env=env, code=100).stdout)
    assert not any("QUAY" in reason for reason in unasked["reasons"]), "nobody asked for it"
    ruled = tmp_path / "ruled"
    ruled.mkdir()
    (ruled / "proctor.rules.yaml").write_text("weights: {DA: 0.4, GCR: 0.3, EQS: 0.2, QUAY: 0.1}\n", encoding="utf-8")
    lived = proctor_json(*arguments, cwd=ruled, env=env)
    asked = json.loads(proctor("gate", lived["run"], "--json", cwd=ruled, env=env, code=100).stdout)
    assert any("QUAY" in reason for reason in asked["reasons"])


def test_a_plugin_locks_its_families(tmp_path: Path) -> None:
    env = {**install(tmp_path / "site"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    before = proctor_json("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env)
    none = proctor("lock", "quayworks", "--check", cwd=tmp_path, env=env, code=1).stdout
    assert "there is none yet; run `proctor lock quayworks` to write it" in none
    check = ("check", "quay-loading", "--instances", "5")
    unlocked = "–     release      probes.lock of quayworks does not hold quay-loading@1.0; before you publish it,"
    assert unlocked in proctor(*check, cwd=tmp_path, env=env).stdout
    written = proctor_json("lock", "quayworks", cwd=tmp_path, env=env)
    assert written["added"] == ["quay-loading@1.0", "quay-office@1.0"]
    assert "up to date" in proctor("lock", "quayworks", "--check", cwd=tmp_path, env=env).stdout
    behaves = "ok    release      It behaves as quay-loading@1.0 does in probes.lock of quayworks."
    assert behaves in proctor(*check, cwd=tmp_path, env=env).stdout
    locked = proctor_json("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env)
    assert locked["root"] == before["root"], "where a probe comes from is no part of identity"
    source = tmp_path / "site" / "quayworks" / "loading.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text + "# A comment.\n", encoding="utf-8")
    stale = proctor("lock", "quayworks", "--check", cwd=tmp_path, env=env, code=1).stdout
    assert "behaviour is unchanged, sources are not; run `proctor lock quayworks` to bring it up to date" in stale
    assert proctor_json("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env)["root"] == before["root"]
    source.write_text(text.replace("total == sum(tonnes)", "total >= sum(tonnes)"), encoding="utf-8")
    assert text != source.read_text(encoding="utf-8")
    refused = proctor("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env, code=2)
    assert "family quay-loading@1.0: its verdicts differ from its release; raise its version" in refused.stderr
    assert "if nobody has this version yet, replace its entry with `proctor lock quayworks --unre" in refused.stderr
    found = proctor(*check, cwd=tmp_path, env=env, code=1).stdout
    assert "FAIL  release      release: family quay-loading@1.0: its verdicts differ from its release" in found
    proctor("lock", "quayworks", "--unreleased", cwd=tmp_path, env=env)
    proctor("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env)


@pytest.mark.parametrize("name", ["quay-loading", "quayworks", "quay-docker", "quay-calls", "QUAY"])
def test_check(name: str, env: dict[str, str], project: Path) -> None:
    assert "every check holds" in proctor("check", name, cwd=project, env=env).stdout


def test_a_command_of_a_plugin(run: dict[str, Any], env: dict[str, str], project: Path) -> None:
    shown = proctor("crane-calls", run["run"], "--store", STORE, "--digits", "0", cwd=project, env=env).stdout
    assert shown.strip().isdecimal()


def test_help_lists_commands_of_plugins_and_survives_a_broken_one(env: dict[str, str], project: Path) -> None:
    text = proctor("--help", cwd=project, env=env).stdout
    assert "Print the crane calls of a run as one number." in text
    assert text.index("schema") < text.index("broken-winch") < text.index("crane-calls")
    broken = proctor("broken-winch", cwd=project, env=env, code=2)
    assert "command 'broken-winch' is registered as quayworks.missing but cannot be loaded" in broken.stderr


def test_what_an_executor_cannot_take_is_one_sentence(env: dict[str, str], project: Path) -> None:
    arguments = ("run", "quayworks", "--agent", "quay-docker", "--executor", "one-crane", "--workers", "2")
    assert "there is one crane" in proctor(*arguments, cwd=project, env=env, code=2).stderr


def test_a_builtin_cannot_be_taken_over(tmp_path: Path) -> None:
    taken = {
        "proctor.agents": {"null": "quayworks.agent:kind", "clerk": "proctor.agents.null:kind"},
        "proctor.commands": {"runs": "quayworks.command"},
    }
    env = install(tmp_path / "site", taken)
    assert "submits nothing" in proctor("agents", "show", "null", cwd=tmp_path, env=env).stdout
    assert "submits nothing" not in proctor("agents", "show", "clerk", cwd=tmp_path, env=env).stdout
    assert "digits" not in proctor("runs", "--help", cwd=tmp_path, env=env).stdout


BROKEN = "quayworks.broken"


@pytest.mark.parametrize(
    ("entry", "attribute", "says"),
    [
        ("RAISING", "raising", "raised ValueError: the crane is stuck at broken.py:13 in _boom; fix that package"),
        ("MUCH", "too_much", "counts 7 of 1, more than there is, in episode "),
        ("WORDS", "no_number", "raised TypeError: 'many' is no number; fix that package"),
        ("NAN", "not_finite", "counts nan, which is no number of 0 or more, in episode "),
    ],
)
def test_a_broken_metric_is_one_sentence_and_spoils_nothing_else(
    entry: str, attribute: str, says: str, tmp_path: Path
) -> None:
    env = install(tmp_path / "site", {"proctor.metrics": {entry: f"{BROKEN}:{attribute}"}})
    sentence = f"metric '{entry}' ({BROKEN}:{attribute}) {says}"
    ended = proctor("run", "quayworks-desk", "--agent", "quay-docker", cwd=tmp_path, env=env)
    assert sentence in ended.stdout and "Traceback" not in ended.stderr
    alone = proctor("score", "--instrument", "quality", cwd=tmp_path, env=env).stdout
    (line,) = [one for one in alone.splitlines() if one.startswith(entry)]
    assert "not measured" in line and sentence in line
    assert "Decision Accuracy" in alone and "Cases Handled At The Quay" in alone
    proctor("report", "-o", "quay.html", cwd=tmp_path, env=env)
    assert "the rules ask for" not in proctor("gate", cwd=tmp_path, env=env, code=100).stdout
    asking = tmp_path / "asking"
    asking.mkdir()
    floors = "DA: 0.7, GCR: 0.8, EQS: 0.6, LUL: 0.05, CAS: 0.6, CAS_WITHOUT_LUL: 0.7"
    (asking / "proctor.rules.yaml").write_text(f"floors: {{{floors}, {entry}: 0.1}}\n")
    proctor("run", "quayworks-desk", "--agent", "quay-docker", cwd=asking, env=env)
    refused = proctor("gate", cwd=asking, env=env, code=2).stderr
    assert sentence in refused and f"(the rules ask for {entry}: without it nothing is decided)" in refused
    assert "Traceback" not in refused


def test_a_broken_instrument_spoils_only_its_own_reading(tmp_path: Path) -> None:
    named = {"quay-broken": f"{BROKEN}:instrument", "quay-dict": f"{BROKEN}:no_reading", "quay-gone": f"{BROKEN}:gone"}
    env = install(tmp_path / "site", {"proctor.instruments": named})
    proctor("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env)
    every = proctor("score", cwd=tmp_path, env=env).stdout
    assert f"instrument 'quay-broken' ({BROKEN}:instrument) raised RuntimeError: no crane to read" in every
    assert f"instrument 'quay-dict' ({BROKEN}:no_reading) gave dict where Reading is needed" in every
    assert "instrument 'quay-gone' is registered as" in every and "Success rates" in every
    proctor("report", "-o", "quay.html", cwd=tmp_path, env=env)
    assert "no crane to read" in (tmp_path / "quay.html").read_text(encoding="utf-8")
    alone = proctor("score", "--instrument", "quay-broken", cwd=tmp_path, env=env, code=2).stderr
    assert "raised RuntimeError: no crane to read at broken.py:" in alone and "Traceback" not in alone


def test_a_broken_section_is_replaced_and_named(tmp_path: Path) -> None:
    env = install(tmp_path / "site", {"proctor.sections": {"quay-calls": f"{BROKEN}:section"}})
    proctor("run", "quayworks", "--agent", "quay-docker", cwd=tmp_path, env=env)
    shown = proctor("score", "--instrument", "quay-calls", cwd=tmp_path, env=env).stdout
    assert f"section 'quay-calls' ({BROKEN}:section) gave str where int is needed" in shown
    proctor("report", "-o", "quay.html", cwd=tmp_path, env=env)
    page = (tmp_path / "quay.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "fix that package" in page


def test_lists_and_commands_survive_what_cannot_be_loaded(tmp_path: Path) -> None:
    broken = {
        "proctor.families": {"quay-gone": f"{BROKEN}:gone"},
        "proctor.suites": {"quay-gone": f"{BROKEN}:gone"},
        "proctor.commands": {"no-command": f"{BROKEN}:function", "empty": BROKEN},
    }
    env = install(tmp_path / "site", broken)
    for group, known in (("families", "quay-loading@1.0"), ("suites", "quayworks@1.0")):
        text = proctor(group, cwd=tmp_path, env=env).stdout
        assert known in text and "'quay-gone' is registered as" in text
    for name in ("no-command", "empty"):
        refused = proctor(name, cwd=tmp_path, env=env, code=2).stderr
        assert "has to be a module with a function `command`; fix that package" in refused
