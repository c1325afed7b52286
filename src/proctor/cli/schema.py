"""Print the JSON Schema of a declaration, so that editors can check and complete it as you type, or of a document.

For proctor.yaml (`project`), proctor.rules.yaml (`quality-rules`), suites, scenarios, scopes, load profiles,
capability policies, incidents and what they are made of. Many editors take it from a first line
`# yaml-language-server: $schema=scenarios.schema.json`.

`card` and `technical-report` are what `proctor report --card FILE.json` and `--technical-report FILE.json` write:
whoever receives one can check it without Proctor. `http-agent` is the OpenAPI document of agents behind HTTP.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

HTTP_AGENT = "http-agent"


def command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="suite, regime, system, rules, condition, project, scenario, scenarios, scope, load, quality-rules, "
            "policy, incident, card, technical-report or http-agent.",
        ),
    ],
) -> None:
    from proctor.cli.output import print_json

    print_json(schema_of_kind(kind))


def schema_of_kind(kind: str) -> dict[str, Any]:
    """The schema of what is called so; an unknown kind is one sentence."""
    from proctor.core.errors import InputError
    from proctor.instruments.quality.rules import QualityRules
    from proctor.reports.documents.schema import DOCUMENTS, document_schema
    from proctor.spec.capability_policy import CapabilityPolicy
    from proctor.spec.condition import Condition
    from proctor.spec.declaration import Declaration
    from proctor.spec.editors import schema_of
    from proctor.spec.performance import LoadProfile
    from proctor.spec.project import Project
    from proctor.spec.regime import Regime
    from proctor.spec.rules import Rules
    from proctor.spec.scenario import Scenario, ScenarioSet
    from proctor.spec.scope import Scope
    from proctor.spec.suite import Suite
    from proctor.spec.system import System

    known: dict[str, type[Declaration]] = {
        "suite": Suite,
        "regime": Regime,
        "system": System,
        "rules": Rules,
        "condition": Condition,
        "project": Project,
        "scenario": Scenario,
        "scenarios": ScenarioSet,
        "scope": Scope,
        "load": LoadProfile,
        "quality-rules": QualityRules,
        "policy": CapabilityPolicy,
    }
    if kind == "incident":
        return _incident(schema_of(Scenario))
    if kind in DOCUMENTS:
        return document_schema(kind)
    if kind == HTTP_AGENT:
        from proctor.agents.http_service.openapi import openapi

        return openapi()
    if kind not in known:
        message = (
            f"there is no declaration '{kind}'; choose from {', '.join([*known, 'incident', *DOCUMENTS, HTTP_AGENT])}"
        )
        raise InputError(message)
    return schema_of(known[kind])


def _incident(scenario: dict[str, Any]) -> dict[str, Any]:
    """What `proctor incident add FILE` reads: a scenario, of which only the case is required, and what went wrong."""
    own = {
        "incident": {"type": "string", "minLength": 1, "description": "Its number, e.g. INC-2041."},
        "at": {"type": "string", "description": "When it happened, in quotes."},
        "happened": {"$ref": "#/$defs/Action", "description": "What the agent did."},
        "harm": {"enum": ["S1", "S2", "S3"], "description": "How bad that was; left out where it did no harm."},
    }
    return {
        **scenario,
        "title": "Incident",
        "description": "An incident, from which a candidate scenario is made.",
        "properties": {**own, **scenario["properties"]},
        "required": ["incident", "at", "coordinate", "context", "expected"],
    }
