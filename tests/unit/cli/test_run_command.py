"""`proctor run`: what it prints, what it exits with, and every way to ask for the impossible."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.engine.small import declared

from proctor.cli.main import with_resume_value
from proctor.cli.run import exit_code

PROMISED = {
    "run",
    "suite",
    "seed",
    "timestamp",
    "root",
    "seal",
    "config_hash",
    "episodes",
    "outcomes",
    "complete",
    "store",
}
"""contracts.md, "Wire"."""


def test_json_is_all_there_is_on_stdout(cli: Cli, small: str) -> None:
    done = cli("run", small, "--agent", "oracle", "--seed", "7", "--json")
    assert done.code == 0
    assert done.out.startswith("{") and done.out.endswith("}\n")
    assert set(done.json) >= PROMISED
    assert (done.json["episodes"], done.json["complete"], done.json["suite"]) == (9, True, "small@1.0")
    assert done.json["outcomes"]["success"] == 6
    assert re.fullmatch("[0-9a-f]{64}", done.json["root"])
    assert done.json["label"] == "oracle, not a result"


def test_the_same_command_prints_the_same_root(cli: Cli, small: str, tmp_path: Path) -> None:
    arguments = ("run", small, "--agent", "oracle", "--seed", "7", "--json")
    first, second = cli(*arguments).json, cli(*arguments, "--store", tmp_path / "elsewhere" / "s.db").json
    assert first["root"] == second["root"]
    assert first["config_hash"] == second["config_hash"]
    assert first["run"] != second["run"]


def test_people_see_failures_first_then_rates_then_digests(cli: Cli, small: str) -> None:
    done = cli("run", small, "--agent", "oracle", "--seed", "7")
    assert done.code == 0
    assert done.out.index("Failures") < done.out.index("Success rates") < done.out.index("root ")
    assert "6/6" in done.out and "0/3" in done.out
    assert "oracle, not a result" in done.out
    plan = done.err
    assert "episodes  9" in plan
    assert "public: anyone with the package can regenerate these tasks" in plan
    assert "detects" in plan


def test_quiet_prints_the_name_of_the_run_and_nothing_else(cli: Cli, small: str) -> None:
    done = cli("run", small, "--agent", "oracle", "--quiet")
    assert re.fullmatch(r"small-oracle-[0-9a-f]{6}\n", done.out)
    assert done.err == ""


def test_progress_stays_off_stdout(cli: Cli, small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.cli import progress

    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.0)
    done = cli("run", small, "--agent", "oracle")
    assert "9/9 episodes" in done.err
    assert "9/9 episodes" not in done.out


MALFORMED: dict[str, str] = {
    "torn.yaml": "name: [a\nversion: 1",
    "empty.yaml": "",
    "list.yaml": "- a\n- b\n",
    "keys.yaml": "nam: x\n",
    "number.yaml": 'name: x\nversion: 1.0\ntitle: t\nepoch: "2026-01-01"\nentries: [{family: track, n: 1}]\n',
    "regime.yaml": json.dumps(
        {**declared().model_dump(mode="json"), "entries": [{"family": "track", "n": 1, "regimes": ["hard"]}]}
    ),
    "family.yaml": json.dumps({**declared().model_dump(mode="json"), "entries": [{"family": "tracc", "n": 1}]}),
    "file.yaml": json.dumps({**declared().model_dump(mode="json"), "entries": [{"family": "gone.py", "n": 1}]}),
    "target.yaml": json.dumps(
        {**declared().model_dump(mode="json"), "entries": [{"family": "mine.py:nothing", "n": 1}]}
    ),
    "broken.yaml": json.dumps({**declared().model_dump(mode="json"), "entries": [{"family": "broken.py", "n": 1}]}),
    "cost.yaml": json.dumps(
        {**declared({"family": "track"}).model_dump(mode="json"), "rules": {"limits": {"run_cost": "5"}}}
    ),
    "torn.json": '{"name": ',
    "broken.py": "def f(:\n",
    "mine.py": "suite = 3\n",
}
AGENT = ("--agent", "null")
REFUSED: list[tuple[tuple[str, ...], str]] = [
    (("run",), "name the suite to run"),
    (("run", "hello"), "name the agent to examine, e.g. --agent"),
    (("run", "helo", *AGENT), "did you mean 'hello'?"),
    (("run", "hello@3.1", *AGENT), "installed in version 1.0, not 3.1"),
    (("run", "../hello", *AGENT), "is not a name"),
    (("run", "he\nllo", *AGENT), "is not a name"),
    (("run", "hello", "--agent", "clark"), "did you mean 'clerk'?"),
    (("run", "hello", "--agent", ""), "name the agent to examine"),
    (("run", "hello", "--agent", ":x"), "has no kind"),
    (("run", "hello", "--agent", "null:x"), "takes no details or options"),
    (("run", "hello", *AGENT, "--seed", "seven"), "neither a whole number"),
    (("run", "hello", *AGENT, "--seed", "9007199254740993"), "below 2^53"),
    (("run", "hello", *AGENT, "--seed", "²"), "neither a whole number"),
    (("run", "hello", *AGENT, "--timestamp", "tomorrow"), "not ISO 8601"),
    (("run", "hello", *AGENT, "--timestamp", "0001-01-01T00:00+14:00"), "not ISO 8601"),
    (("run", "hello", *AGENT, "--executor", "slurm"), "no executor is called 'slurm'; there are: inline, processes"),
    (("run", "hello", *AGENT, "--executor", "processes", "--workers", "0"), "--workers 0: at least one is needed"),
    (("run", "hello", *AGENT, "--concurrency", "0"), "--concurrency 0: at least one is needed"),
    (("run", "hello", *AGENT, "--scale", "0"), "--scale 0"),
    (("run", "hello", *AGENT, "--scale", "1000000000"), "episodes is too large"),
    (("run", "hello", *AGENT, "--only", "trak"), "the suite has no such family; it has extract, files"),
    (("run", "hello", *AGENT, "--boundary", "outer"), "--boundary outer: choose core or extended"),
    (("run", "hello", *AGENT, "--store", "postgresql://x/y"), "only SQLite files are supported"),
    (("run", "hello", *AGENT, "--store", "://"), "store ://"),
    (("run", "hello", *AGENT, "--resume-run", "nobody"), "no run called 'nobody'"),
    (("run", "none.yaml", *AGENT), "none.yaml: there is no such file"),
    (("run", "torn.yaml", *AGENT), "torn.yaml: not valid YAML at line 2"),
    (("run", "torn.json", *AGENT), "torn.json: not valid JSON at line 1"),
    (("run", "empty.yaml", *AGENT), "empty.yaml: suite at the top level"),
    (("run", "list.yaml", *AGENT), "list.yaml: suite at the top level"),
    (("run", "keys.yaml", *AGENT), "keys.yaml: suite at nam: 'nam' is not a field of a suite; did you mean 'name'?"),
    (("run", "number.yaml", *AGENT), "1.0 has to be text; put it in quotes"),
    (("run", "regime.yaml", *AGENT), "regime 'hard' is unknown; choose from baseline"),
    (("run", "family.yaml", *AGENT), "no family is called 'tracc'; did you mean 'track'?"),
    (("run", "file.yaml", *AGENT), "gone.py: there is no such file"),
    (("run", "target.yaml", *AGENT), "mine.py: no family in this file; define `nothing = MyFamily()`"),
    (("run", "broken.yaml", *AGENT), "broken.py: not valid Python at line 1"),
    (("run", "cost.yaml", *AGENT), "a cost limit needs a price"),
    (("run", "mine.py", *AGENT), "no suite in this file"),
    (("score",), "there is no such file; run `proctor run` first"),
    (("show",), "there is no such file"),
    (("runs", "--store", "nowhere.db"), "there is no such file"),
    (("families", "show", "tracc"), "no family is called 'tracc'"),
    (("families", "list"), "'list' is not an action here"),
    (("families", "show"), "name the family to show"),
    (("suites", "show", "x"), "no suite is called 'x'"),
    (("agents", "show", "x"), "no agent is called 'x'"),
    (("regimes", "show", "hard"), "no standard regime is called 'hard'; there are baseline"),
    (("schema", "thing"), "there is no declaration 'thing'"),
]


@pytest.mark.parametrize(
    ("arguments", "saying"), REFUSED, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], saying: str
) -> None:
    for name, text in MALFORMED.items():
        (tmp_path / name).write_text(text)
    done = cli(*arguments)
    assert done.code == 2
    assert saying in done.sentence
    if "--resume-run" not in arguments:
        assert not (tmp_path / ".proctor").exists(), "nothing was begun"


@pytest.mark.parametrize(
    "arguments", [("run", "--sead", "1"), ("nonsense",), ("run", "hello", "--scale", "many"), ("run", "a", "b")]
)
def test_bad_usage_is_exit_code_2_too(cli: Cli, arguments: tuple[str, ...]) -> None:
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")


def test_a_terminal_cannot_be_driven_by_a_name(cli: Cli) -> None:
    done = cli("run", "hello", "--agent", "\x1b[2Jclerk\x07")
    assert "\x1b" not in done.err and "\x07" not in done.err
    assert done.code == 2


# Resuming.


def test_resume_with_another_configuration_names_the_difference(cli: Cli, small: str) -> None:
    begun = interrupted(cli, small)
    for arguments in (("--resume",), ("--resume", begun)):
        done = cli("run", small, "--agent", "oracle", "--seed", "8", *arguments)
        assert done.code == 2
        assert done.sentence.startswith(f"proctor: cannot resume {begun}: seed was 7 and is now 8; repeat the original")
    done = cli("run", small, "--agent", "oracle", "--seed", "7", "--resume", begun, "--json")
    assert (done.code, done.json["run"], done.json["complete"]) == (0, begun, True)


def test_a_run_that_is_not_complete_is_said_to_be_before_any_number(cli: Cli, small: str) -> None:
    begun = interrupted(cli, small)
    lines = cli("score", begun).out.splitlines()
    assert lines[1] == "the run is not complete: 0 of 9 episodes"
    whole = cli("score", begun, "--json").json
    assert (whole["complete"], whole["unfinished"]) == (False, lines[1])
    cli("run", small, "--agent", "oracle", "--seed", "7", "--resume", begun)
    assert "not complete" not in cli("score", begun).out
    assert cli("score", begun, "--json").json["complete"]


def interrupted(cli: Cli, small: str) -> str:
    """A run that was frozen and never lived; its name."""
    from proctor.engine.executors.inline import InlineExecutor
    from proctor.engine.names import load_suite
    from proctor.engine.plan import Plan
    from proctor.engine.run import freeze, start_run
    from proctor.evidence.store.store import Store

    made = freeze(suite=load_suite(small, Path()), agent="oracle", folder=Path(), seed=7)
    with Store(".proctor/store.db") as store:
        record, _ = start_run(store, made, Plan(made), executor=InlineExecutor())
    return record.name


def test_resume_of_a_finished_run_prints_it(cli: Cli, small: str) -> None:
    first = cli("run", small, "--agent", "oracle", "--json").json
    again = cli("run", small, "--agent", "oracle", "--resume", "--json")
    assert again.code == 0
    assert (again.json["run"], again.json["seal"]) == (first["run"], first["seal"])
    assert "finished already" in again.err


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["run", "hello", "--resume"], ["run", "hello", "--resume"]),
        (["run", "hello", "--resume", "abc"], ["run", "hello", "--resume-run", "abc"]),
        (["run", "hello", "--resume", "--json"], ["run", "hello", "--resume", "--json"]),
        (["run", "--resume", "hello"], ["run", "--resume", "hello"]),
        (["run", "hello"], ["run", "hello"]),
    ],
)
def test_the_name_after_resume_is_optional(given: list[str], meant: list[str]) -> None:
    assert with_resume_value(given) == meant


# Exit codes.


@pytest.mark.parametrize(
    ("status", "outcomes", "code"),
    [
        ("complete", {"success": 1}, 0),
        ("complete", {"failure": 5}, 0),
        ("complete", {"infrastructure": 2, "success": 1}, 0),
        ("complete", {"infrastructure": 2, "success": 0}, 1),
        ("limit", {"success": 1}, 0),
        ("failed", {"success": 9, "infrastructure": 1}, 1),
        ("failed-safety", {"success": 9}, 1),
        ("interrupted", {}, 1),
    ],
)
def test_exit_codes(status: str, outcomes: dict[str, int], code: int) -> None:
    assert exit_code(status, outcomes) == code


def test_only_the_user_stopping_it_exits_130() -> None:
    assert exit_code("interrupted", {}, by_user=True) == 130


def test_what_is_printed_and_the_exit_code_agree_when_the_bench_breaks(cli: Cli, tmp_path: Path, small: str) -> None:
    entry = {"n": 40, "knobs": {"script": "break_some"}}
    (tmp_path / "breaks.json").write_text(declared(entry, rules={"max_infrastructure": 1}).model_dump_json())
    done = cli("run", "breaks.json", "--agent", "oracle", "--json")
    assert (done.code, done.json["status"], done.json["complete"]) == (1, "failed", False)
    assert done.json["reason"] == "1 episodes broke through the bench's own fault"
    shown = cli("run", "breaks.json", "--agent", "oracle")
    assert shown.code == 1
    assert "status       failed: 1 episodes broke" in shown.out


def test_a_run_in_which_everything_broke_is_no_success(cli: Cli, tmp_path: Path, small: str) -> None:
    text = (tmp_path / "small_family.py").read_text()
    text = text.replace("right = answer == self", "raise RuntimeError; right = answer == self")
    (tmp_path / "small_family.py").write_text(text)
    done = cli("run", small, "--agent", "oracle", "--json")
    assert done.code == 1
    assert done.json["outcomes"]["infrastructure"] == 9


def test_a_limit_is_said_and_is_no_error(cli: Cli, tmp_path: Path, small: str) -> None:
    project: dict[str, Any] = {"system": {"name": "s", "agents": {"core": "oracle"}}, "limits": {"run_episodes": 4}}
    (tmp_path / "proctor.yaml").write_text(json.dumps({**project, "suite": small, "seed": 7}))
    done = cli("run")
    assert done.code == 0
    assert "status       limit: the run's limit of 4 episodes is reached" in done.out
    result = cli("run", "--json").json
    assert (result["episodes"], result["seed"], result["complete"]) == (4, 7, False)
    assert "names no extended agent" in cli("run", "--boundary", "extended").sentence


def test_options_can_be_set_by_environment(cli: Cli, small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_RUN_SEED", "41")
    assert cli("run", small, "--agent", "oracle", "--json").json["seed"] == 41
    assert cli("run", small, "--agent", "oracle", "--seed", "5", "--json").json["seed"] == 5


def test_the_real_command_has_no_traceback_and_the_right_code(tmp_path: Path) -> None:
    """Once as a process of its own: what users run."""
    (tmp_path / "torn.yaml").write_text("name: [a\n")
    done = subprocess.run(
        [sys.executable, "-m", "proctor.cli.main", "run", "torn.yaml", "--agent", "null", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"proctor: torn\.yaml: not valid YAML at line 2, column 1: .*\n", done.stderr)
