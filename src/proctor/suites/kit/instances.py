"""Putting an instance together: the values of its knobs, its material, and what stays hidden beside it."""

from __future__ import annotations

from typing import Any, Protocol

from proctor.engine.family import Draw
from proctor.spec.family import FamilySpec
from proctor.spec.task import Budget, Instance


class Material(Protocol):
    """What is read in a task: `sheet.ShownSheet` or `pieces.Pieces`."""

    @property
    def observation(self) -> dict[str, Any]:
        """What the agent sees first."""

    @property
    def hidden(self) -> dict[str, Any]:
        """What the world and the ceiling need to know about the material."""


def make_instance(
    material: Material,
    *,
    template: str,
    goal: str,
    answer_format: str,
    hidden: dict[str, Any],
    knobs: dict[str, Any],
    budget: Budget,
    strict_actions: int,
) -> Instance:
    """The instance that shows this material; what its world and ceiling need of it comes last in `hidden`."""
    return Instance(
        template=template,
        goal=goal,
        answer_format=answer_format,
        observation=material.observation,
        hidden={**hidden, **material.hidden},
        knobs=knobs,
        budget=budget,
        strict_actions=strict_actions,
    )


def knob_values(spec: FamilySpec, draw: Draw) -> dict[str, Any]:
    """The values of all knobs in this draw; the default where it says nothing."""
    return {name: draw.knobs.get(name, knob.default) for name, knob in spec.knobs.items()}
