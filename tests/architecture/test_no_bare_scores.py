"""Prohibited forms (white paper §2.3): no level without its tuple, from no command or call, and none in the gate."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.architecture.test_imports import ALL, imports_of
from tests.unit.cli.conftest import Cli, cli  # noqa: F401  a fixture

import proctor
from proctor.cli.main import COMMANDS
from proctor.core.errors import InputError
from proctor.instruments.quality import installed
from proctor.instruments.quality.builtin import BUILT_IN
from proctor.instruments.quality.rules import QualityRules
from proctor.plugins import registry

AGENCY = "proctor.instruments.agency"
SHOWS_LEVELS = {"run", "score", "show", "report"}
"""Commands that read a run with every instrument, or with the one whose run it is."""
DECIDES = ("proctor.pipeline", "proctor.instruments.quality", "proctor.reports.gate_report", "proctor.cli.gate")
SUITE = """\
name: small
version: "1.0"
title: Small
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: email-triage, n: 10, cell: S1}
"""
LEVEL = re.compile(r"\blevel [0-5]\b|\bA = \[|\b[SMDELRG] = [0-5]\b|\btier [1-6]\b", re.IGNORECASE)


def reachable(*starts: str) -> set[str]:
    """Every module that these import, directly or not, at any time."""
    seen: set[str] = set()
    waiting = [name for name in ALL if name.startswith(starts)]
    assert waiting
    while waiting:
        name = waiting.pop()
        if name in seen or name not in ALL:
            continue
        seen.add(name)
        waiting += imports_of(ALL[name], at_import_time=False)
    return seen


@pytest.mark.parametrize("start", DECIDES)
def test_nothing_that_decides_a_deployment_can_reach_the_vector(start: str) -> None:
    assert not [name for name in reachable(start) if name.startswith(AGENCY)]


def test_the_pytest_plugin_and_other_commands_know_no_level() -> None:
    """Those that show levels do it through a section, which prints the tuple first."""
    assert not [name for name in imports_of(ALL["proctor.pytest_plugin"], at_import_time=False) if AGENCY in name]
    for name in COMMANDS:
        module = registry.module_of("commands", name)
        assert not [one for one in imports_of(ALL[module], at_import_time=False) if AGENCY in one], name


@pytest.mark.parametrize("name", ["S", "E", "G3", "agency", "tier", "vector"])
@pytest.mark.parametrize("place", ["weights", "targets", "floors"])
def test_rules_that_name_a_level_or_a_tier_are_refused(name: str, place: str) -> None:
    rules = QualityRules().model_dump(mode="json", by_alias=True)
    rules[place] = {**rules[place], name: 0.5}
    with pytest.raises(InputError):
        QualityRules.parse(rules, source="proctor.rules.yaml")


@pytest.mark.parametrize("name", ["E", "tier", "agency"])
def test_a_packages_metric_cannot_take_their_names(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    plain = next(one for one in BUILT_IN if one.name == "DA")
    metric = replace(plain, name=name, weight=None)
    monkeypatch.setattr(registry, "load", lambda group, asked: metric)
    with pytest.raises(InputError, match="never enter the gate"):
        installed._declared(name)


@pytest.fixture
def examined(cli: Cli, tmp_path: Path) -> Cli:  # noqa: F811
    (tmp_path / "small.yaml").write_text(SUITE)
    assert cli("run", "small.yaml", "--agent", "clerk", "--seed", "7", "-q").code == 0
    return cli


def test_a_run_of_levels_cannot_be_gated(examined: Cli) -> None:
    done = examined("gate", "latest")
    assert done.code not in (0, 100, 101), "neither deploy, block nor escalate: there is nothing to decide on"
    assert not LEVEL.search(done.out + done.err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("score",),
        ("score", "--instrument", "agency"),
        ("score", "--instrument", "rates"),
        ("show",),
        ("show", "--failed"),
        ("runs",),
        ("items", "latest"),
        ("verify", "latest"),
        ("suites", "show", "small.yaml"),
        ("families", "show", "email-triage"),
        ("agents",),
        ("agents", "show", "graded"),
        ("run", "small.yaml", "--agent", "clerk", "--seed", "7"),
    ],
    ids=" ".join,
)
def test_text_with_a_level_has_its_tuple_first(examined: Cli, arguments: tuple[str, ...]) -> None:
    printed = examined(*arguments).out
    found = LEVEL.search(printed)
    if found is not None:
        at = printed.find("(Framework v.10, Core Boundary, [email-triage@1.0], baseline, ")
        assert 0 <= at < found.start() + 200
        assert "[Flags: " in printed
        assert "Capability only: not safety, compliance or approval." in printed
        assert arguments[0] in SHOWS_LEVELS
    else:
        assert arguments not in (("score",), ("score", "--instrument", "agency"), ("show",))


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "--json"),
        ("score", "--instrument", "agency", "--json"),
        ("report", "--json"),
        ("show", "--json"),
        ("runs", "--json"),
        ("items", "latest", "--json"),
    ],
    ids=" ".join,
)
def test_json_with_a_level_has_its_tuples_beside_it(examined: Cli, arguments: tuple[str, ...]) -> None:
    document = examined(*arguments).json
    holders = list(with_vector(document))
    assert bool(holders) == (arguments[0] in ("score", "report"))
    for holder in holders:
        assert holder["tuple"]["flags"].startswith("[Flags: ")
        assert holder["tuple"]["boundary"]["kind"] == "core"
        assert holder["comparison"]["text"].startswith("(Framework v.10")
        assert holder["identification"]["text"].startswith("(Framework v.10")
        assert holder["statement"].startswith("Capability only")
        for dimension in holder["vector"].values():
            assert dimension["frame"].startswith("(Framework v.10")


def with_vector(value: Any) -> Any:
    """Every object that holds dimensions with levels."""
    if isinstance(value, dict):
        vector = value.get("vector")
        if isinstance(vector, dict) and any(isinstance(one, dict) and "level" in one for one in vector.values()):
            yield value
        for inner in value.values():
            yield from with_vector(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from with_vector(inner)


def test_python_prints_no_level_without_its_tuple(examined: Cli) -> None:
    found = proctor.score()
    printed = str(found)
    assert "level=" not in printed
    assert "(Framework v.10, Core Boundary, [email-triage@1.0], baseline, A = [1," in printed
    reading: Any = found["agency"]
    assert "(Framework v.10, Core Boundary, [email-triage@1.0], baseline, S = 1," in str(reading.vector)
    assert json.dumps(reading.comparison["vector"]) in json.dumps(reading.comparison), "levels come inside their tuple"
