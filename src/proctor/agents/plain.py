"""Kinds that need no configuration: their agent string is their name and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.core.errors import InputError
from proctor.spec.actions import RESERVED_TOOLS
from proctor.spec.system import Boundary, BoundaryKind, HumanPolicy, Memory, MemoryPersistence, SelfModification

BUILT_IN = Boundary(kind=BoundaryKind.CORE, tools=(), memory=Memory(persistence=MemoryPersistence.LIFETIME))
"""Agents that ship are a policy alone: no tools of their own, and what they remember, for a lifetime at most, is state
of the policy."""
MODIFIABLE = BUILT_IN.model_copy(
    update={
        "self_modification": SelfModification(
            allowed=("composite-tool", "check-before-write", "state-schema"),
            forbidden=tuple(sorted(RESERVED_TOOLS)),
        )
    }
)
"""The same for planted agents that are examined up to Tier 6: what they may change, and what not."""
SCAFFOLD = Boundary(
    kind=BoundaryKind.EXTENDED,
    includes=("scaffold around a chat model",),
    tools=(),
    memory=Memory(persistence=MemoryPersistence.LIFETIME),
    human_policy=HumanPolicy(allowed=False),
)
"""A model inside a scaffold of modules and prompts: more than the policy."""


def plain_kind(
    name: str, description: str, make: Callable[[AgentContext], Agent], *, label: str = "", reusable: bool = False
) -> AgentKind:
    """A trusted built-in kind that computes and never waits. `make` is called once per lifetime."""

    def open_agent(text: AgentString, context: AgentContext) -> Agent:
        refuse_details(text)
        return make(context)

    def check(text: AgentString, context: AgentContext) -> None:
        refuse_details(text)

    return AgentKind(
        name=name,
        description=description,
        open=open_agent,
        trusted=True,
        waits=False,
        label=label,
        check=check,
        boundary=BUILT_IN,
        reusable=reusable,
    )


def refuse_details(text: AgentString) -> None:
    """Raise `InputError` if the agent string says more than the name."""
    if text.detail or text.options:
        message = f"agent '{text.kind}' takes no details or options; write just '{text.kind}'"
        raise InputError(message)
