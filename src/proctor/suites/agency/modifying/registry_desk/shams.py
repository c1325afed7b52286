"""Changes that change nothing: of the same kind and size as another one, and about things that do not matter here."""

from __future__ import annotations

from proctor.suites.agency.modifying.changes import (
    Change,
    CheckBeforeWrite,
    CompositeTool,
    Condition,
    KeptField,
    StateSchema,
    Step,
    field_kind,
)
from proctor.suites.agency.modifying.registry_desk.office import SPARE_FIELDS, STATE

_LOOKS = ("board", "open_records", "read_gauge")
_TRUE = (Condition("state.humidity", "at-least", 0), Condition("state.humidity", "at-most", 100))


def sham_of(change: Change | None) -> Change | None:
    """A change of the same kind and size that leaves every bottleneck as it is; None where there is no change."""
    if change is None:
        return None
    if isinstance(change, CompositeTool):
        steps = [Step(_LOOKS[number % len(_LOOKS)], attempts=step.attempts) for number, step in enumerate(change.steps)]
        return CompositeTool("look_round", [], steps)
    if isinstance(change, CheckBeforeWrite):
        return CheckBeforeWrite(change.before, [_TRUE[number % 2] for number in range(len(change.conditions))])
    names = SPARE_FIELDS[: len(change.fields)]
    return StateSchema([KeptField(name, field_kind(STATE[name])) for name in names])
