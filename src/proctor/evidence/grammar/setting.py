"""What the declarations say of one episode, as far as its events have to agree with it."""

from __future__ import annotations

from msgspec import Struct

from proctor.spec.condition import Condition
from proctor.spec.regime import Regime


class Setting(Struct, frozen=True):
    """Of one arm and step of its program."""

    reasons: frozenset[str]
    """The family's closed set."""
    leaves_artifacts: bool
    regime: Regime
    condition: Condition
    memory: str | None
    """What is done to the agent's memory before it; None where it is kept."""
    call_tokens: bool
    """Whether a call of a model has a limit of its own."""
    effects: dict[str, str] | None = None
    """By tool as it was shown: read or write; None where the tools cannot be read."""
    declared_actions: frozenset[str] | None = None
    """The tools in the system's declared action schema; None where it declares none."""
    counted: bool = True
    """Whether the bench was one that records all that is asked of evidence now."""
    plain: bool = False
    """Its agent is a program of the bench's own, which asks no model, needs no service and waits for nothing."""
    asks_models: bool = True
    """Whether its agent can have exchanges with models on record."""
    run_limited: bool = True
    """Whether the run has a limit on what models cost."""
    baseline: bool = True
    """Whether its agent was asked to live as a baseline."""
    real_seconds: float = 0.0
    """What an episode has of real time; 0 where that is not known."""
