"""Proctor examines AI agents and writes down what can be proven about them.

    import proctor
    result = proctor.run("hello", agent="clerk", seed=7)
    print(result.root, result.outcomes)

Names are loaded on first use, so that `import proctor` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.agents.contract import Agent, Session
    from proctor.api import compare, run, score
    from proctor.core.errors import InputError, LimitReached, NotEvaluable, ProctorError, ToolError
    from proctor.core.seeds import Stream
    from proctor.engine.family import Draw, Family
    from proctor.evidence.result import RunResult
    from proctor.evidence.store.store import Store
    from proctor.spec.family import FamilySpec
    from proctor.spec.regime import Regime
    from proctor.spec.suite import Suite
    from proctor.spec.system import System
    from proctor.spec.task import Claim, Instance, Submission, TaskView, ToolResult, Verification
    from proctor.worlds.tool import tool
    from proctor.worlds.world import BaseWorld, Place, World

_HOMES = {
    "Agent": "proctor.agents.contract",
    "BaseWorld": "proctor.worlds.world",
    "Claim": "proctor.spec.task",
    "Draw": "proctor.engine.family",
    "Family": "proctor.engine.family",
    "FamilySpec": "proctor.spec.family",
    "InputError": "proctor.core.errors",
    "Instance": "proctor.spec.task",
    "LimitReached": "proctor.core.errors",
    "NotEvaluable": "proctor.core.errors",
    "Place": "proctor.worlds.world",
    "ProctorError": "proctor.core.errors",
    "Regime": "proctor.spec.regime",
    "RunResult": "proctor.evidence.result",
    "Session": "proctor.agents.contract",
    "Store": "proctor.evidence.store.store",
    "Stream": "proctor.core.seeds",
    "Submission": "proctor.spec.task",
    "Suite": "proctor.spec.suite",
    "System": "proctor.spec.system",
    "TaskView": "proctor.spec.task",
    "ToolError": "proctor.core.errors",
    "ToolResult": "proctor.spec.task",
    "Verification": "proctor.spec.task",
    "World": "proctor.worlds.world",
    "compare": "proctor.api",
    "run": "proctor.api",
    "score": "proctor.api",
    "tool": "proctor.worlds.tool",
}

__all__ = [
    "Agent",
    "BaseWorld",
    "Claim",
    "Draw",
    "Family",
    "FamilySpec",
    "InputError",
    "Instance",
    "LimitReached",
    "NotEvaluable",
    "Place",
    "ProctorError",
    "Regime",
    "RunResult",
    "Session",
    "Store",
    "Stream",
    "Submission",
    "Suite",
    "System",
    "TaskView",
    "ToolError",
    "ToolResult",
    "Verification",
    "World",
    "compare",
    "run",
    "score",
    "tool",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'proctor' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
