"""Conditions: intervention arms. A condition says how the agent's named state fields are read.

An agent keeps its reasons, memory, self-state and vetoes in `session.state`; every read passes through the condition,
so an agent that owns its loop can still be lesioned.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN


class Read(Declaration):
    """What a read of one field gives."""

    do: Literal["keep", "remove", "declare_unusable", "scramble", "replace"] = "keep"
    value: Any = None
    """With `replace`: what is read instead."""
    donor: Literal["instance"] | None = None
    """With `scramble`: whose value is read instead; `instance` is another instance of the same family."""

    @model_validator(mode="before")
    @classmethod
    def _bare_word(cls, data: Any) -> Any:
        said = {"do": data} if isinstance(data, str) else data
        if isinstance(said, dict) and said.get("do") == "scramble" and said.get("donor") is None:
            return {**said, "donor": "instance"}
        return said


class Sampling(Declaration):
    """How a model is sampled, where the agent lets the bench set it."""

    temperature: Annotated[float, Field(ge=0.0)] | None = None
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] | None = None


STATE_FIELDS = ("reason", "memory", "self", "veto", "plan", "constraints")
"""The named state every agent may declare; fields of one's own start with `x-`."""


class Condition(Declaration):
    """One arm. The arm without intervention is called `none`."""

    id: str = Field(pattern=NAME_PATTERN)
    reads: dict[str, Read] = Field(default_factory=dict)
    sampling: Sampling = Sampling()
    after: str | None = None
    """The stage whose frozen outputs this condition reads."""

    @model_validator(mode="after")
    def _fields_are_known(self) -> Condition:
        # A misspelt field would leave the state untouched, and the contrast would look like a measured zero.
        for name in self.reads:
            if name not in STATE_FIELDS and not name.startswith("x-"):
                message = f"'{name}' is not a state field; there are {', '.join(STATE_FIELDS)}, and your own as x-…"
                raise ValueError(message)
        return self


NO_INTERVENTION = Condition(id="none")
