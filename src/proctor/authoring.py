"""Everything a family of one's own needs, in one place.

    from proctor.authoring import BaseWorld, Draw, FamilySpec, Instance, Submission, Verification, tool

`proctor new family NAME` writes a working start, `proctor check NAME.py` puts it through its proofs.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Learns, Session
from proctor.core.errors import LimitReached, ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind, Interaction
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.suite import Entry, Suite
from proctor.spec.task import Budget, Claim, Instance, Submission, TaskView, ToolResult, Verification
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.answers import FormatError, read, schema_of
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place, World

insist = call_with_retry
"""The former name of `call_with_retry`."""

__all__ = [
    "Agent",
    "BaseWorld",
    "Budget",
    "Claim",
    "Deliveries",
    "Draw",
    "Entry",
    "EnvironmentClass",
    "EnvironmentKind",
    "Family",
    "FamilySpec",
    "FormatError",
    "Instance",
    "Interaction",
    "Knob",
    "Learns",
    "LimitReached",
    "OutOfCalls",
    "Place",
    "Policy",
    "Session",
    "SolvedBy",
    "Stream",
    "Submission",
    "Suite",
    "TaskView",
    "ToolError",
    "ToolResult",
    "Verification",
    "World",
    "call_with_retry",
    "insist",
    "read",
    "schema_of",
    "tool",
]
