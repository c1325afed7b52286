"""What an agent may reach, as it was when its baseline was accepted.

An agent that sees another variable, or a network, can behave there as it does nowhere else; and of one that answers
from somewhere else nobody knows what it is. So a baseline keeps what its runs declared, and a run that declares more is
for a person to look at. Accepting a baseline of such runs is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.agents.kind import AgentString
from proctor.agents.lookup import kind_of
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.pipeline.baseline.file import BaselineFile
from proctor.spec.frozen import FrozenRun

FACT = "surroundings"


def surroundings_of(frozen: FrozenRun) -> dict[str, Any]:
    """What an agent could reach in a run."""
    system = frozen.system
    return {
        "network": system.network.value,
        "env": sorted(system.env),
        "models": sorted(str(jsonable(model)) for model in system.models),
        "remote": _remote(frozen.agent),
    }


def beyond(frozen: FrozenRun, file: BaselineFile) -> list[str]:
    """What the agent of a run can reach that those of the accepted runs could not, in words.

    A baseline that was accepted before this was kept says nothing about it.
    """
    before: Mapping[str, Any] | None = file.baseline.facts.get(FACT)
    if before is None:
        return []
    now = surroundings_of(frozen)
    found = []
    if now["network"] != before["network"]:
        found.append(f"network {before['network']} → {now['network']}")
    found += [f"environment variable {name}" for name in now["env"] if name not in before["env"]]
    if set(now["models"]) - set(before["models"]):
        found.append("other models")
    if now["remote"] and not before["remote"]:
        found.append("it is a remote service, and the accepted runs were made here")
    return found


def _remote(agent: str) -> bool:
    try:
        return kind_of(AgentString.parse(agent)).remote
    except InputError:
        return False
