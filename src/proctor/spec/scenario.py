"""Scenarios and their oracle: what an organisation expects an agent to decide, ask, prove and never do.

A domain expert writes them as YAML or JSON, or a template generates them; both say where they come from and how long
they hold. The agent sees `context` and what its tools disclose of `sources`; everything else is the oracle's.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, field_validator, model_validator

from proctor.core.canonical import canonical, inexact
from proctor.core.clock import parse_timestamp
from proctor.spec.coordinate import Coordinate, Level
from proctor.spec.declaration import Declaration

Category = Literal["correctness", "safety", "performance", "governance"]
GateType = Literal["human_in_the_loop", "approval_workflow", "evidence_collection"]
SafetyClass = Literal["S1", "S2", "S3", "ok"]
AdversarialKind = Literal["ambiguous_context", "conflicting_constraints", "resource_pressure", "cascading_errors"]
Verdict = Literal["approved", "denied", "pending"]
Reach = Literal["agent", "inter_agent", "cross_zone", "cross_planet"]

ENDINGS = ("act", "escalate", "refuse")
"""How an episode can end; `escalate` and `refuse` are actions of these names without arguments."""


class Action(Declaration):
    """What an agent does in the end. Equal when name and canonical-JSON arguments are."""

    name: str = Field(min_length=1)
    """An action of the domain, or `escalate`, `refuse`."""
    args: dict[str, Any] = Field(default_factory=dict)

    @property
    def key(self) -> bytes:
        """What makes two actions the same."""
        return canonical([self.name, self.args])


class Gate(Declaration):
    """A gate that must be passed through before acting."""

    type: GateType
    level: str = Field(min_length=1)
    """Who has to be asked, e.g. `manager`, `legal`."""
    before: str | None = None
    """The action it has to precede; None: any action."""


class Approval(Declaration):
    """What a scripted approver answers when asked at a gate of this type and level."""

    type: GateType
    level: str
    answers: tuple[Verdict, ...] = Field(min_length=1)
    """One after another; the last is repeated."""


class Misuse(Declaration):
    """Arguments that make an action harmful whose name alone does not.

    It holds where all that is named holds, and where nothing is named, for any arguments that the oracle does not
    accept. What the oracle accepts is never misuse.
    """

    action: str
    safety: Literal["S1", "S2", "S3"]
    above: dict[str, float] = Field(default_factory=dict)
    """Numbers greater than these."""
    equal: dict[str, Any] = Field(default_factory=dict)
    """Exactly these values."""
    other: tuple[str, ...] = ()
    """Arguments with another value than the oracle gives them: another customer, another account."""


class Claim(Declaration):
    """A statement the evidence bundle has to hold, and the source it has to agree with."""

    id: str
    statement: str
    source: str
    """The source whose value is the truth of it."""


class EvidenceSchema(Declaration):
    """What a bundle must prove; None in a scenario: no bundle is asked for."""

    claims: tuple[Claim, ...] = Field(min_length=1)


class Handoff(Declaration):
    """A part of the work that another agent has to do, in a session of its own."""

    to: str
    """Coordinate of the other agent."""
    needs: tuple[str, ...] = Field(min_length=1)
    """Names of the fields that the record handed over must hold, each equal to the source of that name."""
    context: str
    """What the other agent is told; it sees nothing of the first one's task but the record."""


class Provenance(Declaration):
    """Where a scenario comes from."""

    kind: Literal["template", "incident", "expert"]
    source: str = Field(min_length=1)
    """Name of the template with its parameters' hash, number of the incident, or the expert's role."""


class Validity(Declaration):
    """From when until when it holds."""

    since: str = Field(alias="from")
    until: str = Field(alias="to")

    @model_validator(mode="after")
    def _in_order(self) -> Validity:
        if parse_timestamp(self.since) >= parse_timestamp(self.until):
            message = f"a validity from {self.since} to {self.until} is empty"
            raise ValueError(message)
        return self


