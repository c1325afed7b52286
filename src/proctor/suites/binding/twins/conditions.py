"""The Conditions of 2.0: as in 1.0, but what is beside the point stands in `x-remark`, and donors are rows of events.

A donor that is chosen because its right answer differs tells whoever remembers where a text turned up what that text
calls for. Here every row of the other event is read in some row of this one, whatever is right in either.
"""

from __future__ import annotations

from collections.abc import Iterable

from proctor.spec.condition import Condition, Read
from proctor.suites.binding import conditions as benchmark
from proctor.suites.binding.families import conditions
from proctor.suites.binding.own_state.suite import CONDITIONS
from proctor.suites.binding.twins.event import REMARK


def by_event(given: Iterable[Condition]) -> tuple[Condition, ...]:
    """The same Conditions, scrambled with rows of other events."""
    return tuple(
        one.model_copy(update={"reads": {name: _of_event(read) for name, read in one.reads.items()}}) for one in given
    )


def _of_event(read: Read) -> Read:
    return read.model_copy(update={"donor": "event"}) if read.donor == "unlike" else read


FULL = conditions.FULL.model_copy(update={"reads": {REMARK: Read(do="remove")}})
SUFFICIENCY = by_event(FULL if one.id == FULL.id else one for one in conditions.SUFFICIENCY)
"""The six of the sufficiency experiment."""
VARIANTS = by_event(conditions.VARIANTS)
"""What the cell matrix compares."""
CONTROLS = by_event(conditions.CONTROLS)
"""The seven of the control rows."""
STRONGER = by_event(benchmark.CONTROLS)
"""The stronger controls of the extended benchmark."""
OWN_STATE = by_event(CONDITIONS)
"""Lesions of an agent's own state."""
