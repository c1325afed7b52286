"""`--scope` as a user meets it: a part of the organisation is run, scored, reported, decided about and linted alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.command import proctor, proctor_json
from tests.e2e.quality_projects import WITHOUT_LUL, write_rules

UNIVERSE = "G1.U2.*.*.*"
AGENT = "decider:accuracy=.9"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scope")
    write_rules(folder, WITHOUT_LUL)
    return folder


@pytest.mark.slow
def test_the_part_of_a_run_equals_that_part_of_the_whole(project: Path) -> None:
    whole = proctor_json("run", "quality", "--agent", AGENT, "--seed", "7", cwd=project)
    part = proctor_json("run", "quality", "--agent", AGENT, "--seed", "7", "--scope", UNIVERSE, cwd=project)
    assert (whole["scope"], part["suite"]) == (None, whole["suite"])
    assert part["config_hash"] != whole["config_hash"]
    assert part["scope"] == f"{UNIVERSE}: {part['episodes']:,} of {whole['episodes']:,} scenarios"
    assert 0 < part["episodes"] < whole["episodes"]
    scores = [proctor_json("score", run["run"], cwd=project)["quality"] for run in (whole, part)]
    coordinates = [
        {one["name"]: one for one in found["breakdown"]["coordinates"] if one["name"].startswith("G1.U2.")}
        for found in scores
    ]
    assert coordinates[0], "the breakdown names the places of the universe"
    shown = [
        {name: (one["episodes"], (one["DA"] or {}).get("value")) for name, one in places.items()}
        for places in coordinates
    ]
    assert shown[0] == shown[1]
    assert shown[1][UNIVERSE][0] == part["episodes"]


def test_every_number_of_a_part_says_so(project: Path) -> None:
    run = proctor("run", "quality", "--agent", "oracle", "--seed", "8", "--scope", UNIVERSE, cwd=project)
    name = next(line.split()[1] for line in run.stdout.splitlines() if line.startswith("run  "))
    within = proctor_json("score", name, cwd=project)["scope"]
    assert within.startswith(f"{UNIVERSE}: ")
    assert f"scope     {within}" in run.stderr
    assert f"Quality within {within}" in run.stdout
    score = proctor("score", name, cwd=project).stdout
    assert f"scope {within}" in score.splitlines()[0]
    page = project / "report.html"
    proctor("report", name, "-o", page, cwd=project)
    assert f"only {within}; nothing is said about the rest of the suite" in page.read_text()
    assert proctor_json("report", name, cwd=project)["scope"] == within
    gate = proctor("gate", name, "--freeze", cwd=project, code=101)
    assert f"1/7 scenario-generation: scope {within} of quality@1.0" in gate.stderr
    assert gate.stdout.startswith(f"escalate-to-human within {UNIVERSE}: ")
    waits = proctor("govern", "list", cwd=project).stdout
    assert name in waits
    resumed = proctor(
        "run", "quality", "--agent", "oracle", "--seed", "8", "--scope", UNIVERSE, "--resume", cwd=project
    )
    assert f"{name} is finished already" in resumed.stderr


def test_the_linter_counts_what_a_run_would_take(project: Path) -> None:
    linted = proctor_json("lint", "quality", "--scope", UNIVERSE, cwd=project)
    part = proctor_json("run", "quality", "--agent", "null", "--scope", UNIVERSE, cwd=project)
    assert linted["scenarios"] == part["episodes"]
    printed = proctor("lint", "quality", "--scope", UNIVERSE, cwd=project).stdout
    assert f"{part['episodes']} scenarios within {UNIVERSE} at " in printed.splitlines()[-1]


def test_a_scope_file_is_a_scope(project: Path) -> None:
    (project / "apart.yaml").write_text(f"coordinate: {UNIVERSE}\nincludeCrossPlanetScenarios: false\n")
    facts = ("run", "quality", "--agent", "null", "--scope")
    apart = proctor_json(*facts, "apart.yaml", cwd=project)
    whole = proctor_json(*facts, UNIVERSE, cwd=project)
    assert apart["episodes"] < whole["episodes"]
    assert apart["scope"].startswith(f"{UNIVERSE} (without cross-planet scenarios): ")


@pytest.mark.parametrize("command", ["run", "lint", "watch"])
@pytest.mark.parametrize(
    ("scope", "sentence"),
    [
        ("G1.U2.*", "write all five levels"),
        ("G1.X2.*.*.*", "'X2' should be U and a number, or *"),
        ("G1.*.P1.*.*", "nothing may follow a * except *"),
        ("nowhere.yaml", "no such file"),
    ],
)
def test_a_typo_is_one_sentence(project: Path, command: str, scope: str, sentence: str) -> None:
    more = {"run": ["--agent", "oracle"], "lint": [], "watch": ["--agent", "oracle", "--once"]}[command]
    done = proctor(command, "quality", *more, "--scope", scope, cwd=project, code=2)
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["run", "watch"])
def test_a_place_without_scenarios_and_a_suite_without_places_are_refused(project: Path, command: str) -> None:
    more = ["--agent", "oracle", *(["--once"] if command == "watch" else [])]
    done = proctor(command, "quality", *more, "--scope", "G9.*.*.*.*", cwd=project, code=2)
    assert "no scenario of suite 'quality' is in this scope; there are scenarios in G1.U1.*.*.*" in done.stderr
    done = proctor(command, "hello", *more, "--scope", UNIVERSE, cwd=project, code=2)
    assert "scopes are for suites of scenarios like `quality`" in done.stderr
    linted = proctor("lint", "quality", "--scope", "G9.*.*.*.*", cwd=project, code=2)
    assert "is within the scope" in linted.stdout
