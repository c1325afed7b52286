"""`proctor.yaml`: one file in a project that says what is examined, with what, and where the evidence goes."""

from __future__ import annotations

from pathlib import Path

from proctor.core.errors import InputError
from proctor.spec.declaration import Declaration
from proctor.spec.documents import read_document
from proctor.spec.rules import Limits
from proctor.spec.system import BoundaryKind, Memory, MemoryPersistence, System

PROJECT_FILE = "proctor.yaml"


class Project(Declaration):
    """The defaults of every command run in a folder."""

    system: System
    suite: str = "hello"
    seed: int | str = 0
    limits: Limits = Limits()
    store: str = ".proctor/store.db"


def read_project(folder: Path) -> Project | None:
    """The project declared in a folder; None when there is none."""
    path = folder / PROJECT_FILE
    if not path.exists():
        return None
    return Project.parse(read_document(path), source=PROJECT_FILE)


def system_within(project: Project, boundary: BoundaryKind) -> System:
    """The project's system as it is within a boundary: Core has no tools, memory or scaffolding of its own (§6.1)."""
    declared = project.system.boundary
    if boundary is declared.kind:
        return project.system
    if boundary is BoundaryKind.EXTENDED:
        within = declared.model_copy(update={"kind": boundary})
    else:
        none = Memory(persistence=MemoryPersistence.NONE)
        within = declared.model_copy(update={"kind": boundary, "includes": (), "tools": (), "memory": none})
    return project.system.model_copy(update={"boundary": within})


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
