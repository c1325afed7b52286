"""One episode held against the grammar: every event is handed to the subjects that care about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    StageRead,
    StateRead,
    Submitted,
    Verified,
)
from proctor.evidence.grammar.calls import Calls
from proctor.evidence.grammar.deliveries import Deliveries
from proctor.evidence.grammar.endings import Endings
from proctor.evidence.grammar.exclusions import Exclusions
from proctor.evidence.grammar.limits import Caps
from proctor.evidence.grammar.opening import Opening
from proctor.evidence.grammar.order import Order
from proctor.evidence.grammar.setting import Setting

Take = Callable[[int, Any], None]


class EpisodeGrammar:
    """Takes the events of one episode in order."""

    __slots__ = ("_number", "_subjects", "_takes", "caps", "exclusions", "opening", "order")

    def __init__(self) -> None:
        calls, caps, faults, endings, opening = Calls(), Caps(), Deliveries(), Endings(), Opening()
        self.order = Order()
        self.opening = opening
        self.caps = caps
        self.exclusions = exclusions = Exclusions()
        self._subjects = (calls, caps, faults, endings, opening, exclusions)
        self._number = 0
        self._takes: dict[type[Any], tuple[Take, ...]] = {
            EpisodeOpened: (caps.opened, faults.opened, endings.opened, opening.opened, exclusions.opened),
            MemoryMoved: (opening.moved,),
            CarriedOver: (opening.carried,),
            StageRead: (opening.stage_read,),
            Observed: (faults.observed, endings.observed, exclusions.observed),
            Called: (calls.called, caps.called, opening.called, exclusions.called),
            Returned: (calls.returned, caps.returned, faults.returned, exclusions.returned),
            ModelAsked: (caps.asked,),
            StateRead: (opening.state_read,),
            LimitHit: (calls.excused, caps.limit, endings.limit, opening.limit, exclusions.ending),
            AgentFailed: (calls.excused, endings.failed, opening.failed, exclusions.ending),
            BenchFailed: (calls.excused, endings.broke, exclusions.broke),
            Submitted: (calls.submitted, endings.submitted, exclusions.ending),
            Verified: (endings.verified,),
            EpisodeClosed: (calls.closed, caps.closed, endings.closed),
        }

    def take(self, event: Any) -> None:
        """The next event."""
        number, self._number = self._number, self._number + 1
        self.order.take(number, event)
        for take in self._takes.get(type(event), ()):
            take(number, event)

    def problems(self, setting: Setting) -> Iterator[str]:
        """What no episode of this setting could have recorded, in sentences."""
        yield from self.order.problems()
        for subject in self._subjects:
            yield from subject.problems(setting)
