"""Probes around a user's own events: `proctor run binding --events FILE`."""

from __future__ import annotations

from pathlib import Path

from proctor.core.errors import InputError
from proctor.spec.suite import Entry, Suite
from proctor.suites.binding.events.family import NAME, families_of


def on_events(suite: Suite, path: Path) -> Suite:
    """The suite with a user's events in place of its own corpora: one entry per dataset, all else as declared."""
    if "#" in str(path):
        message = f"{path.name}: the path of an event file must not hold '#'; rename it"
        raise InputError(message)
    pattern = suite.entries[0]
    entries = tuple(
        Entry(
            family=f"{NAME}#{path}#{dataset}",
            n=family.instances,
            conditions=pattern.conditions,
            replicates=pattern.replicates,
            knobs=pattern.knobs,
        )
        for dataset, family in families_of(path).items()
    )
    return suite.model_copy(update={"entries": entries, "title": f"{suite.title}, events of one's own"})
