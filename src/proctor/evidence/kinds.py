"""What kinds of agents that ship can and cannot do, as far as their evidence has to agree with it.

Evidence lies below agents, so the names stand here; a test holds them against the kinds. A kind that is not named here,
somebody's own say, can do anything.
"""

from __future__ import annotations

from typing import Final

PLAIN: Final = frozenset(
    {"ask", "clerk", "first", "infeasible", "keyword", "last", "null", "random", "refuse", "retriever", "retry"}
)
"""Programs of the bench's own, in its own process: they ask no model, need no service and wait for nothing."""
_WITHOUT_MODEL: Final = PLAIN | {"oracle", "human"}
_BY_PROXY: Final = frozenset({"python", "cmd", "acp", "mcp"})
"""They ask models through the bench's proxy, where the system declares any, or nobody puts it on record."""


def kind_named(agent: str) -> str:
    """The kind in an agent string."""
    return agent.partition(":")[0].strip()


def records_models(agent: str, *, declared: bool) -> bool:
    """Whether an agent can have exchanges with models on record; `declared`: the system declares models."""
    kind = kind_named(agent)
    return kind not in _WITHOUT_MODEL and (declared or kind not in _BY_PROXY)
