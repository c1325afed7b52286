"""How an episode came to its end: a cap, a crash, a submission, a verification."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class LimitHit(Struct, frozen=True, tag_field="event", tag="limit"):
    """A declared cap was reached and the agent was told."""

    limit: str


class AgentFailed(Struct, frozen=True, tag_field="event", tag="agent_failed"):
    """The agent raised, died, or broke the protocol: a failure of the agent, never of the bench."""

    reason: str
    message: str


class BenchFailed(Struct, frozen=True, tag_field="event", tag="bench_failed", omit_defaults=True):
    """World, verifier, machine or a service broke: infrastructure, excluded from rates and counted."""

    where: str
    """`world`, `verifier`, `transport`, …; `service` for a model, a server or a start that did not come."""
    message: str
    final: bool = False
    """Going on was pointless: the run ended with this episode."""
    trouble: str = ""
    """Where the machine is to blame: the number with which the host refused the bench's own call, by name."""


class Submitted(Struct, frozen=True, tag_field="event", tag="submission", omit_defaults=True):
    """What the agent handed in."""

    answer: Any
    confidence: str | None = None
    """A decimal string: chained events hold no floats."""
    claims: tuple[Any, ...] = ()
    violation: str | None = None
    """`confidence_range`: a confidence was stated outside 0 to 1, and is left out."""


class Verified(Struct, frozen=True, tag_field="event", tag="verification", omit_defaults=True):
    """What the verifier found on the real state."""

    success: bool
    reason: str
    format_error: bool = False
    artifacts: tuple[tuple[str, str], ...] = ()
    measures: dict[str, int | str] = field(default_factory=dict)
