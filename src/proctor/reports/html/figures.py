"""Small pictures as inline SVG: a rate with its interval against what is needed, and a level as a ladder.

Positions are percentages, so pictures grow and shrink with the page while strokes and letters keep their size. Each has
a title and a description for those who do not see it, and says nothing by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from proctor.reports.data import RungState
from proctor.reports.html.markup import Markup, join, tag


class Track(Struct, frozen=True, kw_only=True):
    """A value on a scale, with its interval and what it has to reach."""

    title: str
    description: str
    value: float | None
    low: float | None = None
    high: float | None = None
    second: tuple[float, float] | None = None
    """A further interval (clustered), drawn thinner below."""
    needs: float | None = None
    needs_text: str = ""
    start: float = 0.0
    end: float = 1.0


def track(given: Track, *, compact: bool = False) -> Markup:
    """The value as a dot, its interval as a bar, the threshold as a line across, with its words above it."""
    named = bool(given.needs_text) and not compact
    top = 21 if named else 9
    parts: list[Markup] = [
        tag("title", given.title),
        tag("desc", given.description),
        tag("rect", class_="rail", x="0", y=top - 2, width="100%", height=4, rx=2),
    ]
    if given.start < 0 < given.end:
        zero = _at(given, 0)
        parts.append(tag("line", class_="zero", x1=zero, x2=zero, y1=top - 7, y2=top + 7))
    if given.low is not None and given.high is not None:
        parts.append(_bar(given, given.low, given.high, top, 5, "span"))
    if given.second is not None and not compact:
        parts.append(_bar(given, *given.second, top + 11, 1.5, "second"))
    if given.needs is not None:
        x = _at(given, given.needs)
        parts.append(tag("line", class_="needs", x1=x, x2=x, y1=top - 8, y2=top + (9 if compact else 14)))
        if named:
            parts.append(tag("text", given.needs_text, class_="needs-text", x=x, y=9, text_anchor=_anchor(given)))
    if given.value is not None:
        parts.append(tag("circle", class_="dot", cx=_at(given, given.value), cy=top, r=4 if compact else 5.5))
    return tag("svg", *parts, class_="track", role="img", width="100%", height=18 if compact else top + 15)


def _bar(given: Track, low: float, high: float, middle: float, half: float, kind: str) -> Markup:
    left, right = _share(given, low), _share(given, high)
    width = max(right - left, 0.4)
    return tag(
        "rect",
        class_=kind,
        x=f"{left:.2f}%",
        y=middle - half,
        width=f"{width:.2f}%",
        height=2 * half,
        rx=min(half, 5),
    )


def _share(given: Track, value: float) -> float:
    inside = min(max(value, given.start), given.end)
    return 100 * (inside - given.start) / (given.end - given.start)


def _at(given: Track, value: float) -> str:
    return f"{_share(given, value):.2f}%"


def _anchor(given: Track) -> str:
    share = _share(given, given.needs or 0.0)
    return "start" if share < 8 else "end" if share > 92 else "middle"


_MARKS: dict[RungState, str] = {"not met": "×", "undecided": "?", "not measurable": "–"}
_WIDTH, _STRIDE, _LOWEST, _RISE = 20, 24, 8, 5


def ladder(title: str, states: Sequence[RungState], level: int | None) -> Markup:
    """Five rungs going up, each with the mark of its state and no other."""
    parts: list[Markup] = [tag("title", title), tag("desc", _words(states, level))]
    for number, state in enumerate(states, start=1):
        parts.append(_rung(state, _STRIDE * (number - 1) + 1, _LOWEST + _RISE * number))
    return tag("svg", join(*parts), class_="ladder", role="img", viewBox="0 0 118 37", width=118, height=37)


def rung(state: RungState) -> Markup:
    """One rung by itself, for a legend whose words stand beside it."""
    return tag("svg", _rung(state, 1, 18), class_="rung", viewBox="0 16 22 21", width=22, height=21, aria_hidden="true")


def _rung(state: RungState, x: float, height: float) -> Markup:
    y = 36 - height
    parts = [tag("rect", class_=f"step {_class(state)}", x=x, y=y, width=_WIDTH, height=height - 1, rx=2.5)]
    if state == "met, not credited":
        lines = range(3)
        parts += [tag("line", class_="hatch", x1=x + 4 + 6 * i, x2=x + 4 + 6 * i, y1=y + 3, y2=33) for i in lines]
    if mark := _MARKS.get(state):
        parts.append(tag("text", mark, class_="mark", x=x + 10, y=39.5 - height / 2, text_anchor="middle"))
    return join(*parts)


def _class(state: RungState) -> str:
    return state.replace(",", "").replace(" ", "-")


def _words(states: Sequence[RungState], level: int | None) -> str:
    text = "; ".join(f"level {number} {state}" for number, state in enumerate(states, start=1))
    return f"{'no level' if level is None else f'level {level} of 5'}: {text or 'nothing tested'}"
