"""What became of the first try of an episode that was tried twice: an entry beside the chain, under the seal."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from proctor.evidence.row import INFRASTRUCTURE, NOT_IMPOSED, RUN_LIMIT, Row

FIRST_TRY: Final = "first_try"
"""What the entry is called."""
NOT_AGAIN: Final = frozenset({RUN_LIMIT, NOT_IMPOSED, "memory"})
"""The reasons of episodes that would end the same way again: nothing is left to spend, the agent lacks an ability."""
MOST_ATTEMPTS: Final = 3
"""At one try: two workers died with it, and it was lived without its agent."""


def may_try_again(row: Row) -> bool:
    """Whether an episode was not measured and could be at a second try."""
    return row.outcome == INFRASTRUCTURE and row.reason not in NOT_AGAIN


def with_first_try(aside: bytes | None, told: dict[str, Any]) -> bytes:
    """What stands beside the chain, with how the first try ended."""
    entries: list[Any] = [] if aside is None else msgspec.json.decode(aside)
    return msgspec.json.encode([*entries, [FIRST_TRY, told]], order="deterministic")


def first_try(aside: bytes | None) -> dict[str, Any] | None:
    """How the first try ended; None where there was one alone, or nothing that can be read."""
    if aside is None or FIRST_TRY.encode() not in aside:
        return None
    try:
        entries = msgspec.json.decode(aside, type=list[list[Any]])
    except (msgspec.MsgspecError, RecursionError):
        return None
    last = entries[-1] if entries else []
    told = last[1] if len(last) == 2 and last[0] == FIRST_TRY else None
    return told if isinstance(told, dict) else None


def of_the_second(aside: bytes | None) -> bytes | None:
    """What stood beside the chain when the second try ended; as it is where there was no other."""
    if aside is None or first_try(aside) is None:
        return aside
    entries = msgspec.json.decode(aside)[:-1]
    return msgspec.json.encode(entries) if entries else None
