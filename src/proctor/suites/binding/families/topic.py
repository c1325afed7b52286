"""What one four-code family is made of: its decisive field, its names, and several templates of its own words.

Texts are frames with named slots. No frame holds a code, a label or an order to pick something; a decisive text speaks
about options by name, or about waiting and stopping without naming any. No sentence occurs in two families.

| text | slots of options | what it says |
| --- | --- | --- |
| `scene` | `{x}`, `{y}` | what is open, both options in either order |
| `lean` | `{lean}` | which option the situation leans to |
| `option` | `{good}`, `{bad}` | what decides for `good` |
| `defer`, `veto` | none | what decides for waiting, for stopping |
| `cue` | `{pick}` | something beside the point that happens to name an option |
| `others` | `{trap}` | further fields without bearing, some of which name an option all the same |

Every text may use `{who}`, `{other}`, `{place}` and `{day}`, which are the event's own.
"""

from __future__ import annotations

from msgspec import Struct, field

DEFER, VETO = "defer", "veto"


class Template(Struct, frozen=True):
    """One form of the family: every text its events may show."""

    scene: str
    lean: str
    option: str
    cue: str
    others: dict[str, str] = field(default_factory=dict)
    """By field name: the same fields in every template of a family."""
    defer: str = ""
    """Empty where the family never calls for waiting."""
    veto: str = ""
    """Empty where the family never calls for stopping."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All its frames."""
        texts = (self.scene, self.lean, self.option, self.defer, self.veto, self.cue, *self.others.values())
        return tuple(text for text in texts if text)


class Topic(Struct, frozen=True):
    """One family, before any event exists."""

    name: str
    """As the binding paper's list has it, with underscores: dataset and probe of its events."""
    title: str
    about: str
    field: str
    """The field that decides, in every event: its absence tells nothing about the target."""
    component: str
    """What the field belongs to: reason, memory, veto or self."""
    places: tuple[str, ...]
    options: tuple[str, ...]
    templates: tuple[Template, ...]

    @property
    def family(self) -> str:
        """The family's id."""
        return f"binding-{self.name.replace('_', '-')}"

    @property
    def thirds(self) -> tuple[str, ...]:
        """What may be called for besides the two options."""
        first = self.templates[0]
        return tuple(kind for kind, text in ((DEFER, first.defer), (VETO, first.veto)) if text)
