"""Fields that were never there: irrelevant ones, and second copies that contradict the first.

Both are put at drawn places among the fields of an object and leave every original field as it is. Names never
collide with one that is there.
"""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.worlds.adversity.alter import replacement
from proctor.worlds.adversity.fields import is_field, json_pointer

_COPY_NAMES = ("{} (second copy)", "{} (from backup)", "{} (as reported)", "{} (cached)")
_PLACES = ("Lisbon", "Gdansk", "Osaka", "Tromso", "Leeds", "Turin")
_DISHES = ("lentil soup", "fish pie", "mushroom risotto", "bean stew", "vegetable curry")
_WEATHER = ("light rain", "overcast", "clear", "fog until noon", "strong wind")
_STATES = ("idle", "ok", "in maintenance", "restarting", "unknown")
_TEXTS: dict[str, tuple[str, ...]] = {
    "weather": _WEATHER,
    "canteen_menu": _DISHES,
    "printer_state": _STATES,
    "lift_state": _STATES,
    "next_team_outing": _PLACES,
    "newsletter_headline": (
        "Five years in the new building",
        "A word from facilities",
        "Bicycle racks are back",
        "Results of the photo contest",
    ),
    "page_footer": ("printed on recycled paper", "for internal use", "see reverse side", "page 1 of 1"),
    "theme": ("dark", "light", "high contrast"),
}
_NUMBERS: dict[str, tuple[int, int]] = {
    "office_temperature": (17, 27),
    "parking_spaces_free": (0, 140),
    "cache_age_seconds": (1, 9_000),
    "render_milliseconds": (3, 480),
    "newsletter_readers": (120, 4_800),
    "coffee_machine_cups": (4, 310),
    "schema_revision": (2, 60),
    "visitors_today": (0, 75),
}
_NAMES = (*_TEXTS, *_NUMBERS)


def add_distractors(fields: dict[str, Any], count: int, stream: Stream, receipts: list[Delivery]) -> dict[str, Any]:
    """The object with `count` irrelevant fields more."""
    extras: dict[str, Any] = {}
    while len(extras) < count:
        for kind in stream.sample(_NAMES, min(len(_NAMES), count - len(extras))):
            value = stream.choice(_TEXTS[kind]) if kind in _TEXTS else stream.integer(*_NUMBERS[kind])
            extras[_free(kind, fields, extras)] = value
    return _spread(fields, extras, stream, receipts, "distractor")


def add_conflicts(fields: dict[str, Any], count: int, stream: Stream, receipts: list[Delivery]) -> dict[str, Any]:
    """The object with `count` of its scalar fields repeated under a second name with a contradicting value.

    Fewer where it has fewer scalar fields; of a text with several lines one line contradicts. Numbers, dates and
    booleans are taken before mere words, which can only be scrambled.
    """
    candidates = [key for key, value in fields.items() if _can_contradict(value)]
    stream.shuffle(candidates)
    candidates.sort(key=lambda key: type(fields[key]) is str and not any(map(str.isdigit, fields[key])))
    extras: dict[str, Any] = {}
    for key in candidates[:count]:
        name = _free(stream.choice(_COPY_NAMES).format(key), fields, extras)
        extras[name] = _contradicting(fields[key], stream)
    return _spread(fields, extras, stream, receipts, "conflict")


def _can_contradict(value: Any) -> bool:
    if type(value) is str:
        return any(is_field(line) for line in value.split("\n"))
    return type(value) in (bool, int, float)


def _contradicting(value: Any, stream: Stream) -> Any:
    if type(value) is not str or "\n" not in value:
        return replacement(value, stream, blank=False)
    lines = value.split("\n")
    place = stream.choice([i for i, line in enumerate(lines) if is_field(line)])
    lines[place] = replacement(lines[place], stream, blank=False)
    return "\n".join(lines)


def _free(name: str, fields: dict[str, Any], extras: dict[str, Any]) -> str:
    free, number = name, 2
    while free in fields or free in extras:
        free, number = f"{name}_{number}", number + 1
    return free


def _spread(
    fields: dict[str, Any], extras: dict[str, Any], stream: Stream, receipts: list[Delivery], what: str
) -> dict[str, Any]:
    if not extras:
        return fields
    items = list(fields.items())
    for name, value in extras.items():
        items.insert(stream.below(len(items) + 1), (name, value))
        receipts.append(Delivery("noise", f"{what} {json_pointer([name])}"))
    return dict(items)
