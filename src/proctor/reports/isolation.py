"""What the agent could reach while it was examined, as a gate's report states it (harness paper §11)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.agents.kind import AgentString
from proctor.agents.lookup import kind_of, preforked, unconfined
from proctor.core.errors import InputError
from proctor.reports.markdown_text import code, plain
from proctor.spec.frozen import FrozenRun
from proctor.spec.own_models import proxied_words
from proctor.spec.system import NOT_DECLARED

Where = Literal["confined", "unconfined", "in the bench", "somewhere else", "unknown"]
_WITHOUT: dict[str, str] = {
    "unconfined": "**none**: the agent ran as an ordinary process that could read the oracle and use the network",
    "in the bench": "**none**: the agent ships with the bench and ran inside its process",
    "somewhere else": "**none**: the agent is a remote service, and what it reads, asks and keeps is not known",
    "unknown": "not known: agents of its kind are not installed here",
}

_SHARED = "; lifetimes were forked from one process that had loaded its code, and were **not isolated from each other**"


class Isolation(Struct, frozen=True, kw_only=True):
    """What the agent could reach, and the configuration it stands for, by hash."""

    data: str = "synthetic: the sources of the scenarios"
    where: Where
    confined: bool
    preforked: bool = False
    """Lifetimes were forked from one process with the agent's code, and share its sandbox."""
    network: str
    models: tuple[str, ...] = ()
    env: tuple[str, ...]
    configuration: str
    agent_source: str | None
    config_hash: str

    def sentence(self) -> str:
        """The same as a sentence or two, in Markdown."""
        source = self.agent_source
        reached = (
            f"synthetic data only, network {plain(self.network)}, {self._proxied}environment variables "
            f"{plain(', '.join(self.env)) or 'none'}, a working directory of its own"
            f"{'' if not self.preforked else _SHARED}"
            if self.confined
            else _WITHOUT[self.where]
        )
        return (
            f"Isolation: {reached}. Mirrored configuration "
            f"{code(self.configuration[:16])}, agent's files {code(source[:16]) if source else 'none named'}, run "
            f"configuration {code(self.config_hash[:16])}."
        )

    @property
    def _proxied(self) -> str:
        said = proxied_words(self.models)
        return f"{plain(said)}, " if said else ""


def isolation_of(frozen: FrozenRun) -> Isolation:
    """The isolation of a run's agent."""
    agent = AgentString.parse(frozen.agent)
    system, where = frozen.system, _where(agent)
    return Isolation(
        where=where,
        confined=where == "confined",
        preforked=where == "confined" and preforked(agent),
        network=system.network.value,
        env=tuple(system.env),
        models=tuple(model.label for model in system.models),
        configuration=frozen.identity_hash or NOT_DECLARED,
        agent_source=frozen.agent_source,
        config_hash=frozen.config_hash,
    )


def _where(agent: AgentString) -> Where:
    """Where the agent lived. What is declared about the network holds only where something enforces it."""
    if unconfined(agent):
        return "unconfined"
    try:
        kind = kind_of(agent)
    except InputError:
        return "unknown"
    if kind.remote:
        return "somewhere else"
    return "in the bench" if kind.trusted else "confined"
