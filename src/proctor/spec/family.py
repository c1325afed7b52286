"""The declaration of a task family: what it evidences, how success is decided, how hard it can be made."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from proctor.core.texts import is_line
from proctor.spec.declaration import Declaration
from proctor.spec.environment import EnvironmentClass
from proctor.spec.name import NAME_PATTERN, VERSION_PATTERN
from proctor.spec.tier_protocols import Counterparties, DelayedReward, ModificationSpace, Strategies


class Knob(Declaration):
    """A declared difficulty: `values` go from easy to hard, and difficulty really rises with them."""

    default: int | str
    values: tuple[int | str, ...]
    description: str


_LATER = ("examined", "training", "data", "reward", "strategies", "counterparties", "modification")
"""Fields that came later: left out at their defaults."""


class FamilySpec(Declaration):
    """What a family is, before any instance exists."""

    id: str = Field(pattern=NAME_PATTERN)
    version: str = Field(default="1.0", pattern=VERSION_PATTERN)
    title: str
    description: str
    """For people choosing families; agents never see it."""
    environment: EnvironmentClass
    evidences: tuple[str, ...] = ()
    """What success speaks for, e.g. `S1`."""
    criterion: str
    """The success rule, in words, fixed before any episode."""
    verification: str
    """How the rule is checked on the real state."""
    reasons: tuple[str, ...]
    """The closed set of codes a verification may give; `correct` for success."""
    templates: tuple[str, ...] = Field(min_length=1)
    controls: tuple[str, ...] = ()
    """Templates in which the right thing is not to do it; detection needs them, and raters find nothing to rate."""
    knobs: dict[str, Knob] = Field(default_factory=dict)
    observation_schema: dict[str, Any]
    """JSON Schema of the first observation."""
    answer_schema: dict[str, Any]
    """JSON Schema of the answer in the stated format."""
    requires: tuple[Literal["bubblewrap", "git"], ...] = ()
    """What must be on the machine; where it is missing the cell is not evaluable."""
    artifacts: bool = False
    """Success leaves something on disk that the verifier inspected; a success without it counts as a failure."""
    ceiling: float = Field(default=0.90, ge=0.0, le=1.0)
    """The success an optimal policy reaches at least, under every regime it is used with."""
    oracle_floor: float = Field(default=0.95, ge=0.0, le=1.0)
    """The success the oracle reaches at least."""
    examined: str = "test"
    """The phase in which success counts, and whose instances conformance draws: `posttest`, `later`, `late`."""
    training: int = Field(default=0, ge=0)
    """Episodes of phase `train` that an agent lives, in the same lifetime, before an examined one."""

    reward: DelayedReward | None = None
    """Declared by families of cell `T3-delayed`."""
    strategies: Strategies | None = None
    """Declared by families of cell `T4-switch`."""
    counterparties: Counterparties | None = None
    """Declared by families of cell `T5-social`."""
    modification: ModificationSpace | None = None
    """Declared by families of cell `T6-modification`."""

    data: str = ""
    """SHA-256 of the file its instances come from, for families opened on a file; empty where they are generated."""

    @field_validator("reasons", "templates")
    @classmethod
    def _on_one_line(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        # They become codes of episodes, which no store gives out otherwise.
        if not all(map(is_line, names)):
            message = "a name has a line end or another control character in it; write it on one line"
            raise ValueError(message)
        return names

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Fields that came later are left out at their defaults: families that do not use them keep their hashes.
        data: dict[str, Any] = plain(self)
        for name in _LATER:
            if name in data and data[name] == type(self).model_fields[name].default:
                del data[name]
        return data

    @property
    def full_name(self) -> str:
        """`id@version`."""
        return f"{self.id}@{self.version}"
