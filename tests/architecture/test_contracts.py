"""The page a plug-in author reads, pinned: a change here is a decision."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.architecture.test_startup import HEAVY, loaded

import proctor
from proctor import contracts

PINNED = [
    "Agent",
    "AgentContext",
    "AgentFailure",
    "AgentKind",
    "AgentString",
    "BaseWorld",
    "Beside",
    "Budget",
    "CarriesOver",
    "Case",
    "ChatModel",
    "Claim",
    "Closes",
    "Concludes",
    "Conclusion",
    "Condition",
    "DecisionMeasures",
    "Deliveries",
    "Draw",
    "Entry",
    "EpisodeContext",
    "EpisodeRecord",
    "EpisodeWriter",
    "Estimate",
    "Evidence",
    "EvidenceStore",
    "Example",
    "Executor",
    "ExecutorFactory",
    "Family",
    "FamilySpec",
    "Finite",
    "Flag",
    "FlagShown",
    "ForProject",
    "GenericSection",
    "GivenAnswers",
    "HandsOver",
    "HasEvents",
    "HasScenarios",
    "Importer",
    "Instance",
    "Instrument",
    "Knob",
    "Learns",
    "MarksState",
    "Markup",
    "Memory",
    "Message",
    "Metric",
    "ModelKind",
    "ModelString",
    "NextShift",
    "Notice",
    "Observation",
    "OpensData",
    "Place",
    "Placement",
    "Ratio",
    "Reading",
    "ReadsBeside",
    "ReadsTogether",
    "Regime",
    "Releases",
    "Remembers",
    "Reply",
    "Report",
    "Request",
    "Rules",
    "ScaffoldSession",
    "Section",
    "SectionKind",
    "ServiceFailure",
    "Session",
    "SetAside",
    "SolvedBy",
    "State",
    "StoreFactory",
    "Stream",
    "Submission",
    "Suite",
    "SuiteOnData",
    "SumsUp",
    "Surroundings",
    "TakesIntervention",
    "TaskView",
    "Todo",
    "ToldPlace",
    "Tool",
    "ToolError",
    "ToolResult",
    "Value",
    "Verification",
    "Work",
    "World",
    "conditions_of",
    "tool",
]


def test_the_contracts() -> None:
    assert contracts.__all__ == PINNED
    assert dir(contracts) == PINNED
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = contracts.Nothing


@pytest.mark.parametrize("name", PINNED)
def test_each_is_defined_where_the_page_says_and_documented_there(name: str) -> None:
    defined = getattr(contracts, name)
    assert (defined.__doc__ or "").strip()
    assert defined.__module__ == contracts._HOMES[name], "an alias of an alias leads a reader astray"


def test_the_page_says_what_each_is_for() -> None:
    said = [line.split("`")[1] for line in (contracts.__doc__ or "").splitlines() if line.startswith("- `")]
    assert sorted(said) == PINNED


def test_what_a_type_checker_sees_is_what_is_loaded() -> None:
    tree = ast.parse(Path(contracts.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("proctor.")
        for alias in node.names
    }
    assert seen == contracts._HOMES


def test_names_of_the_root_are_the_same_objects() -> None:
    for name in set(proctor.__all__) & set(PINNED):
        assert getattr(proctor, name) is getattr(contracts, name)


def test_every_ability_the_engine_asks_for_is_on_the_page() -> None:
    """Whatever Protocol stands in a contract module of agents, worlds or families is one that a plug-in may meet."""
    source = Path(proctor.__file__).parent
    for path in ("agents/contract.py", "worlds/world.py", "engine/family.py"):
        for node in ast.parse((source / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Protocol" for base in node.bases):
                assert node.name in PINNED, f"{path}: {node.name}"


def test_importing_the_page_loads_nothing_heavy() -> None:
    modules = loaded("import proctor.contracts")
    assert not [name for name in (*HEAVY, "pydantic", "msgspec", "asyncio", "typer", "rich") if name in modules]
