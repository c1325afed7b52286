"""`proctor.yaml`: one file in a project that says what is examined, with what, and where the evidence goes."""

from __future__ import annotations

from pathlib import Path

from pydantic import model_validator

from proctor.core.errors import InputError
from proctor.spec.declaration import Declaration
from proctor.spec.documents import read_document
from proctor.spec.evaluation import Evaluation
from proctor.spec.rules import Limits
from proctor.spec.system import Boundaries, Boundary, BoundaryKind, System

PROJECT_FILE = "proctor.yaml"


class Project(Declaration):
    """The defaults of every command run in a folder."""

    system: System
    suite: str = "hello"
    seed: int | str = 0
    limits: Limits = Limits()
    store: str = ".proctor/store.db"
    evaluation: Evaluation | None = None
    """Who evaluates, for whom and for what."""

    @model_validator(mode="after")
    def _boundaries_are_declared_once(self) -> Project:
        if self.system.boundary != Boundary() and self.system.boundaries != Boundaries():
            message = "system.boundary and system.boundaries are both given; keep boundaries and move the rest into it"
            raise ValueError(message)
        if self.system.boundaries.extended == "none" and self.system.agents.extended is not None:
            message = "boundaries.extended is none, and system.agents.extended names an agent; keep one of them"
            raise ValueError(message)
        return self


def read_project(folder: Path) -> Project | None:
    """The project declared in a folder; None when there is none."""
    path = folder / PROJECT_FILE
    if not path.exists():
        return None
    return Project.parse(read_document(path), source=PROJECT_FILE)


def system_within(project: Project, boundary: BoundaryKind) -> System:
    """The project's system as it is declared within a boundary; undeclared where the project says nothing of it."""
    if project.system.boundaries.of(boundary) == "none":
        message = f"proctor.yaml declares that there is no {boundary.value} system (system.boundaries: none)"
        raise InputError(message)
    return project.system.within(boundary)


def require_agent(project: Project | None, boundary: str) -> str:
    """The agent string of a boundary; a clear sentence when there is none."""
    if project is None:
        message = "name the agent to examine, e.g. --agent clerk, or run `proctor init` first"
        raise InputError(message)
    agents = project.system.agents
    agent = agents.core if boundary == "core" else agents.extended
    if agent is None:
        message = f"proctor.yaml names no {boundary} agent; add system.agents.{boundary} or pass --agent"
        raise InputError(message)
    return agent
