"""Conditions: intervention arms. A condition says how the agent's named state fields are read.

An agent keeps its reasons, memory, self-state and vetoes in `session.state`; every read passes through the condition,
so an agent that owns its loop can still be lesioned. A world that shows state in its first observation shows it
through the same reads, so that an agent without named state meets the same intervention.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN


class Read(Declaration):
    """What a read of one field gives."""

    do: Literal["keep", "remove", "declare_unusable", "scramble", "replace", "swap"] = "keep"
    value: Any = None
    """With `replace`: what is read instead."""
    donor: Literal["instance", "unlike", "event"] | None = None
    """With `scramble`: whose value is read instead; `instance` is another instance of the same family, `unlike` one
    whose right answer differs, `event` a row of another event, of which every row is read somewhere: where a text turns
    up then tells nobody what it calls for."""
    field: str | None = None
    """With `swap`: the field whose value is read instead; `rest`: of the fields there are, in order of their names, the
    next one, so that whatever is kept changes places."""

    @model_validator(mode="before")
    @classmethod
    def _bare_word(cls, data: Any) -> Any:
        said = {"do": data} if isinstance(data, str) else data
        if isinstance(said, dict) and said.get("do") == "scramble" and said.get("donor") is None:
            return {**said, "donor": "instance"}
        return said

    @model_validator(mode="after")
    def _swap_names_a_field(self) -> Read:
        if (self.do == "swap") != (self.field is not None):
            message = "`swap` needs `field`, the field to read instead; `field` is allowed only with `swap`"
            raise ValueError(message)
        return self

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_defaults(self, plain(self), ("field",))


class Sampling(Declaration):
    """How a model is sampled, where the agent lets the bench set it."""

    temperature: Annotated[float, Field(ge=0.0)] | None = None
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] | None = None
    samples: Annotated[int, Field(ge=1, le=1_000)] = 1
    """Independent replies per decision, of which the most frequent action counts: self-consistency."""
    tokens: Annotated[int, Field(ge=1)] | None = None
    """Completion tokens per reply."""
    exact: bool = False
    """Prompts are padded to equal length per event and replies run to exactly `tokens`, end of text ignored."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_defaults(self, plain(self), ("samples", "tokens", "exact"))


class Scaffold(Declaration):
    """How a scaffold over a chat model is set. Agents that are no such scaffold cannot be put under it.

    The five modules are those of the binding paper's agent family; `fields` says how what the scaffold reports came
    about, which is the provenance that coupling scores weigh.
    """

    branch: bool = True
    self_state: bool = True
    memory: bool = True
    reason: bool = True
    veto: bool = True
    style: Literal["plain", "react", "planner", "reflection"] = "plain"
    fields: Literal["coupled", "compressed", "random", "posthoc", "scrambled", "scratchpad"] = "coupled"
    keys: Literal["trace", "matched", "compact", "words"] | None = None
    """What a reply reports: the ten keys of the agent family, the common schema of the matched interface (which every
    `fields` but `coupled` implies), the action and one sentence, or the action and what the four fields say in words of
    one's own. None: as the agent was made."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_defaults(self, plain(self), ("keys",))


STATE_FIELDS = ("reason", "memory", "self", "veto", "plan", "constraints")
"""The named state every agent may declare; fields of one's own start with `x-`."""

DECISIVE, REST = "decisive", "rest"
"""Stand-ins in `reads`: the fields that decide this instance (only its maker knows which), and all not named."""

PRIOR_FIELD = "x-prior"
"""The field in which a condition with `prior` shows how often each action was taken before."""


def is_field(name: str) -> bool:
    """Whether named state may have a field of this name."""
    return name in STATE_FIELDS or name.startswith("x-")


def unknown_field_message(name: str, known: tuple[str, ...] = STATE_FIELDS) -> str:
    """What to say of a name that no field has."""
    return f"'{name}' is not a state field; there are {', '.join(known)}, and your own as x-…"


class Condition(Declaration):
    """One arm. The arm without intervention is called `none`."""

    id: str = Field(pattern=NAME_PATTERN)
    reads: dict[str, Read] = Field(default_factory=dict)
    sampling: Sampling = Sampling()
    after: str | None = None
    """The stage whose frozen outputs this condition reads."""
    scaffold: Scaffold | None = None
    """How a scaffold is set; None: as the agent was made."""
    acts: Literal["agent", "prior"] = "agent"
    """`prior`: nobody is asked; actions are drawn from the frozen prior. The offline control."""
    prior: Literal["family", "global"] | None = None
    """Which frozen prior is drawn from (`acts: prior`) or shown in the field `x-prior` (`acts: agent`)."""

    @model_validator(mode="after")
    def _fields_are_known(self) -> Condition:
        # A misspelt field would leave the state untouched, and the contrast would look like a measured zero.
        for names, known in (
            (self.reads, (*STATE_FIELDS, DECISIVE, REST)),
            ([read.field for read in self.reads.values() if read.field], (*STATE_FIELDS, REST)),
        ):
            for name in names:
                if name not in known and not is_field(name):
                    raise ValueError(unknown_field_message(name, known))
        if (self.acts == "prior" or self.prior is not None) and (self.after is None or self.prior is None):
            message = f"condition '{self.id}' uses a prior: state which one (`prior`) and its stage (`after`)"
            raise ValueError(message)
        return self

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_defaults(self, plain(self), ("scaffold", "acts", "prior"))

    def rule(self, name: str, decisive: tuple[str, ...]) -> Read | None:
        """How this field is read: by its own name, else as a decisive one, else as one of the rest."""
        reads = self.reads
        rule = reads.get(name)
        if rule is None and name in decisive:
            rule = reads.get(DECISIVE)
        return reads.get(REST) if rule is None and name not in decisive else rule


NO_INTERVENTION = Condition(id="none")

UNUSABLE = {"unusable": True, "note": "This field is declared unusable in this episode; do not rely on it."}
"""What a read gives under `declare_unusable`, beside the value, which stays."""


def read_as(rule: Read | None, name: str, fields: Mapping[str, Any], donor: Mapping[str, Any]) -> Any:
    """What a read of one field gives under a rule; None when there is nothing to read, or it was removed."""
    value = fields.get(name)
    if rule is None or rule.do == "keep":
        return value
    if rule.do == "remove":
        return None
    if rule.do == "replace":
        return rule.value
    if rule.do == "scramble":
        return donor.get(name)
    if rule.do == "swap":
        return fields.get(_next(name, fields) if rule.field == REST else rule.field or "")
    return {**UNUSABLE, "value": value}


def _next(name: str, fields: Mapping[str, Any]) -> str:
    """The field that stands after this one, going round; empty where there is no other, or not even this one."""
    names = sorted(fields)
    return names[(names.index(name) + 1) % len(names)] if name in fields and len(names) > 1 else ""


def visible(
    fields: Mapping[str, Any], condition: Condition, decisive: tuple[str, ...], donor: Mapping[str, Any]
) -> dict[str, Any]:
    """All fields as the condition lets them be read, in the order given; what cannot be read is left out."""
    shown = {name: read_as(condition.rule(name, decisive), name, fields, donor) for name in fields}
    return {name: value for name, value in shown.items() if value is not None}


def _without_defaults(declared: Declaration, data: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    # Fields that came later are left out at their defaults: declarations that do not use them keep their hashes.
    for name in names:
        if name in data and getattr(declared, name) == type(declared).model_fields[name].default:
            del data[name]
    return data
