"""A user's events as families: one per dataset, each event under the six probes, its text in front of the situation."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.suites.binding.corpora.family import CorpusFamily
from proctor.suites.binding.corpora.probes import Twist
from proctor.suites.binding.corpora.sampling import Planned, SourceRow, labels_exchanged
from proctor.suites.binding.events.everyday import EVERYDAY
from proctor.suites.binding.events.reading import UserEvent, in_order, read_events

NAME = "binding-events"


class EventsFamily(CorpusFamily):
    """The events of one dataset of a file."""

    def __init__(self, dataset: str, events: tuple[UserEvent, ...]) -> None:
        self.events = in_order(events)
        self._texts = {event.event_id: event.text for event in events}
        super().__init__(
            msgspec.structs.replace(
                EVERYDAY,
                family=f"{NAME}-{_slug(dataset)}",
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
        return msgspec.structs.replace(twist, preface=_sentence(self._texts[planned.row.event_id]))


class EventsSource:
    """What opens an event file: `binding-events#FILE#DATASET`."""

    def open_data(self, path: Path, part: str) -> EventsFamily:
        """The family of one dataset of the file; with one dataset it need not be named."""
        families = families_of(path)
        if not part and len(families) == 1:
            return next(iter(families.values()))
        if part not in families:
            message = f"{path.name} has no dataset '{part}'; it has {', '.join(families)}"
            raise InputError(message)
        return families[part]


source = EventsSource()


def families_of(path: Path) -> dict[str, EventsFamily]:
    """One family per dataset of an event file, in the order in which datasets first occur."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _families(path, changed)


@lru_cache(maxsize=8)
def _families(path: Path, changed: int) -> dict[str, EventsFamily]:
    groups: dict[str, list[UserEvent]] = {}
    for event in read_events(path):
        groups.setdefault(event.dataset, []).append(event)
    slugs: dict[str, str] = {}
    for dataset in groups:
        other = slugs.setdefault(_slug(dataset), dataset)
        if other != dataset:
            message = f"{path.name}: datasets '{other}' and '{dataset}' differ in spelling alone; name them apart"
            raise InputError(message)
    return {dataset: EventsFamily(dataset, tuple(events)) for dataset, events in groups.items()}


def _slug(dataset: str) -> str:
    """A dataset's name as part of a family's id; what has no letters or digits of its own gets a short hash."""
    plain = re.sub(r"[^a-z0-9_]+", "-", dataset.lower()).strip("-")
    return plain or sha256(dataset.encode()).hexdigest()[:8]


def _sentence(text: str) -> str:
    """The text as a sentence of its own; a closing quote or bracket may stand after its full stop."""
    return text if text.rstrip("\"'”’»)]")[-1:] in (*".!?…。！？",) else f"{text}."
