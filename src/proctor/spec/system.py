"""The system under evaluation and its boundary (white paper §6).

`None` means "not declared", which restricts what may be claimed; an empty list or `none` is a declaration. Scoring
reads the difference, so nothing here is filled in by guessing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.own_models import OwnModel
from proctor.spec.plain_names import require_plain_name

NOT_DECLARED = "not declared"
Baseline = Literal["model-free"]
"""Baselines that somebody has to live in place of the system. `model-free`: the last observation only, no scratchpad
(white paper §12.3.2)."""
IMPOSED = frozenset({"fixed-strategy", "non-social"})
"""Baselines that a world imposes on whoever meets it, by `knobs.strategies: fixed` and `knobs.identity: non-social`."""
_AMOUNT = r"^[0-9]+(\.[0-9]+)?$"


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
    """What the system keeps, and where, so that the bench can copy and clear it.

    As one word: `none`, or `internal` for state inside the policy that lasts a lifetime.
    """

    bare_words: ClassVar[tuple[str, ...]] = ("none", "internal")

    persistence: MemoryPersistence
    folder: str | None = None
    """A folder, relative to the agent's working directory, that holds all memory; copied and cleared between phases."""
    location: Literal["internal", "external"] | None = None
    """Inside the policy (its weights, its running state) or in a store beside it. Left out: external where there is a
    folder or where it outlives the agent (`persistent`), else internal."""

    @model_validator(mode="before")
    @classmethod
    def _bare_word(cls, data: Any) -> Any:
        if data == "none":
            return {"persistence": MemoryPersistence.NONE}
        if data == "internal":
            return {"persistence": MemoryPersistence.LIFETIME, "location": "internal"}
        return data

    @model_validator(mode="after")
    def _a_folder_is_outside(self) -> Memory:
        if self.location == "internal" and self.folder is not None:
            message = "a memory with a folder is not inside the policy; leave out `location`, or the folder"
            raise ValueError(message)
        return self

    @model_serializer(mode="wrap")
    def _as_written(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_later_defaults(plain(self), {"location": None})

    @property
    def internal(self) -> bool:
        """Whether it is state inside the policy, which the Core boundary may have."""
        if self.location is not None:
            return self.location == "internal"
        return self.folder is None and self.persistence is not MemoryPersistence.PERSISTENT


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

    kind: BoundaryKind | None = None
    """None: not declared. Nothing measured within it can be reported."""
    includes: tuple[str, ...] = ()
    """The declared inclusion list: scaffolding, services, people."""
    tools: tuple[str, ...] | None = None
    """The system's own tools (not those of the task's action schema). None: not declared."""
    actions: Literal["none"] | None = None
    """`none`: it cannot call the tools of a task, and is examined all the same, by what it answers without them. None:
    it acts through them, as tasks ask."""
    memory: Memory | None = None
    self_modification: SelfModification | None = None
    human_policy: HumanPolicy | None = None

    @model_serializer(mode="wrap")
    def _as_written(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_later_defaults(plain(self), {"actions": None})

    @property
    def words(self) -> str:
        """`Core`, `Extended` or `not declared`."""
        return NOT_DECLARED if self.kind is None else self.kind.value.capitalize()

    def beyond_core(self) -> list[str]:
        """What it holds that no Core boundary may hold (§6.1): scaffolding, own tools, external memory, people."""
        found = [f"scaffolding or services ({', '.join(self.includes)})"] if self.includes else []
        found += [f"tools of its own ({', '.join(self.tools)})"] if self.tools else []
        if self.memory is not None and not self.memory.internal:
            found.append("a memory outside the policy")
        if self.human_policy is not None and self.human_policy.allowed:
            found.append("people who may help")
        return found


def require_core(boundary: Boundary) -> None:
    """Refuse a Core boundary with more in it than the policy and its own state. Raises `ValueError`."""
    beyond = boundary.beyond_core() if boundary.kind is BoundaryKind.CORE else []
    if beyond:
        message = (
            f"a core boundary cannot have {' and '.join(beyond)}; declare that in boundaries.extended "
            "(state inside the policy is `memory: internal`)"
        )
        raise ValueError(message)


class Boundaries(Declaration):
    """Both boundaries, declared apart: the policy alone, and the system with everything around it (§6.1)."""

    core: Boundary | None = None
    """The policy with its weights and internal state: no tools of its own, no external memory, nobody who helps."""
    extended: Boundary | Literal["none"] | None = None
    """With scaffolding, tools, memory and people. `none`: there is nothing around the policy. None: not declared."""

    @field_validator("core")
    @classmethod
    def _is_core(cls, boundary: Boundary | None) -> Boundary | None:
        return None if boundary is None else _of_kind(boundary, BoundaryKind.CORE)

    @field_validator("extended", mode="before")
    @classmethod
    def _is_a_boundary(cls, data: Any) -> Any:
        if isinstance(data, str) and data != "none":
            message = f"'{data}' is no boundary; write what it has, or `none` where nothing is around the policy"
            raise ValueError(message)
        return data

    @field_validator("extended")
    @classmethod
    def _is_extended(cls, boundary: Boundary | Literal["none"] | None) -> Boundary | Literal["none"] | None:
        return _of_kind(boundary, BoundaryKind.EXTENDED) if isinstance(boundary, Boundary) else boundary

    def of(self, kind: BoundaryKind) -> Boundary | Literal["none"] | None:
        """What is declared of one of them."""
        return self.core if kind is BoundaryKind.CORE else self.extended


def _of_kind(boundary: Boundary, kind: BoundaryKind) -> Boundary:
    if boundary.kind not in (None, kind):
        message = f"it stands under boundaries.{kind.value} and says kind: {boundary.kind}; leave out `kind`"
        raise ValueError(message)
    named = boundary.model_copy(update={"kind": kind})
    require_core(named)
    return named


class Agents(Declaration):
    """Agent strings for the two boundaries; either may be missing."""

    core: str | None = None
    extended: str | None = None


class ModelPrice(Declaration):
    """What a million tokens of one model cost: decimal amounts, as text."""

    input: str = Field(pattern=_AMOUNT)
    output: str = Field(pattern=_AMOUNT)
    cached: str | None = Field(default=None, pattern=_AMOUNT)
    """Of the input that the provider takes from its own cache. Left out: as any other input."""
    currency: str = Field(default="USD", min_length=1, max_length=16)


class System(Declaration):
    """What is evaluated: name, version, configuration, boundary, interfaces, and what its process may reach."""

    name: str = Field(min_length=1)
    version: str = "unversioned"
    configuration: dict[str, Any] = Field(default_factory=dict)
    """Whatever determines its behaviour (model id, prompts' hashes, sampling); its hash identifies the system."""
    architecture: str | None = None
    """What class of system it is, e.g. `transformer with tools`, `rule-based`. None: not declared."""
    boundary: Boundary = Boundary()
    """The boundary in force. In a project file `boundaries` replaces it; one that stands there counts for its own kind
    alone, or, where it states none, for every run, which then has an undeclared boundary."""
    boundaries: Boundaries = Boundaries()
    """Core and extended, each by itself."""
    learning: Literal["within-episode", "memory", "parameter"] | None = None
    """How it learns, if it does: in its context, in a memory, or in its weights (§4.6). None: not declared."""
    agents: Agents = Agents()
    observation_schema: dict[str, Any] | None = None
    action_schema: dict[str, Any] | None = None
    observation_schema_version: str | None = None
    """The version of the declared observation schema. Those of families carry the version of their family."""
    action_schema_version: str | None = None
    state_schemas: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """JSON Schemas of the named state fields the agent declares (`reason`, `memory`, `plan`, `x-…`)."""
    baselines: dict[Baseline, str] = Field(default_factory=dict)
    """Agents that stand in for it where a tier compares it with a system that lacks one ability (§12.3.2). Needed where
    the bench cannot take that ability away from the system itself."""
    network: Network = Network.NONE
    env: tuple[str, ...] = ()
    """Names of the environment variables its process may see; their values are never recorded."""
    models: tuple[OwnModel, ...] = ()
    """Models that its own client may ask through the bench, which keeps the keys. None: it asks none this way."""
    price_per_million_tokens: str | None = Field(default=None, pattern=_AMOUNT)
    """A decimal amount; needed before a cost limit can be enforced."""
    prices: dict[str, ModelPrice] = Field(default_factory=dict)
    """Per model, named with its kind or without (`openai:gpt-4o-mini`, `gpt-4o-mini`); they go before any other."""

    @field_validator("baselines", mode="before")
    @classmethod
    def _baselines_by_name(cls, given: Any) -> Any:
        if isinstance(given, (list, tuple)) and not given:
            return {}
        if isinstance(given, dict) and (imposed := IMPOSED & given.keys()):
            message = f"{' and '.join(sorted(imposed))}: the tasks themselves impose it on any agent; leave it out"
            raise ValueError(message)
        return given

    @field_validator("name", "version", "architecture")
    @classmethod
    def _claims_nothing(cls, text: str | None) -> str | None:
        return None if text is None else require_plain_name(text)

    @model_serializer(mode="wrap")
    def _as_written(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = plain(self)
        if data.get("baselines") == {}:
            # They were a list once: systems that declare none keep their hashes.
            data["baselines"] = []
        return _without_later_defaults(
            data,
            {
                "architecture": None,
                "boundaries": Boundaries().model_dump(mode="json"),
                "learning": None,
                "observation_schema_version": None,
                "action_schema_version": None,
                "models": [],
                "prices": {},
            },
        )

    def within(self, kind: BoundaryKind) -> System:
        """The same system with the boundary of this kind in force: as it is declared, or undeclared."""
        declared = self.boundaries.of(kind)
        if not isinstance(declared, Boundary):
            declared = self.boundary if self.boundary.kind in (kind, None) else Boundary()
        return self.model_copy(update={"boundary": declared})

    @field_validator("models")
    @classmethod
    def _models_are_told_apart(cls, models: tuple[OwnModel, ...]) -> tuple[OwnModel, ...]:
        labels = [model.label for model in models]
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            message = f"models lists {twice} twice; the agent could not tell them apart"
            raise ValueError(message)
        return models

    @field_validator("env")
    @classmethod
    def _env_are_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if "=" in name or not name:
                message = f"env lists names of variables, never values: '{name.split('=')[0]}' is enough"
                raise ValueError(message)
        return names


def _without_later_defaults(data: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    # Fields that came later are left out at their defaults: systems that do not use them keep their hashes.
    return {name: value for name, value in data.items() if name not in defaults or value != defaults[name]}
