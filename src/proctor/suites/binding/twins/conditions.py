"""The Conditions of 2.0: those of 1.0, but that what is beside the point stands in `x-remark`."""

from __future__ import annotations

from proctor.spec.condition import Read
from proctor.suites.binding.families import conditions
from proctor.suites.binding.twins.event import REMARK

FULL = conditions.FULL.model_copy(update={"reads": {REMARK: Read(do="remove")}})
SUFFICIENCY = tuple(FULL if one.id == FULL.id else one for one in conditions.SUFFICIENCY)
"""The six of the sufficiency experiment."""
