"""What `from proctor import …` finds inside an agent's process: the agent contract, and nothing else of Proctor."""

from proctor.agents.process.inside.session import Session, State
from proctor.agents.process.inside.values import (
    Budget,
    Claim,
    LimitReached,
    Observation,
    Sampling,
    Submission,
    TaskView,
    ToolResult,
    ToolSpec,
)

__all__ = [
    "Budget",
    "Claim",
    "LimitReached",
    "Observation",
    "Sampling",
    "Session",
    "State",
    "Submission",
    "TaskView",
    "ToolResult",
    "ToolSpec",
]