class Scenario(Declaration):
    """One case, with its oracle."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
    version: str = "1.0"
    category: Category
    coordinate: str
    reach: Reach = "agent"
    """Whether it is about one agent, a hand-off, or work across zones or planets."""
    template: str = Field(min_length=1)
    """The structurally different form it belongs to."""
    context: str = Field(min_length=1)
    """What the agent reads."""
    sources: dict[str, Any] = Field(default_factory=dict)
    """What `lookup` discloses, by id."""
    actions: dict[str, dict[str, Any]] = Field(min_length=1)
    """The actions of the domain: name → JSON Schema of the arguments."""
    expected: Action
    acceptable: tuple[Action, ...] = ()
    weight: Annotated[float, Field(ge=0.0, le=1.0)] = 1.0
    gates: tuple[Gate, ...] = ()
    approvals: tuple[Approval, ...] = ()
    evidence_schema: EvidenceSchema | None = Field(
        default=None, validation_alias=AliasChoices("evidence_schema", "evidence")
    )
    """What has to be proven from sources, claim by claim."""
    safety: dict[str, SafetyClass] = Field(default_factory=dict)
    """Class of each action by name; one that is not named is unclassified and escalates."""
    misuse: tuple[Misuse, ...] = ()
    """Where the class depends on the arguments too; the worse of the two counts."""
    autonomy_threshold: str | None = None
    """In words: up to where the agent may decide alone. Shown in the context by whoever writes it."""
    handoff: Handoff | None = None
    adversarial_kind: AdversarialKind | None = None
    provenance: Provenance
    valid: Validity

    @field_validator("coordinate")
    @classmethod
    def _coordinate_is_one(cls, text: str) -> str:
        Coordinate.parse(text)
        return text

    @model_validator(mode="after")
    def _values_are_exact(self) -> Scenario:
        """What has no canonical JSON can be neither hashed nor sent by an agent: found late, it would end a run."""
        values: dict[str, Any] = {"sources": self.sources, "actions": self.actions, "expected.args": self.expected.args}
        values |= {f"acceptable.{number}.args": one.args for number, one in enumerate(self.acceptable)}
        for number, one in enumerate(self.misuse):
            values |= {f"misuse.{number}.above": one.above, f"misuse.{number}.equal": one.equal}
        for field, value in values.items():
            found = inexact(value)
            if found is not None:
                message = f"scenario '{self.id}' has {found[1]} at {field}{found[0]}"
                raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _oracle_is_sound(self) -> Scenario:
        known = {*self.actions, "escalate", "refuse"}
        for action in (self.expected, *self.acceptable):
            if action.name not in known:
                message = (
                    f"the oracle expects '{action.name}', which is not an action of this scenario; "
                    f"choose from {', '.join(known)}"
                )
                raise ValueError(message)
        for name in self.safety.keys() - known:
            message = f"a safety class is given for '{name}', which is not an action of this scenario"
            raise ValueError(message)
        self._misuse_is_possible()
        for claim in self.evidence_schema.claims if self.evidence_schema else ():
            if claim.source not in self.sources:
                message = f"claim '{claim.id}' refers to source '{claim.source}', which does not exist"
                raise ValueError(message)
        if self.level is Level.AGENT and self.reach != "agent":
            message = f"'{self.reach}' is about more than one agent, but {self.coordinate} names one"
            raise ValueError(message)
        return self

    def _misuse_is_possible(self) -> None:
        for misuse in self.misuse:
            if misuse.action not in self.actions:
                message = f"misuse is declared of '{misuse.action}', which is not an action of this scenario"
                raise ValueError(message)
            known = self.actions[misuse.action].get("properties")
            for name in (*misuse.above, *misuse.equal, *misuse.other):
                if known is not None and name not in known:
                    message = f"misuse is declared of '{name}' in '{misuse.action}', which has no such argument"
                    raise ValueError(message)

    @property
    def level(self) -> Level:
        """The level of its coordinate."""
        return Coordinate.parse(self.coordinate).level

    @property
    def content_hash(self) -> str:
        """What pairs it across runs: equal exactly when everything in it is."""
        return self.identity


class ScenarioSet(Declaration):
    """A file of scenarios: a domain, or an expert's collection."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    version: str = "1.0"
    title: str
    scenarios: tuple[Scenario, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> ScenarioSet:
        seen: set[str] = set()
        for scenario in self.scenarios:
            if scenario.id in seen:
                message = f"scenario '{scenario.id}' is declared twice"
                raise ValueError(message)
            seen.add(scenario.id)
        return self
