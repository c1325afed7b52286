"""What a corpus of binding 2.0 is made of: scenes, each with options of its own that fit it.

Options, matters and people stand in slots. All options are single things spoken of with `the`, so that a clause fits
either of a pair; the two of a pair belong to one scene and never meet another's. No text holds a code or a label, and
none tells anybody to pick something.

| text | slots of options | what it says |
| --- | --- | --- |
| `setting` | `{x}`, `{y}`, `{matter}` | what is open, both options in either order |
| `reasons`, `selves` | | comparisons, which put the options in their places |

Every text may use `{who}`, `{other}` and `{day}`, which are the event's own. What a scene does not say itself (leans,
commitments, stops, remarks) comes from `shared_texts`, about its `matter`, its `aside` and its `authority`.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.suites.binding.events.source import slug
from proctor.suites.binding.twins.clauses import More


class Scene(Struct, frozen=True, kw_only=True):
    """One kind of situation."""

    setting: str
    matter: str
    """What is at hand: something that can be promised, forbidden and carried out."""
    aside: str
    """Something else that the same people have to do with, of which the same can be said."""
    authority: str
    """Who can forbid or permit both."""
    pairs: tuple[tuple[str, str], ...]
    """Options that are set against each other."""
    reasons: tuple[More, ...]
    """Evidence for one option; where it finds both alike it is the reason of the baseline row."""
    selves: tuple[More, ...]
    """What has been one's way; likewise."""


class Corpus(Struct, frozen=True, kw_only=True):
    """One corpus, before any event exists. Its columns are those that a source of events would have."""

    name: str
    """The namespace of its events, on the scorer's side alone."""
    title: str
    pressure: str
    """What the corpus presses on."""
    planned: int
    """Events in the plan, repeated source ids included."""
    distinct: int
    """Different source events among them."""
    tasks: tuple[str, ...] = ("first", "second")
    conditions: tuple[str, ...] = ("plain", "mixed", "late")
    runs: int = 6
    subjects: int = 24
    scenes: tuple[Scene, ...]

    @property
    def family(self) -> str:
        """The family's id."""
        return f"twin-{slug(self.name).replace('_', '-')}"
