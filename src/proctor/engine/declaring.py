"""What a run declares about the system: the boundary in force, and what identifies the agent.

Declared is what the user declared; where that is nothing, what the kind of a built-in agent says of itself. Nothing is
guessed: an agent of the user's that is named on the command line alone has an undeclared boundary, and of the project
only what the project says of the machine: its network, its variables, its prices.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.lookup import kind_of
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.plugins import registry
from proctor.spec.frozen import FrozenFamily
from proctor.spec.plain_names import require_plain_name
from proctor.spec.suite import Suite
from proctor.spec.system import Agents, Boundaries, Boundary, BoundaryKind, System, require_core


def declare_system(declared: System | None, suite: Suite, agent: str, kind: AgentKind) -> System:
    """The system with the boundary in force. Refuses a boundary that its own content, agent or suite contradicts."""
    system = declared
    if system is None:
        system = System(name=_name(agent, kind), agents=_agents(agent, kind))
    if system.boundary == Boundary():
        system = _in_force(system, suite, agent, kind)
    boundary = system.boundary
    stated = None if boundary.kind is None else system.boundaries.of(boundary.kind)
    if stated is not None and stated != boundary:
        message = f"system '{system.name}': its {boundary.words.lower()} boundary is not the one that it declares"
        raise InputError(message)
    try:
        require_core(boundary)
    except ValueError as error:
        message = f"system '{system.name}': {error}"
        raise InputError(message) from None
    if boundary.kind is BoundaryKind.CORE and _is_extended(kind):
        includes = ", ".join(kind.boundary.includes) if kind.boundary is not None else ""
        message = f"agent '{kind.name}' is more than a policy ({includes}); declare it under boundaries.extended"
        raise InputError(message)
    if suite.boundary is not None and boundary.kind is not suite.boundary:
        says = "declares none" if boundary.kind is None else f"declares {boundary.kind.value}"
        message = (
            f"suite '{suite.name}' is for the {suite.boundary.value} boundary and the system {says}; declare "
            f"system.boundaries.{suite.boundary.value} and system.agents.{suite.boundary.value} in proctor.yaml"
        )
        raise InputError(message)
    return system


def system_for(project: System, agent: str, kind: AgentKind) -> System | None:
    """The system of an agent that a project does not name, examined in that project.

    What the project says of the machine holds for it too: network, environment variables, prices. What it claims of
    its own system does not: a report on another agent must not bear that name, version, configuration or boundary.
    Built-in agents reach nothing and need none of it. None: nothing is declared.
    """
    kept = set() if kind.trusted else {"network", "env", "models"}
    kept |= {name for name in System.model_fields if "price" in name}
    said = {name: getattr(project, name) for name in kept & project.model_fields_set}
    return System(name=_name(agent, kind), agents=_agents(agent, kind), **said) if said else None


def _name(agent: str, kind: AgentKind) -> str:
    """What a system is called that nobody named: its agent string, or its kind where that would claim something."""
    try:
        return require_plain_name(agent)
    except ValueError:
        if not kind.trusted:
            raise
        return kind.name


def _agents(agent: str, kind: AgentKind) -> Agents:
    return Agents(extended=agent) if _is_extended(kind) else Agents(core=agent)


def require_tool_calling(system: System, suite: Suite, kind: AgentKind, families: Sequence[FrozenFamily]) -> None:
    """Refuse an agent that cannot call tools where tasks need them: what it would score says nothing about it.

    Who wants to know what it does without them declares it, and the boundary in the report says so. A declaration holds
    for the agent that is named beside it, and for none that a command line gives in its place.
    """
    with_tools = [family.spec.full_name for family in families if family.actions]
    if kind.calls_tools or not with_tools or system.boundary.actions == "none":
        return
    more = len(with_tools) - 1
    named = with_tools[0] + (f" and {more} more famil{'y' if more == 1 else 'ies'}" if more else "")
    where = "core" if system.boundary.kind is None else system.boundary.kind.value
    message = (
        f"agent '{kind.name}' calls no tools, and {named} of suite '{suite.name}' ha{'ve' if more else 's'} tools to "
        f"call; take an agent that calls them, or declare `actions: none` in system.boundaries.{where} of proctor.yaml "
        f"and name the agent in system.agents.{where} (boundaries are not declared for one that only --agent names)"
    )
    raise InputError(message)


def _is_extended(kind: AgentKind) -> bool:
    return kind.boundary is not None and kind.boundary.kind is BoundaryKind.EXTENDED


def _in_force(system: System, suite: Suite, agent: str, kind: AgentKind) -> System:
    """The boundary that is meant where both may be declared: the suite's, the agent's, or the only one there is."""
    if system.boundaries == Boundaries():
        return system.model_copy(update={"boundary": kind.boundary or Boundary()})
    declared = [one for one in BoundaryKind if isinstance(system.boundaries.of(one), Boundary)]
    named = [one for one in declared if _agent_of(system, one) == agent]
    chosen = suite.boundary or next(iter(named or declared), None)
    return system if chosen is None else system.within(chosen)


def _agent_of(system: System, boundary: BoundaryKind) -> str | None:
    return system.agents.core if boundary is BoundaryKind.CORE else system.agents.extended


def identify_agent(agent: AgentString, kind: AgentKind, context: AgentContext) -> str | None:
    """What an agent is beside its files: kind and package of one that ships, the model it asks, what it runs on."""
    parts = [f"{agent.kind} of {registry.package_of('agents', agent.kind)}"] if kind.trusted else []
    if kind.identity is not None:
        parts.append(kind.identity(agent))
    if kind.runtime is not None and (runtime := kind.runtime(agent, context)) is not None:
        parts.append(runtime)
    return " with ".join(parts) or None


def companion_source(system: System, agent: str, source: str | None, folder: Path) -> str | None:
    """SHA-256 over the files of the other boundary's agent, as they are now; None where none are named here."""
    if system.boundary.kind is None:
        return None
    others = [one for one in BoundaryKind if one is not system.boundary.kind]
    other = _agent_of(system, others[0])
    if other is None:
        return None
    if other == agent:
        return source
    try:
        parsed = AgentString.parse(other)
        kind = kind_of(parsed)
        context = AgentContext(system, Stream.keyed("check"), (0,), folder)
        return None if kind.source is None else kind.source(parsed, context)
    except InputError:
        # The other agent need not be on this machine; its run then says nothing that could be compared.
        return None
