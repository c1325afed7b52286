"""What families of planned events share: the plan of a lap, the events made from it, and the common declaration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from proctor.core.seeds import Stream
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.ontology import SIX_CODES
from proctor.suites.binding.corpora.sampling import Planned
from proctor.suites.binding.single_question import SingleQuestionFamily
from proctor.worlds.choice import REASONS, answer_schema

E = TypeVar("E")
_REMEMBERED = 4_096


class PlannedFamily(SingleQuestionFamily, Generic[E]):
    """A family whose questions are about planned events of the kind `E`."""

    def __init__(self) -> None:
        self._source: bytes | None = None
        self._plans: dict[int, tuple[Planned, ...]] = {}
        self._events: dict[tuple[int, int, int], E] = {}

    def plan_of(self, stream: Stream, lap: int) -> tuple[Planned, ...]:
        """What is planned in a lap, from a stream of its own."""
        raise NotImplementedError

    def event_of(self, source: Stream, lap: int, planned: Planned, wording: int) -> E:
        """The event itself, made anew."""
        raise NotImplementedError

    def laid_out(self, source: Stream, lap: int, planned: tuple[Planned, ...]) -> None:
        """Called once a lap has been planned, before any event of it is made."""

    def planned_rows(self, source: Stream, lap: int = 0) -> tuple[Planned, ...]:
        """The planned events of a lap."""
        # Plans and events are kept for one seed at a time: the runs of a process share it.
        if source.key != self._source:
            self._source, self._plans, self._events = source.key, {}, {}
        planned = self._plans.get(lap)
        if planned is None:
            planned = self._plans[lap] = self.plan_of(source.child("plan", lap), lap)
            self.laid_out(source, lap, planned)
        return planned

    def event_at(self, source: Stream, lap: int, row: int, wording: int) -> tuple[Planned, E]:
        """A planned row and its event."""
        planned = self.planned_rows(source, lap)[row]
        key = (lap, row, wording)
        event = self._events.get(key)
        if event is None:
            if len(self._events) >= _REMEMBERED:
                self._events.clear()
            event = self._events[key] = self.event_of(source, lap, planned, wording)
        return planned, event


def six_code_spec(templates: Iterable[str], **declared: Any) -> FamilySpec:
    """The declaration of a family of single questions with six codes: what is `declared`, and what all have."""
    return FamilySpec(
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="The canonical action code is the one that the decisive state prescribes.",
        verification="What was handed in is brought to one code or to none, and compared with the target that was "
        "fixed before any text was made.",
        reasons=REASONS,
        templates=tuple(templates),
        answer_schema=answer_schema(SIX_CODES),
        **declared,
    )
