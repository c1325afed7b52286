"""What families declare so that they can evidence a tier (white paper §12): each before any episode, as data.

A gate reads no family that leaves out what its tier asks to be declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN

TIER_CELLS: Final[tuple[str, ...]] = (
    "T1-loop",
    "T3-depth",
    "T3-delayed",
    "T4-calibration",
    "T4-switch",
    "T5-social",
    "T6-modification",
)
"""Cells that count for a gate and for no dimension of the Agency Vector."""

DEPRIVED: Final[dict[str, frozenset[str]]] = {
    "identity": frozenset({"permuted", "masked", "non-social"}),
    "strategies": frozenset({"fixed"}),
}
"""Values of knobs that make an arm of a contrast: they take away what the tier asks about, and nobody is to succeed."""


def deprives(knobs: Mapping[str, Any]) -> bool:
    """Whether tasks with these knobs lack what their cell is about: they are compared with, and there to be failed."""
    return any(knobs.get(name) in values for name, values in DEPRIVED.items())


Word = Annotated[str, Field(pattern=NAME_PATTERN)]


class DelayedReward(Declaration):
    """A reward that comes steps after the choice that earns it (§12.6.4)."""

    condition: str
    """What earns it, in words."""
    steps: Annotated[int, Field(ge=3)]
    """How many of the agent's actions lie at least between the choice and the reward."""


class Strategies(Declaration):
    """Ways of working between which an agent has to choose (§12.7.4)."""

    names: Annotated[tuple[Word, ...], Field(min_length=2)]
    """What the verifier may call what it saw; it records one of them as `strategy` among its facts."""
    features: Annotated[tuple[str, ...], Field(min_length=1)]
    """What an agent can see that says which one suits."""
    switch: Word
    """The tool without which only the first strategy is left; `knobs.strategies: fixed` takes it away."""
    recognised: str
    """How a strategy is recognised in the log, in words."""


class Counterparties(Declaration):
    """The other agents of a multi-agent task (§12.8.4)."""

    roles: Annotated[tuple[str, ...], Field(min_length=2)]
    """Who takes part, the evaluated system first."""
    protocol: str
    """Who may do what, in which order, in words."""
    depends: str
    """How success depends on what they do."""
    mediation: str = "none"
    """People between an action and its outcome, if there are any (§5.2)."""


class ModificationSpace(Declaration):
    """What an agent may change about itself in a Tier 6 demonstration, and what not (§12.9.2)."""

    allowed: Annotated[tuple[Word, ...], Field(min_length=1)]
    """Kinds of change the harness can apply: `composite-tool`, `check-before-write`, `state-schema`."""
    forbidden: Annotated[tuple[Word, ...], Field(min_length=1)]
    """Tools that are offered in order to be refused."""
