"""An event of a four-code family: the target first, then names, then the texts that follow from both.

What is called for goes by the instance's number: of three in a row one calls for the first option, one for the second
and one for waiting or stopping, in an order from the seed; labels are exchanged for every other three. Everything else
(template, names, what the situation leans to, what a cue or a trap happens to name) is drawn without looking at the
target, so that an observation without the decisive field tells nothing about it.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.spec.ontology import FOUR_CODES
from proctor.suites.binding.corpora.event import capitalised
from proctor.suites.binding.corpora.flavour import DAYS, PEOPLE
from proctor.suites.binding.families.topic import DEFER, VETO, Template, Topic

Call = Literal["first", "second", "defer", "veto"]
SITUATION, CUE = "x-situation", "x-cue"
ORDER = (SITUATION, "reason", "memory", "self", "plan", "x-turns", "constraints", "veto", CUE)
"""The order in which fields are shown."""
ROUND = 3
"""Instances in which each of the three kinds of targets occurs once."""


class Place(Struct, frozen=True):
    """What an instance's number fixes."""

    call: Call
    swapped: bool


class Built(Struct, frozen=True):
    """An event: what may be seen, and what only the scorer knows."""

    event: str
    template: int
    state: dict[str, dict[str, str]]
    options: dict[str, str]
    """Names by code, in the order of the codes."""
    hidden: dict[str, Any]


def place_of(topic: Topic, index: int, source: Stream) -> Place:
    """What the instance of this number calls for, and whether its labels are exchanged."""
    number, within = divmod(index, ROUND)
    which = source.child("calls", number).sample((0, 1, 2), ROUND)[within]
    thirds: tuple[Any, ...] = topic.thirds
    calls: tuple[Call, ...] = ("first", "second", thirds[number % len(thirds)])
    # Of two rounds in a row exactly one has its labels exchanged; which one is drawn.
    exchanged = number % 2 == source.child("labels", number // 2).below(2)
    return Place(calls[which], exchanged)


def build(topic: Topic, place: Place, stream: Stream, *, declared: bool) -> Built:
    """The event. With `declared` the decisive field names its code, and the cue names an option that is not it."""
    drawn = _drawn(topic, stream)
    first, second = FOUR_CODES.options
    own = (second, first) if place.swapped else (first, second)
    target = _target(place.call, own)
    pick = drawn.pick
    if declared and target in own:
        # Shown beside the decisive field alone, where it cannot give the target away: there it has to mislead.
        pick = 1 - own.index(target)
    texts = _texts(topic, drawn, place.call, pick)
    if declared:
        texts[topic.field] += f" For event {drawn.event} that comes to {target}."
    options = {code: drawn.names[own.index(code)] for code in FOUR_CODES.options}
    return Built(
        event=drawn.event,
        template=drawn.template,
        state={name: {"event": drawn.event, "text": text} for name, text in texts.items()},
        options=options,
        hidden={
            "target": target,
            "before": own[drawn.lean],
            "probe": topic.name,
            "component": topic.component,
            "decisive": [topic.field],
            "valid": list(FOUR_CODES.codes),
            "swapped": int(place.swapped),
            "implied": {SITUATION: own[drawn.lean], topic.field: target, CUE: own[pick]},
            "base_event": drawn.event,
            "options": options,
            "cue_code": own[pick],
            "declared": int(declared),
        },
    )


class _Drawn(Struct, frozen=True):
    """All of an event that has nothing to do with its target. Options are 0 and 1."""

    event: str
    template: int
    names: tuple[str, str]
    slots: dict[str, str]
    lean: int
    pick: int
    trap: int
    listed: int
    """Which option is listed first: place carries no meaning."""


def _drawn(topic: Topic, stream: Stream) -> _Drawn:
    event, template = f"ev{stream.hex(8)}", stream.below(len(topic.templates))
    one, two = stream.sample(topic.options, 2)
    who, other = stream.sample(PEOPLE, 2)
    slots = {"who": who, "other": other, "place": stream.choice(topic.places), "day": stream.choice(DAYS)}
    lean, pick, trap, listed = (stream.below(2) for _ in range(4))
    return _Drawn(event, template, (one, two), slots, lean, pick, trap, listed)


def _target(call: Call, own: tuple[str, str]) -> str:
    if call == DEFER:
        return FOUR_CODES.defer
    return FOUR_CODES.veto if call == VETO else own[call == "second"]


def _texts(topic: Topic, drawn: _Drawn, call: Call, pick: int) -> dict[str, str]:
    """Every field's text, in the order shown."""
    template, names = topic.templates[drawn.template], drawn.names
    frames = {
        SITUATION: f"{template.scene} {template.lean}",
        topic.field: _decisive(template, call),
        **template.others,
        CUE: template.cue,
    }
    good = int(call == "second")
    slots = {
        **drawn.slots,
        "x": names[drawn.listed],
        "y": names[1 - drawn.listed],
        "lean": names[drawn.lean],
        "trap": names[drawn.trap],
        "pick": names[pick],
        "good": names[good],
        "bad": names[1 - good],
    }
    return {name: capitalised(frames[name].format(**slots)) for name in ORDER if name in frames}


def _decisive(template: Template, call: Call) -> str:
    if call in ("first", "second"):
        return template.option
    return template.defer if call == DEFER else template.veto
