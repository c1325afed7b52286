"""A user's events under the nine probes: one family per dataset, each text in front of a scene that fits any event."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from proctor.core.seeds import Stream
from proctor.suites.binding.corpora.sampling import Planned, SourceRow
from proctor.suites.binding.events.family import as_sentence
from proctor.suites.binding.events.reading import UserEvent, in_order
from proctor.suites.binding.events.source import EventsSource, slug
from proctor.suites.binding.twins.corpora.everyday import EVERYDAY
from proctor.suites.binding.twins.family import TwinCorpus

NAME = "twin-events"


class TwinEvents(TwinCorpus):
    """The events of one dataset of a file."""

    def __init__(self, dataset: str, events: tuple[UserEvent, ...]) -> None:
        self.events = in_order(events)
        self._texts = {event.event_id: event.text for event in events}
        super().__init__(
            msgspec.structs.replace(
                EVERYDAY, name=dataset, title=f"Events of {dataset}", planned=len(events), distinct=len(self._texts)
            )
        )
        # The content stands in the declaration, so that it is part of what a run freezes.
        content = sha256(msgspec.json.encode(self.events)).hexdigest()
        description = f"{self.spec.description.rstrip('.')}; content {content[:16]}."
        self.spec = self.spec.model_copy(update={"id": f"{NAME}-{slug(dataset)}", "description": description})

    @property
    def supply(self) -> int:
        """Instances there are: every event under every probe, and no more."""
        return self.instances

    def plan_of(self, stream: Stream, lap: int) -> tuple[Planned, ...]:
        """Every event of the file; what is repeated, by the file or by whoever draws beyond it, is marked."""
        seen = set(self._texts) if lap else set()
        planned: list[Planned] = []
        for event in self.events:
            name, columns = event.event_id, event.columns
            row = SourceRow(name, columns.get("task", ""), columns.get("condition", ""), 0, 0, "", 0)
            planned.append(Planned(row, swapped=False, duplicate=name in seen))
            seen.add(name)
        return tuple(planned)

    def preface(self, planned: Planned) -> str:
        return as_sentence(self._texts[planned.row.event_id])


source = EventsSource(NAME, TwinEvents)
