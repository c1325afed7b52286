"""Environment classes (white paper §7.1): the kind of uncertainty a task family confronts the system with."""

from __future__ import annotations

from enum import StrEnum

from pydantic import model_validator

from proctor.spec.declaration import Declaration


class EnvironmentKind(StrEnum):
    """The five classes."""

    STATIC = "static"
    TOOL_AUGMENTED = "tool-augmented"
    STOCHASTIC = "stochastic"
    MULTI_AGENT = "multi-agent"
    ADVERSARIAL = "adversarial"


class Interaction(StrEnum):
    """How the other agents of a multi-agent environment relate to the system."""

    COOPERATIVE = "cooperative"
    COMPETITIVE = "competitive"
    MIXED = "mixed"


class EnvironmentClass(Declaration):
    """One class; multi-agent environments also say how the agents relate."""

    kind: EnvironmentKind
    interaction: Interaction | None = None

    @model_validator(mode="after")
    def _interaction_belongs_to_multi_agent(self) -> EnvironmentClass:
        if (self.kind is EnvironmentKind.MULTI_AGENT) != (self.interaction is not None):
            message = (
                "interaction (cooperative, competitive or mixed) is required for multi-agent and for no other class"
            )
            raise ValueError(message)
        return self
