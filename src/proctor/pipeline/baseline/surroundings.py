"""What an agent may reach, as it was when its baseline was accepted.

An agent that sees another variable, or a network, can behave there as it does nowhere else; and of one that answers
from somewhere else nobody knows what it is. So a baseline keeps what its runs declared, and a run that declares more is
for a person to look at. Accepting a baseline of such runs is the answer, and takes two people.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.agents.kind import AgentString
from proctor.agents.lookup import kind_of, preforked
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.pipeline.baseline.file import BaselineFile
from proctor.spec.frozen import FrozenRun

FACT = "surroundings"
PREFORKED = "preforked"
"""The part of it that says whether lifetimes were forked from one process that had loaded the agent's code."""


def surroundings_of(frozen: FrozenRun) -> dict[str, Any]:
    """What an agent could reach in a run."""
    system = frozen.system
    return {
        "network": system.network.value,
        "env": sorted(system.env),
        "models": sorted(str(jsonable(model)) for model in system.models),
        "remote": _remote(frozen.agent),
        PREFORKED: _preforked(frozen.agent),
    }


def accepted_surroundings(file: BaselineFile) -> dict[str, Any] | None:
    """What the agents of the accepted runs could reach; None where that was not kept."""
    kept: dict[str, Any] | None = file.baseline.facts.get(FACT)
    if kept is None or PREFORKED in kept:
        return kept
    # Kept before this was part of it; the accepted runs say it themselves.
    return {**kept, PREFORKED: any(_preforked(run.agent) for run in file.baseline.runs)}


def beyond(frozen: FrozenRun, file: BaselineFile) -> list[str]:
    """What the agent of a run can reach that those of the accepted runs could not, in words.

    A baseline that was accepted before this was kept says nothing about it.
    """
    return wider(accepted_surroundings(file), surroundings_of(frozen))


def wider(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> list[str]:
    """What these surroundings have that those before had not, in words; nothing where those were not kept."""
    if before is None:
        return []
    found = []
    if now["network"] != before["network"]:
        found.append(f"network {before['network']} → {now['network']}")
    found += [f"environment variable {name}" for name in now["env"] if name not in before["env"]]
    found += [f"model {name}" for name in now["models"] if name not in before["models"]]
    if now["remote"] and not before["remote"]:
        found.append("it is a remote service, and the accepted runs were made here")
    if now.get(PREFORKED) and not before.get(PREFORKED):
        found.append("forked from a warm interpreter: lifetimes can leave word for later ones")
    return found


def _remote(agent: str) -> bool:
    try:
        return kind_of(AgentString.parse(agent)).remote
    except InputError:
        return False


def _preforked(agent: str) -> bool:
    try:
        return preforked(AgentString.parse(agent))
    except InputError:
        return False
