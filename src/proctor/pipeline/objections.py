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
from typing import Any

import msgspec

from proctor.agents.files import by_name, differences
from proctor.agents.files import source as files_digest
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.lookup import kind_of, unconfined
from proctor.core.canonical import chainable, jsonable
from proctor.core.clock import parse_timestamp
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.core.seeds import Stream
from proctor.engine.declaring import identify_agent
from proctor.instruments.quality.decision import EXIT_CODES, Decision
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.seeds import off_seed
from proctor.pipeline.baseline.surroundings import beyond, surroundings_of
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
Files = Sequence[Sequence[Any]]
"""The files of an agent one by one (`proctor.agents.files`)."""
_NAMED = 5
"""So many scenarios are named in a reason; the ledger has all of them."""


class Objection(msgspec.Struct, frozen=True):
    """One reason to escalate, the scenarios it is about, and what its words leave open."""

    reason: str
    scenarios: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    """What an answer binds beside the words, wherever the same words could be said of something worse: `what: digest`.
    """


def bind(what: str, content: Any) -> tuple[str, ...]:
    """A line for what an answer binds."""
    return (f"{what}: {content_hash(content)}",)


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
    # Such an agent can do anything once it is edited, and its scores will not show it.
    return [Objection(reason, binds=_of_the_run(frozen)) for reason in reasons]


def _of_the_run(frozen: FrozenRun) -> tuple[str, ...]:
    """The agent as it was run."""
    return bind("the agent of the run", _identity(frozen.agent_source, frozen.agent_identity, frozen.system))


def _identity(source: str | None, identity: str | None, system: System) -> dict[str, Any]:
    declared = {field: jsonable(getattr(system, field)) for field in _DECLARED.values()}
    return {"files": source, "identity": identity, "declared": chainable(declared)}


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
    reason = f"the run is of agent '{frozen.agent}', and proctor.yaml names {theirs}; examine the named one"
    return [Objection(reason, binds=_of_the_run(frozen))]


def to_identity(frozen: FrozenRun, project: Path, files: Files | None = None) -> list[Objection]:
    """What of the agent is not as it was in the run: its files, its model and runtime, what is declared of it.

    `files`: those of the run one by one, as its record has them. What is bound is the agent as it stands now: an
    answer about a comment in its files says nothing about what else somebody puts there.
    """
    try:
        changed, now = _changed_identity(frozen, project, files)
    except InputError as error:
        why = " ".join(str(error).split())
        # What stands here cannot be bound; the agent that is vouched for is.
        reason = f"whether this is the agent of the run cannot be said here: {why}"
        return [Objection(reason, binds=_of_the_run(frozen))]
    if not changed:
        return []
    reason = f"the agent is not the one of the run any more: its {' and '.join(changed)} changed since"
    return [Objection(reason, binds=(*_of_the_run(frozen), *bind("the agent as it stands", now)))]


def _changed_identity(frozen: FrozenRun, project: Path, files: Files | None) -> tuple[list[str], dict[str, Any]]:
    """What changed, in words, and what the agent is now."""
    agent = AgentString.parse(frozen.agent)
    kind = kind_of(agent)
    context = AgentContext(frozen.system, Stream.keyed("check"), (0,), project)
    changed = []
    source = None if kind.source is None else kind.source(agent, context)
    if kind.source is not None and source != frozen.agent_source:
        which = _changed_files(frozen, None if kind.files is None else kind.files(agent, context), files)
        changed.append(f"files ({which})" if which else "files")
    identity = identify_agent(agent, kind, context)
    if frozen.agent_identity is not None and identity != frozen.agent_identity:
        changed.append("model or runtime")
    undeclared = frozen.system.name in (frozen.agent, agent.kind)
    if not undeclared and read_project(project) is None:
        changed.append("declaration in proctor.yaml")
    declared = _declared_system(frozen, project)
    if declared is not None:
        changed += [what for what, field in _DECLARED.items() if _differs(declared, frozen.system, field)]
    return changed, _identity(source, identity, declared or frozen.system)


def _changed_files(frozen: FrozenRun, now: Files | None, before: Files | None) -> str:
    """Which files changed; empty where the record has no list of them, or one that is not of this run's agent."""
    if now is None or before is None:
        return ""
    try:
        whole = files_digest(before)
        # An interpreter that the agent string names is part of the digest.
        if frozen.agent_source not in (whole, content_hash([whole, frozen.agent_identity])):
            return ""
        return differences(by_name(before), by_name(now))
    except (TypeError, ValueError):
        return ""


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
        found.append(
            Objection(
                "the suite's families are not here as they were in the run, so its sample is not known",
                binds=bind("what was run", [sorted(oracle.taken), oracle.hashes]),
            )
        )
    missing = sorted(oracle.governed - oracle.taken)
    if missing:
        found.append(
            Objection(
                f"{len(missing)} of {len(oracle.governed)} governed scenarios were not run ({_some(missing)})",
                tuple(missing),
                bind("scenarios that were not run", missing),
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
                bind("scenarios outside their validity", sorted(stale)),
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
    reach = chainable(surroundings_of(frozen))
    reason = f"the agent can reach more than in the accepted runs ({'; '.join(more)})"
    return [Objection(reason, binds=bind("what the agent can reach", reach))]


def to_seed(frozen: FrozenRun, file: BaselineFile | None) -> list[Objection]:
    """That somebody could have chosen the seed, where one was committed to."""
    why = None if file is None else off_seed(frozen, file)
    # Whoever may choose the seed may try several: leave is given for one.
    return [] if why is None else [Objection(why, binds=bind("the seed of the run", frozen.seed))]


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
