"""From the options of a command and the project in the folder to what freezes a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from proctor.spec.frozen import FrozenRun, Look
    from proctor.spec.project import Project
    from proctor.spec.suite import Suite
    from proctor.spec.system import BoundaryKind, System

Freeze = Callable[["Suite | None", "Look | None"], "FrozenRun"]
"""Freezes the suite that was named, or another one derived from it, under the same arguments."""


class Asked(Struct, frozen=True):
    """What the command line says of a run; None and empty where it says nothing."""

    suite: str | None = None
    agent: str | None = None
    seed: str | None = None
    scale: int = 1
    only: tuple[str, ...] = ()
    scope: str | None = None
    timestamp: str | None = None
    boundary: str | None = None
    preregistration: str | None = None
    """Digest of the preregistration it is started against."""


def freezer(folder: Path, asked: Asked) -> Freeze:
    """What freezes the run that was asked for; what cannot be meant is refused now."""
    from proctor.core.errors import InputError
    from proctor.engine.names import load_suite
    from proctor.engine.run import freeze, parse_seed
    from proctor.pipeline.scenarios import governed_sample
    from proctor.spec.project import read_project
    from proctor.spec.scope import read_scope

    project = read_project(folder)
    if asked.suite is None and project is None:
        message = "name the suite to run, e.g. `proctor run hello --agent clerk`; `proctor suites` lists them"
        raise InputError(message)
    within_scope = None if asked.scope is None else read_scope(asked.scope, folder)
    named = governed_sample(load_suite(asked.suite or (project.suite if project else ""), folder), folder)
    within = _boundary(asked.boundary, named, project)
    agent, system = system_asked_for(project, within, asked.agent)

    def frozen(derived: Suite | None, look: Look | None) -> FrozenRun:
        return freeze(
            suite=derived or named,
            agent=agent,
            folder=folder,
            seed=parse_seed(asked.seed if asked.seed is not None else str(project.seed if project else 0)),
            timestamp=asked.timestamp,
            scale=asked.scale,
            only=asked.only,
            system=system,
            limits=project.limits if project else None,
            look=look,
            scope=within_scope,
            evaluation=project.evaluation if project else None,
            preregistration=asked.preregistration,
        )

    return frozen


def system_asked_for(project: Project | None, within: BoundaryKind, named: str | None) -> tuple[str, System | None]:
    """The agent to examine, and what is declared of its system.

    The agent on the command line is the project's system where the project names that very agent; any other is a
    system of its own, with what the project says of the machine.
    """
    from proctor.agents.kind import AgentString
    from proctor.agents.lookup import kind_of
    from proctor.engine.declaring import system_for
    from proctor.spec.project import require_agent, system_within
    from proctor.spec.system import BoundaryKind

    if not named:
        agent = require_agent(project, within.value)
        return agent, None if project is None else system_within(project, within)
    if project is None:
        return named, None
    for boundary in (within, *BoundaryKind):
        if named == getattr(project.system.agents, boundary.value):
            return named, system_within(project, boundary)
    return named, system_for(project.system, named, kind_of(AgentString.parse(named)))


def _boundary(given: str | None, suite: Suite, project: Project | None) -> BoundaryKind:
    """The boundary that is meant: the one on the command line, the suite's, the only one with an agent, or core."""
    from proctor.core.errors import InputError
    from proctor.spec.system import BoundaryKind

    if given is None:
        agents = None if project is None else project.system.agents
        only_extended = agents is not None and agents.core is None and agents.extended is not None
        return suite.boundary or (BoundaryKind.EXTENDED if only_extended else BoundaryKind.CORE)
    if given not in tuple(BoundaryKind):
        message = f"--boundary {given}: choose core or extended"
        raise InputError(message)
    return BoundaryKind(given)
