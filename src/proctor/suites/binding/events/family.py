"""A user's events as families: one per dataset, each event under the six probes, its text in front of the situation."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from proctor.core.seeds import Stream
from proctor.suites.binding.corpora.family import CorpusFamily
from proctor.suites.binding.corpora.probes import Twist
from proctor.suites.binding.corpora.sampling import Planned, SourceRow, labels_exchanged
from proctor.suites.binding.events.everyday import EVERYDAY
from proctor.suites.binding.events.reading import UserEvent, in_order
from proctor.suites.binding.events.source import EventsSource, slug

NAME = "binding-events"


class EventsFamily(CorpusFamily):
    """The events of one dataset of a file."""

    def __init__(self, dataset: str, events: tuple[UserEvent, ...]) -> None:
        self.events = in_order(events)
        self._texts = {event.event_id: event.text for event in events}
        super().__init__(
            msgspec.structs.replace(
                EVERYDAY,
                family=f"{NAME}-{slug(dataset)}",
                dataset=dataset,
                title=f"Events of {dataset}",
                planned=len(events),
                distinct=len(self._texts),
            )
        )
        # The content stands in the declaration, so that it is part of what a run freezes.
        content = sha256(msgspec.json.encode(self.events)).hexdigest()
        description = f"{self.spec.description.rstrip('.')}; content {content[:16]}."
        self.spec = self.spec.model_copy(update={"description": description})

    @property
    def supply(self) -> int:
        """Instances there are: every event under every probe, and no more."""
        return self.instances

    def plan_of(self, stream: Stream, lap: int) -> tuple[Planned, ...]:
        """Every event of the file; what is repeated, by the file or by whoever draws beyond it, is marked."""
        exchanged = labels_exchanged(list(self._texts), stream.child("labels"))
        seen = set(self._texts) if lap else set()
        planned: list[Planned] = []
        for event in self.events:
            name, columns = event.event_id, event.columns
            row = SourceRow(name, columns.get("task", ""), columns.get("condition", ""), 0, 0, "", 0)
            planned.append(Planned(row, name in exchanged, name in seen))
            seen.add(name)
        return tuple(planned)

    def twisted(self, twist: Twist, planned: Planned) -> Twist:
        return msgspec.structs.replace(twist, preface=as_sentence(self._texts[planned.row.event_id]))


source = EventsSource(NAME, EventsFamily)


def as_sentence(text: str) -> str:
    """The text as a sentence of its own; a closing quote or bracket may stand after its full stop."""
    return text if text.rstrip("\"'”’»)]")[-1:] in (*".!?…。！？",) else f"{text}."
