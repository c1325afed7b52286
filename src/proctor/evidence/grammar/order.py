"""In which order events can come: a table of what may follow what.

    episode, memory?, carried?, stage read?, observation, acts …, submission, observation, acts …, submission,
    verification, carried?, end

A part may be missing where limit, agent or bench ended the episode before; a world may break at what the agent did as
late as in its verdict. A new event is a line in these tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Called,
    CarriedOver,
    EpisodeClosed,
    EpisodeOpened,
    LimitHit,
    MemoryMoved,
    ModelAsked,
    Observed,
    Returned,
    Said,
    StageRead,
    StateRead,
    StateWritten,
    Submitted,
    Verified,
)

_ACTS: dict[type[Any], str] = dict.fromkeys(
    (Called, Returned, Said, ModelAsked, StateWritten, StateRead, LimitHit), "acting"
)
_OUT: dict[type[Any], str] = {BenchFailed: "broken", EpisodeClosed: "closed"}

MAY_FOLLOW: dict[str, dict[type[Any], str]] = {
    "nothing": {EpisodeOpened: "opened", BenchFailed: "never begun"},
    "never begun": {EpisodeClosed: "closed", BenchFailed: "never begun"},
    "opened": {MemoryMoved: "remembering", CarriedOver: "given", StageRead: "told", Observed: "acting", **_OUT},
    "remembering": {CarriedOver: "given", StageRead: "told", Observed: "acting", **_OUT},
    "given": {StageRead: "told", Observed: "acting", **_OUT},
    "told": {Observed: "acting", **_OUT},
    "acting": {
        **_ACTS,
        Submitted: "handed in",
        AgentFailed: "ended",
        Verified: "judged",
        CarriedOver: "left",
        **_OUT,
    },
    # A world that the agent broke is found out whenever it is looked at, after a submission, a verdict or an end.
    "handed in": {Observed: "acting", Verified: "judged", AgentFailed: "ended", **_OUT},
    "ended": {Verified: "judged", CarriedOver: "left", AgentFailed: "ended", **_OUT},
    "judged": {CarriedOver: "left", AgentFailed: "ended", **_OUT},
    "left": _OUT,
    "broken": {AgentFailed: "ended", **_OUT},
    "closed": {},
}
"""State → (kind of event → the state after it). What is not there cannot come."""

SHOWN_AT_MOST = 2
"""One agent is shown the task; where a world hands it on, another one is."""


class Order:
    """Follows the table."""

    __slots__ = ("_shown", "_state", "_trouble")

    def __init__(self) -> None:
        self._state = "nothing"
        self._shown = 0
        self._trouble: str | None = None

    def take(self, number: int, event: Any) -> None:
        """The next event."""
        following = MAY_FOLLOW[self._state].get(type(event))
        if following is None:
            if self._trouble is None:
                name = type(event).__struct_config__.tag
                self._trouble = f"event {number}, {name!r}, cannot come here: the episode is {self._state!r}"
            return
        self._state = following
        if type(event) is Observed:
            self._shown += 1

    def problems(self) -> Iterator[str]:
        """What is wrong with the whole."""
        if self._trouble is not None:
            yield self._trouble
        elif self._state != "closed":
            yield "its events do not end"
        if self._shown > SHOWN_AT_MOST:
            yield f"{self._shown} agents were shown a task, and no world hands it on so often"
