"""What opens an event file: `NAME#FILE#DATASET`, one family per dataset."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from proctor.core.errors import InputError
from proctor.engine.family import Family
from proctor.suites.binding.events.reading import UserEvent, read_events


class OfEvents(Family, Protocol):
    """A family of a finite number of events."""

    @property
    def instances(self) -> int: ...


F = TypeVar("F", bound=OfEvents)


class EventsSource(Generic[F]):
    """Opens event files under a name that families are registered with."""

    def __init__(self, name: str, make: Callable[[str, tuple[UserEvent, ...]], F]) -> None:
        self.name = name
        self._make = make
        self._kept = lru_cache(maxsize=8)(self._read)

    def families_of(self, path: Path) -> dict[str, F]:
        """One family per dataset of an event file, in the order in which datasets first occur."""
        try:
            changed = path.stat().st_mtime_ns
        except OSError:
            changed = 0
        return self._kept(path, changed)

    def open_data(self, path: Path, part: str) -> F:
        """The family of one dataset of the file; with one dataset it need not be named."""
        families = self.families_of(path)
        if not part and len(families) == 1:
            return next(iter(families.values()))
        if part not in families:
            message = f"{path.name} has no dataset '{part}'; it has {', '.join(families)}"
            raise InputError(message)
        return families[part]

    def _read(self, path: Path, changed: int) -> dict[str, F]:
        return {dataset: self._make(dataset, tuple(events)) for dataset, events in by_dataset(path).items()}


def by_dataset(path: Path) -> dict[str, list[UserEvent]]:
    """The events of a file by dataset, in the order in which datasets first occur."""
    groups: dict[str, list[UserEvent]] = {}
    for event in read_events(path):
        groups.setdefault(event.dataset, []).append(event)
    slugs: dict[str, str] = {}
    for dataset in groups:
        other = slugs.setdefault(slug(dataset), dataset)
        if other != dataset:
            message = f"{path.name}: datasets '{other}' and '{dataset}' differ in spelling alone; name them apart"
            raise InputError(message)
    return groups


def slug(dataset: str) -> str:
    """A dataset's name as part of a family's id; what has no letters or digits of its own gets a short hash."""
    plain = re.sub(r"[^a-z0-9_]+", "-", dataset.lower()).strip("-")
    return plain or sha256(dataset.encode()).hexdigest()[:8]
