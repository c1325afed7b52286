"""Chat models and the scaffold over them can reach no suite, no instance's hidden part and no engine."""

from __future__ import annotations

import ast

import pytest
from tests.architecture.test_imports import ALL, imports_of

OURS = ("proctor.models", "proctor.agents.structured")
FORBIDDEN = ("proctor.suites", "proctor.engine", "proctor.conformance", "proctor.instruments", "proctor.pipeline")


def reached(start: list[str]) -> set[str]:
    """Every module of ours that these import, directly or not."""
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in seen and name in ALL:
            seen.add(name)
            waiting += imports_of(ALL[name], at_import_time=False)
    return seen


@pytest.mark.parametrize("package", OURS)
def test_no_way_leads_to_a_target(package: str) -> None:
    own = [name for name in ALL if name.startswith(package)]
    assert len(own) > 5
    assert not [name for name in reached(own) if name.startswith(FORBIDDEN)]


def test_simulants_know_nothing_of_worlds_or_agents() -> None:
    own = [name for name in ALL if name.startswith("proctor.models.simulated")]
    assert not [
        name for name in reached(own) if name.startswith(("proctor.worlds", "proctor.agents", "proctor.evidence"))
    ]


def test_nothing_hidden_is_named() -> None:
    """Neither models nor scaffold mention an instance, its hidden part, or the target."""
    for name, path in ALL.items():
        if name.startswith(OURS):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not (attributes | names) & {"hidden", "Instance", "reveal", "Placement"}, name
