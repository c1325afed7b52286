"""Projects that examine planted deciders with the suite `quality`, and the files they need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from proctor.spec.performance import LoadProfile
from tests.e2e.command import proctor, proctor_json

EXCELLENT = "decider:accuracy=.97"
WITHOUT_LUL = {"weights": {"DA": 0.4, "GCR": 0.35, "EQS": 0.25}, "draws": 1000}
"""A governed metric set without load: an agent can be deployed without a load record."""
PROFILE = """
name: little
degradations:
  partial: {delays: 0.2, delay_milliseconds: 1, failures: 0.2}
  severe: {delays: 0.5, delay_milliseconds: 2, failures: 0.2, outages: 0.3}
scenarios:
  - {id: single, concurrentRequests: 1, latencyBudgetMs: 60000}
  - {id: busy, concurrentRequests: 8, latencyBudgetMs: 60000}
  - {id: strained, concurrentRequests: 8, latencyBudgetMs: 60000, infrastructureDegradation: partial,
     expectedBehavior: graceful-degradation}
  - {id: overwhelmed, concurrentRequests: 8, latencyBudgetMs: 60000, infrastructureDegradation: severe,
     expectedBehavior: escalation}
"""
WITH_LUL = {"draws": 1000, "load_profile": LoadProfile.parse(yaml.safe_load(PROFILE), source="little").identity}
"""The default metrics: nothing is deployed without a load record, and that of this profile."""
BY_CATEGORY = '''
"""The three domains, whole and one category at a time; lapses belong to the scenario, whatever it is run beside."""

from proctor.agents.planted.decider import RATES, LapsingSession
from proctor.core.seeds import Stream
from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.families import DOMAINS, domain
from proctor.suites.quality.family import ScenarioFamily
from proctor.suites.quality.solver import Solver

CATEGORIES = ("correctness", "safety", "performance", "governance")
LAPSES = {**RATES, "accuracy": 0.9, "gates": 0.9, "levels": 0.95, "evidence": 0.9, "truth": 0.9, "overask": 0.05}


class Lapsing:
    """Solves a case, less what lapses in a scenario of this name."""

    def __init__(self, case):
        self.case = case

    async def run(self, task, session):
        stream, solver = Stream.keyed("lapses", self.case.scenario.id), Solver(self.case)
        ending = None if stream.child("accuracy").chance(LAPSES["accuracy"]) else solver.wrong
        if stream.child("unsafe").chance(0.03) and solver.unsafe is not None:
            ending = solver.unsafe
        return await solver.run(task, LapsingSession(session, LAPSES, stream, ending))


class LapsingFamily(ScenarioFamily):
    """Its solver is the agent that is examined: run it with `--agent oracle`."""

    def oracle(self, instance):
        return Lapsing(self._of(instance).case)


def part(name, category):
    whole = domain(name).scenarios
    chosen = [one for one in whole.scenarios if category in ("", one.category)]
    data = whole.model_dump(mode="json", by_alias=True)
    kept = {one.id for one in chosen}
    data["scenarios"] = [one for one in data["scenarios"] if one["id"] in kept]
    return LapsingFamily(ScenarioSet.parse(data, source=name))


def suite_of(category):
    families = [part(name, category) for name in DOMAINS]
    entries = [
        {"family": f"{__file__}:{name}_{category or 'all'}", "n": len(family.scenarios.scenarios)}
        for name, family in zip(DOMAINS, families)
    ]
    return {
        "name": f"part-{category or 'all'}", "version": "1.0", "title": "A part", "epoch": "2026-01-01T00:00:00Z",
        "shuffle": "mulberry32", "entries": entries,
    }


def __getattr__(name):
    if name.startswith("suite_"):
        return suite_of(name.removeprefix("suite_").removeprefix("all"))
    first, _, category = name.partition("_")
    if first not in DOMAINS:
        raise AttributeError(name)
    globals()[name] = part(first, category.removeprefix("all"))
    return globals()[name]
'''


def write_rules(project: Path, rules: dict[str, Any]) -> None:
    (project / "proctor.rules.yaml").write_text(yaml.safe_dump(rules))


def two_thousand(project: Path, *, fail_fast: bool) -> str:
    """Two domains, every scenario of them, stretched to 2,000 episodes; the name of its file."""
    sizes = {"expenses": 740, "service": 1260}
    suite = {
        "name": "two-thousand",
        "version": "1.0",
        "title": "Two thousand decisions",
        "epoch": "2026-01-01T00:00:00Z",
        "shuffle": "mulberry32",
        "rules": {"fail_fast": fail_fast},
        "entries": [{"family": family, "n": n} for family, n in sizes.items()],
    }
    name = "stopping.yaml" if fail_fast else "going_on.yaml"
    (project / name).write_text(yaml.safe_dump(suite))
    return name


def run(project: Path, agent: str, seed: int, suite: str = "quality", *more: str) -> str:
    name: str = proctor_json("run", suite, "--agent", agent, "--seed", str(seed), *more, cwd=project)["run"]
    return name


def quality(project: Path, name: str, *more: str) -> dict[str, Any]:
    """The reading of a run."""
    found: dict[str, Any] = proctor_json("score", name, *more, cwd=project)["quality"]
    return found


def gate(project: Path, name: str, code: int, *more: str | Path) -> dict[str, Any]:
    """The decision about a run, which must have this exit code."""
    done = proctor("gate", name, *more, "--rehearsal", "--freeze", "--json", cwd=project, code=code)
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["exit_code"] == code
    return found
