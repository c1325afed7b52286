"""Looking up agent kinds by name, and what must be said of an agent's results.

A label is worked out here, where the result is read, and not taken from the run: a run may come from a stranger, who
could have written anything into it. What the run recorded about its agent is added where it says something else, and is
all there is to go by where the kind is not installed.
"""

from __future__ import annotations

from typing import Final

from proctor.agents.kind import AgentKind, AgentString
from proctor.core.errors import InputError
from proctor.plugins import registry

MAX_RECORDED: Final = 200
"""Characters shown of a label that a run brings with it."""


def load_agent_kind(name: str) -> AgentKind:
    """The agent kind of this name."""
    kind = registry.load("agents", name)
    if not isinstance(kind, AgentKind):
        message = f"agent '{name}' is registered but is not an AgentKind"
        raise InputError(message)
    return kind


def kind_of(agent: AgentString) -> AgentKind:
    """The kind of an agent, as its string makes it."""
    kind = load_agent_kind(agent.kind)
    return kind if kind.specialise is None else kind.specialise(agent)


def label_of(agent: str, recorded: str = "") -> str:
    """What must be said wherever a result of this agent appears; empty where there is nothing to say.

    `recorded` is the label that the run itself holds, if it holds one. It can add to the label and never replace it.
    """
    here = _label_here(AgentString.parse(agent))
    there = _readable(recorded)
    if not there or there == here:
        return here
    return f"{here}, recorded as: {there}" if here else f"recorded as: {there}"


def option_label(agent: AgentString) -> str:
    """What the options of an agent string oblige to say; empty when every lifetime was confined by itself."""
    if unconfined(agent):
        return "unconfined"
    return "prefork: lifetimes share a sandbox" if preforked(agent) else ""


def unconfined(agent: AgentString) -> bool:
    """Whether the agent ran as an ordinary process."""
    return agent.options.get("unconfined") == "yes"


def preforked(agent: AgentString) -> bool:
    """Whether its lifetimes were forked from one process that had loaded its code."""
    return agent.options.get("prefork") == "yes"


def _label_here(agent: AgentString) -> str:
    try:
        own = kind_of(agent).label
    except InputError:
        # A run from another machine can be read where its agent cannot be run.
        own = f"agents of kind '{agent.kind}' are not installed here"
    return ", ".join(part for part in (own, option_label(agent)) if part)


def _readable(recorded: str) -> str:
    """A recorded label as one short printable line: a stranger's run may hold anything there."""
    line = " ".join("".join(c if c.isprintable() else " " for c in recorded).split())
    return line if len(line) <= MAX_RECORDED else f"{line[: MAX_RECORDED - 1]}…"
