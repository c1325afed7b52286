"""The public surface, pinned: a change here is a decision."""

from __future__ import annotations

import proctor

PUBLIC = [
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


def test_the_public_names() -> None:
    assert proctor.__all__ == PUBLIC
    assert dir(proctor) == sorted(PUBLIC)


def test_every_public_name_is_there_and_documented() -> None:
    for name in PUBLIC:
        assert (getattr(proctor, name).__doc__ or "").strip(), name
