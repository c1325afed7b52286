"""What a four-code family of binding 2.0 is made of: its decisive field, its frames, and the scenes they fit.

`options` are frames about the two options: they speak for `p`. `thirds` call for waiting or stopping; they are about
the scene's matter and another one (`p` is the matter that waits or is forbidden), or about two people whose standing
the frame itself states (`p` is who says so). Exchanging the two phrases gives the twin. `{good}` in a frame about
people names an option that the other person is for.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.suites.binding.twins.clauses import Clauses, More
from proctor.suites.binding.twins.scene import Scene

Call = Literal["defer", "veto"]


class Third(Struct, frozen=True):
    """A frame that calls for waiting or stopping."""

    call: Call
    frame: Clauses
    about: Literal["matters", "people"] = "matters"

    @property
    def names_option(self) -> bool:
        """Whether the twin calls for an option of its own, rather than for nothing."""
        return self.about == "people"


class Topic(Struct, frozen=True, kw_only=True):
    """One family, before any event exists."""

    name: str
    """As the binding paper's list has it, with underscores: the dataset of its events, on the scorer's side alone."""
    title: str
    about: str
    field: str
    """The field that decides, in every event: its absence tells nothing about the target."""
    component: str
    """What the field belongs to: reason, memory, veto or self."""
    scenes: tuple[Scene, ...]
    options: tuple[Clauses | More, ...]
    thirds: tuple[Third, ...]
    others: dict[str, tuple[str, ...]]
    """By field: texts without bearing; most name an option all the same, as `{trap}`."""

    @property
    def family(self) -> str:
        """The family's id."""
        return f"twin-{self.name.replace('_', '-')}"
