"""What the agent could reach while it was examined, as a gate's report states it (harness paper §11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from proctor.agents.kind import AgentString
from proctor.agents.lookup import kind_of, option_label
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.spec.frozen import FrozenRun

Where = Literal["confined", "unconfined", "in the bench", "unknown"]
_WITHOUT: dict[str, str] = {
    "unconfined": "**none**: the agent ran as an ordinary process that could read the oracle and use the network",
    "in the bench": "**none**: the agent ships with the bench and ran inside its process",
    "unknown": "not known: agents of its kind are not installed here",
}


def isolation_of(frozen: FrozenRun) -> dict[str, Any]:
    """What the agent could reach, and the configuration it stands for, by hash."""
    system, where = frozen.system, _where(AgentString.parse(frozen.agent))
    return {
        "data": "synthetic: the sources of the scenarios",
        "where": where,
        "confined": where == "confined",
        "network": system.network.value,
        "env": list(system.env),
        "configuration": content_hash(system.configuration),
        "agent_source": frozen.agent_source,
        "config_hash": frozen.config_hash,
    }


def isolation_in_words(isolation: Mapping[str, Any]) -> str:
    """The same as a sentence or two."""
    source = isolation["agent_source"]
    reached = (
        f"synthetic data only, network {isolation['network']}, environment variables "
        f"{', '.join(isolation['env']) or 'none'}, a working directory of its own"
        if isolation["confined"]
        else _WITHOUT[isolation["where"]]
    )
    return (
        f"Isolation: {reached}. Mirrored configuration "
        f"`{isolation['configuration'][:16]}`, agent's files {f'`{source[:16]}`' if source else 'none named'}, run "
        f"configuration `{isolation['config_hash'][:16]}`."
    )


def _where(agent: AgentString) -> Where:
    """Where the agent lived. What is declared about the network holds only where something enforces it."""
    if option_label(agent):
        return "unconfined"
    try:
        return "in the bench" if kind_of(agent).trusted else "confined"
    except InputError:
        return "unknown"
