"""Events recorded in an episode; one small file per kind.

Chained events hold no floats (decimal strings instead), integers below 2**53 and ASCII keys, so that their sorted
msgspec bytes are RFC 8785 bytes. Each carries its kind in `event`.
"""

from __future__ import annotations

import msgspec

from proctor.evidence.events.call import Called, Returned
from proctor.evidence.events.delivery import Delivery
from proctor.evidence.events.ending import AgentFailed, BenchFailed, LimitHit, Submitted, Verified
from proctor.evidence.events.episode import EpisodeClosed, EpisodeOpened, TaskShown
from proctor.evidence.events.model import ModelAsked
from proctor.evidence.events.observation import Observed
from proctor.evidence.events.speech import Said
from proctor.evidence.events.state import CarriedOver, MemoryMoved, StageRead, StateRead, StateWritten

Event = (
    EpisodeOpened
    | MemoryMoved
    | StageRead
    | CarriedOver
    | Observed
    | Called
    | Returned
    | Said
    | ModelAsked
    | StateWritten
    | StateRead
    | LimitHit
    | AgentFailed
    | BenchFailed
    | Submitted
    | Verified
    | EpisodeClosed
)

decode_event = msgspec.json.Decoder(Event).decode
"""The event in one line of a trace."""

__all__ = [
    "AgentFailed",
    "BenchFailed",
    "Called",
    "CarriedOver",
    "Delivery",
    "EpisodeClosed",
    "EpisodeOpened",
    "Event",
    "LimitHit",
    "MemoryMoved",
    "ModelAsked",
    "Observed",
    "Returned",
    "Said",
    "StageRead",
    "StateRead",
    "StateWritten",
    "Submitted",
    "TaskShown",
    "Verified",
    "decode_event",
]
