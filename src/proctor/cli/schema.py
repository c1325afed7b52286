"""Print the JSON Schema of a declaration, so that editors can check proctor.yaml, suites and scenarios as you type."""

from __future__ import annotations

from typing import Annotated

import typer


def command(
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help="suite, regime, system, rules, condition, project, scenario or scenarios."),
    ],
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.spec.condition import Condition
    from proctor.spec.declaration import Declaration
    from proctor.spec.performance import LoadProfile
    from proctor.spec.project import Project
    from proctor.spec.regime import Regime
    from proctor.spec.rules import Rules
    from proctor.spec.scenario import Scenario, ScenarioSet
    from proctor.spec.suite import Suite
    from proctor.spec.system import System

    known: dict[str, type[Declaration]] = {
        "suite": Suite,
        "regime": Regime,
        "system": System,
        "rules": Rules,
        "condition": Condition,
        "project": Project,
        "load": LoadProfile,
        "scenario": Scenario,
        "scenarios": ScenarioSet,
    }
    if kind not in known:
        message = f"no declaration is called '{kind}'; there are {', '.join(known)}"
        raise InputError(message)
    print_json(known[kind].model_json_schema())
