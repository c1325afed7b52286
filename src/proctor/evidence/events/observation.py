"""What the agent was shown without asking."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.evidence.events.delivery import Delivery


class Observed(Struct, frozen=True, tag_field="event", tag="observation", omit_defaults=True):
    """An observation that answers no call."""

    fields: Any
    """Exactly what the agent saw, after noise."""
    faults: tuple[Delivery, ...] = ()
