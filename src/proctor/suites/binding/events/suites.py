"""Suites over a user's events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from proctor.core.errors import InputError
from proctor.spec.suite import Entry, Suite
from proctor.suites.binding.events.source import EventsSource


class OverEvents:
    """A suite that can be had with its own corpora or with a user's events (`proctor run binding --events FILE`)."""

    def __init__(self, make: Callable[[], Suite], source: EventsSource[Any]) -> None:
        self._make = make
        self._source = source

    def __call__(self) -> Suite:
        return self._make()

    def on_data(self, path: Path) -> Suite:
        """The suite on the events of a file."""
        return on_events(self._make(), path, self._source)


def on_events(suite: Suite, path: Path, source: EventsSource[Any]) -> Suite:
    """The suite with a user's events in place of its own corpora: one entry per dataset, all else as declared."""
    if "#" in str(path):
        message = f"{path.name}: the path of an event file must not hold '#'; rename it"
        raise InputError(message)
    pattern = suite.entries[0]
    entries = tuple(
        Entry(
            family=f"{source.name}#{path}#{dataset}",
            n=family.instances,
            conditions=pattern.conditions,
            replicates=pattern.replicates,
            knobs=pattern.knobs,
        )
        for dataset, family in source.families_of(path).items()
    )
    return suite.model_copy(update={"entries": entries, "title": f"{suite.title}, events of one's own"})
