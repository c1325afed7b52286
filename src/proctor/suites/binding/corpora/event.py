"""An event: its people and places, its two options, and every text any of its probes may show.

All of it is drawn from the event's own stream, before a probe is looked at: the probes of one event differ in the one
field they are about and in nothing else, and no condition plays a part.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.binding.corpora.flavour import (
    ADVERSARIAL,
    DAYS,
    PEOPLE,
    PLACEBOS,
    RELEASED,
    STRENGTHS,
    TURNS,
    UNRELATED_MEMORIES,
    Flavour,
)

COMPONENTS = ("reason", "memory", "self", "veto")
FIELDS = ("x-situation", *COMPONENTS, "x-cue")
"""The fields that are there in every probe, in the order shown."""
PLACEBO_FIELD = "x-placebo"
TURNS_FIELD = "x-turns"


class Event(Struct, frozen=True):
    """One event, ready to be asked about."""

    id: str
    kept: str
    """The option that is taken when nothing else decides, by name."""
    other: str
    scene: int
    """Which frame its situation has."""
    slots: dict[str, str]
    frames: dict[str, str]
    """By what it is for: the frame of each text."""

    def text(self, use: str, **options: str) -> str:
        """The text for a use, its slots filled in, every sentence with a capital."""
        return capitalised(self.frames[use].format(**self.slots, **options))


def make_event(flavour: Flavour, name: str, stream: Stream, *, wording: int = 0) -> Event:
    """The event of this id; `wording` 1 gives every text another frame and changes nothing else."""
    kept, other = _two(flavour, stream)
    slots = {
        "who": stream.choice(PEOPLE),
        "place": stream.choice(flavour.places),
        "paper": stream.choice(flavour.papers),
        "day": stream.choice(DAYS),
    }
    # The order in which the options are listed is drawn too: place carries no meaning.
    first, second = (kept, other) if stream.chance(0.5) else (other, kept)
    scene = (stream.below(len(flavour.scenes)) + wording) % len(flavour.scenes)
    frames = {
        "scene": flavour.scenes[scene].replace("{x}", first).replace("{y}", second),
        **{use: _drawn(texts, stream, wording) for use, texts in _decisive(flavour).items()},
        **{f"filler {name}": _drawn(texts, stream, wording) for name, texts in flavour.fillers.items()},
        **{f"released {name}": _drawn(texts, stream, wording) for name, texts in RELEASED.items()},
        **{f"strength {level}": _drawn(texts, stream, wording) for level, texts in STRENGTHS.items()},
        "unrelated": _drawn(UNRELATED_MEMORIES, stream, wording),
        "placebo": _drawn(PLACEBOS, stream, wording),
        "adversarial": _drawn(ADVERSARIAL, stream, wording),
        "turns": " ".join(stream.sample(TURNS, len(TURNS))),
    }
    return Event(name, kept, other, scene, slots, frames)


def situation(event: Event, lean: str) -> str:
    """What is open and which option the situation leans to."""
    return f"{event.text('scene')} {event.text('lean', lean=lean)}"


def turns(event: Event, count: int) -> str:
    """So many turns of talk without content."""
    single = event.text("turns").split(". ")
    return " ".join(f"Turn {number + 1}: {single[number % len(single)].rstrip('.')}." for number in range(count))


def capitalised(text: str) -> str:
    """The text with a capital at its start and after every full stop."""
    pieces = text.split(". ")
    return ". ".join(piece[:1].upper() + piece[1:] for piece in pieces)


def _two(flavour: Flavour, stream: Stream) -> list[str]:
    """Two options to decide between, in an order without meaning."""
    if not flavour.paired:
        return stream.sample(flavour.options, 2)
    which = 2 * stream.below(len(flavour.options) // 2)
    return stream.sample(flavour.options[which : which + 2], 2)


def _decisive(flavour: Flavour) -> dict[str, Sequence[str]]:
    return {
        "lean": flavour.leans,
        "reason": flavour.reasons,
        "memory": flavour.memories,
        "self": flavour.selves,
        "veto": flavour.vetoes,
        "cue": flavour.cues,
    }


def _drawn(texts: Sequence[str], stream: Stream, wording: int) -> str:
    return texts[(stream.below(len(texts)) + wording) % len(texts)]
