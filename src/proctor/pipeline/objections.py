"""What stands against a deployment besides the scores: who was examined, on what, against which baseline.

A run may have every score and still say nothing about the agent that is to be deployed: because the agent was given
the answers, was not confined, is not the one that lies here now, met only some of the governed scenarios, or was held
against a baseline nobody accepted. Each is a reason to escalate. None of them blocks, and none is hidden by one that
does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.lookup import kind_of, unconfined
from proctor.core.clock import parse_timestamp
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.declaring import identify_agent
from proctor.instruments.quality.decision import EXIT_CODES, Decision
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.seeds import off_seed
from proctor.pipeline.baseline.surroundings import beyond
from proctor.pipeline.keys import Keyring
from proctor.pipeline.scenarios import Oracle
from proctor.spec.frozen import FrozenRun
from proctor.spec.project import read_project
from proctor.spec.suite import TODAY
from proctor.spec.system import BoundaryKind, System

REHEARSAL = "rehearsal: a stand-in was decided about as if it were an agent"
NOT_AN_AGENT = ("not a result", "not evidence", "baseline")
"""What the labels of agents say that show what scores mean and are none to deploy."""
DRIFT = timedelta(days=7)
"""How far the date of a run under the policy `today` may lie from the day of its gate."""
_DECLARED = {
    "version": "version",
    "configuration": "configuration",
    "network": "network",
    "environment variables": "env",
    "models": "models",
}
"""What a project declares of its agent that decides how it acts: how it is called, and the field."""
_NAMED = 5
"""So many scenarios are named in a reason; the ledger has all of them."""


class Objection(msgspec.Struct, frozen=True):
    """One reason to escalate, and the scenarios it is about."""

    reason: str
    scenarios: tuple[str, ...] = ()


def to_agent(frozen: FrozenRun, label: str) -> list[Objection]:
    """That nothing which could be deployed was examined."""
    reasons = []
    agent = AgentString.parse(frozen.agent)
    if unconfined(agent) or "unconfined" in label:
        reasons.append(
            f"agent '{agent.kind}' ran unconfined, with everything on this machine in its reach, the oracle included"
        )
    if any(words in label for words in NOT_AN_AGENT):
        reasons.append(f"agent '{agent.kind}' is a stand-in and none to deploy ({label})")
    elif "are not installed here" in label or "recorded as" in label:
        reasons.append(f"what the agent is cannot be said here ({label})")
    return [Objection(reason) for reason in reasons]


def to_named_agent(frozen: FrozenRun, project: Path) -> list[Objection]:
    """That the project names an agent to be examined, and the run is of another one."""
    try:
        declared = read_project(project)
    except InputError:
        return []  # Said of the agent's identity.
    named = [] if declared is None else _named_agents(declared.system)
    if not named or frozen.agent in named:
        return []
    theirs = " and ".join(f"'{agent}'" for agent in named)
    return [Objection(f"the run is of agent '{frozen.agent}', and proctor.yaml names {theirs}; examine the named one")]


def to_identity(frozen: FrozenRun, project: Path) -> list[Objection]:
    """What of the agent is not as it was in the run: its files, its model and runtime, what is declared of it."""
    try:
        changed = _changed_identity(frozen, project)
    except InputError as error:
        why = " ".join(str(error).split())
        return [Objection(f"whether this is the agent of the run cannot be said here: {why}")]
    if not changed:
        return []
    return [Objection(f"the agent is not the one of the run any more: its {' and '.join(changed)} changed since")]


def _changed_identity(frozen: FrozenRun, project: Path) -> list[str]:
    agent = AgentString.parse(frozen.agent)
    kind = kind_of(agent)
    context = AgentContext(frozen.system, Stream.keyed("check"), (0,), project)
    changed = []
    if kind.source is not None and kind.source(agent, context) != frozen.agent_source:
        changed.append("files")
    if frozen.agent_identity is not None and identify_agent(agent, kind, context) != frozen.agent_identity:
        changed.append("model or runtime")
    undeclared = frozen.system.name in (frozen.agent, agent.kind)
    if not undeclared and read_project(project) is None:
        changed.append("declaration in proctor.yaml")
    declared = _declared_system(frozen, project)
    if declared is not None:
        changed += [what for what, field in _DECLARED.items() if _differs(declared, frozen.system, field)]
    return changed


def _differs(one: System, other: System, field: str) -> bool:
    return bool(getattr(one, field) != getattr(other, field))


def _declared_system(frozen: FrozenRun, project: Path) -> System | None:
    """What the project declares of this very agent now; None where it names another, or none."""
    declared = read_project(project)
    if declared is None:
        return None
    return declared.system if frozen.agent in _named_agents(declared.system) else None


def _named_agents(system: System) -> list[str]:
    """The agents that a project names, each once."""
    named = (getattr(system.agents, boundary.value) for boundary in BoundaryKind)
    return list(dict.fromkeys(agent for agent in named if agent is not None))


def to_sample(frozen: FrozenRun, oracle: Oracle, stale: Sequence[str], now: datetime) -> list[Objection]:
    """That governed scenarios were not run, count for nothing by their validity, or met another clock."""
    found = []
    if oracle.partial:
        found.append(Objection("the suite's families are not here as they were in the run, so its sample is not known"))
    missing = sorted(oracle.governed - oracle.taken)
    if missing:
        found.append(
            Objection(
                f"{len(missing)} of {len(oracle.governed)} governed scenarios were not run ({_some(missing)})",
                tuple(missing),
            )
        )
    if stale:
        many = len(stale) > 1
        found.append(
            Objection(
                f"{len(stale)} approved scenario{'s' if many else ''} ({_some(stale)}) "
                f"{'are' if many else 'is'} outside {'their' if many else 'its'} validity at {frozen.timestamp}; "
                "renew or remove by an approved change",
                tuple(sorted(stale)),
            )
        )
    policy, at = frozen.suite.epoch, parse_timestamp(frozen.timestamp)
    if policy == TODAY:
        if abs(at - now) > DRIFT:
            found.append(Objection(f"the run is dated {frozen.timestamp}, and the approved clock is today's"))
    elif at != parse_timestamp(policy):
        found.append(Objection(f"the run is dated {frozen.timestamp}, and the approved clock stands at {policy}"))
    return found


def to_verdicts(unclear: str | None) -> list[Objection]:
    """That a verdict came out otherwise when it was worked out again, where honest evidence can."""
    return (
        [] if unclear is None else [Objection(f"worked out again, not every verdict is the recorded one ({unclear})")]
    )


def to_baseline(file: BaselineFile | None, keyring: Keyring, *, lent: bool) -> list[Objection]:
    """That the run was held against something other than the accepted baseline, or one that nobody known signed."""
    if file is None:
        return []
    if lent:
        return [Objection("the baseline was given for this gate and is not the accepted one; it informs only")]
    if file.signature is None or not keyring.knows(file.signature):
        return [Objection(f"{file.standing(keyring)}; a known key has to accept it")]
    return []


def to_surroundings(frozen: FrozenRun, file: BaselineFile | None) -> list[Objection]:
    """That the agent can reach more than it could when the baseline was accepted."""
    more = [] if file is None else beyond(frozen, file)
    if not more:
        return []
    return [Objection(f"the agent can reach more than in the accepted runs ({'; '.join(more)})")]


def to_seed(frozen: FrozenRun, file: BaselineFile | None) -> list[Objection]:
    """That somebody could have chosen the seed, where one was committed to."""
    why = None if file is None else off_seed(frozen, file)
    return [] if why is None else [Objection(why)]


def with_objections(decision: Decision, objections: Iterable[Objection]) -> Decision:
    """The decision with further reasons: what would be deployed escalates, and a block stays one."""
    reasons = tuple(one.reason for one in objections)
    if not reasons:
        return decision
    kept = () if decision.result == "deploy" else decision.reasons
    result = decision.result if decision.result != "deploy" else "escalate-to-human"
    return msgspec.structs.replace(decision, result=result, exit_code=EXIT_CODES[result], reasons=(*kept, *reasons))


def _some(names: Sequence[str]) -> str:
    more = f", {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(sorted(names)[:_NAMED]) + more
