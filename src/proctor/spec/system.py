"""The system under evaluation and its boundary (white paper §6).

`None` means "not declared", which restricts what may be claimed; an empty list or `none` is a declaration. Scoring
reads the difference, so nothing here is filled in by guessing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field, field_validator

from proctor.spec.declaration import Declaration


class BoundaryKind(StrEnum):
    """Core: policy, weights and internal state only. Extended: with declared scaffolding, tools, memory, people."""

    CORE = "core"
    EXTENDED = "extended"


class MemoryPersistence(StrEnum):
    """How far what the system remembers reaches."""

    NONE = "none"
    EPISODE = "episode"
    LIFETIME = "lifetime"
    PERSISTENT = "persistent"


class Memory(Declaration):
    """What the system keeps, and where, so that the bench can copy and clear it."""

    persistence: MemoryPersistence
    folder: str | None = None
    """A folder, relative to the agent's working directory, that holds all memory; copied and cleared between phases."""


class HumanPolicy(Declaration):
    """Who may help, and when. `allowed: false` is a declaration that nobody does."""

    allowed: bool
    description: str = ""


class SelfModification(Declaration):
    """What the system may change about itself, and what it may not."""

    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


class Network(StrEnum):
    """Whether the agent's process may reach a network."""

    NONE = "none"
    FULL = "full"


class Boundary(Declaration):
    """What belongs to the evaluated system."""

    kind: BoundaryKind = BoundaryKind.CORE
    includes: tuple[str, ...] = ()
    """The declared inclusion list: scaffolding, services, people."""
    tools: tuple[str, ...] | None = None
    """The system's own tools (not those of the task's action schema). None: not declared."""
    memory: Memory | None = None
    self_modification: SelfModification | None = None
    human_policy: HumanPolicy | None = None


class Agents(Declaration):
    """Agent strings for the two boundaries; either may be missing."""

    core: str | None = None
    extended: str | None = None


class System(Declaration):
    """What is evaluated: name, version, configuration, boundary, interfaces, and what its process may reach."""

    name: str = Field(min_length=1)
    version: str = "unversioned"
    configuration: dict[str, Any] = Field(default_factory=dict)
    """Whatever determines its behaviour (model id, prompts' hashes, sampling); its hash identifies the system."""
    boundary: Boundary = Boundary()
    agents: Agents = Agents()
    observation_schema: dict[str, Any] | None = None
    action_schema: dict[str, Any] | None = None
    state_schemas: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """JSON Schemas of the named state fields the agent declares (`reason`, `memory`, `plan`, `x-…`)."""
    baselines: tuple[str, ...] = ()
    network: Network = Network.NONE
    env: tuple[str, ...] = ()
    """Names of the environment variables its process may see; their values are never recorded."""
    price_per_million_tokens: str | None = Field(default=None, pattern=r"^[0-9]+(\.[0-9]+)?$")
    """A decimal amount; needed before a cost limit can be enforced."""

    @field_validator("env")
    @classmethod
    def _env_are_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if "=" in name or not name:
                message = f"env lists names of variables, never values: '{name.split('=')[0]}' is enough"
                raise ValueError(message)
        return names
