"""Pictures of the binding section as inline SVG: tiles of a matrix, and strips of a forest.

Tiles are cells of a table, so that rows and columns keep their headings for everyone. A tile says its number; the shade
only repeats it. Colours come from the style sheet, shades from the opacity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from proctor.reports.figures.forests import ForestLine
from proctor.reports.html.markup import Markup, join, tag
from proctor.reports.html.parts import table
from proctor.reports.numbers import NOT_MEASURED


class Tile(Struct, frozen=True):
    """A share or score in a matrix."""

    about: str
    value: float | None
    detail: str = ""
    ring: bool | None = None
    """None: no ring; true: a reduction was expected and is there; false: expected, and not there."""


def score(value: float | None) -> str:
    """Three decimals, with a real minus sign."""
    return NOT_MEASURED if value is None else f"{value:.3f}".replace("-", "−")


def tile(given: Tile) -> Markup:
    """A shaded cell with its number, and a ring where a lesion should show."""
    words = [score(given.value), given.detail]
    if given.ring is not None:
        words.append("expected to fall, and does" if given.ring else "expected to fall, and does not")
    parts = [
        tag("title", given.about),
        tag("desc", "; ".join(part for part in words if part)),
        tag("rect", class_="edge", x="0", y="0", width="100%", height=32, rx=3),
    ]
    if given.value is not None:
        shade = min(abs(given.value), 1.0)
        kind = "heat below" if given.value < 0 else "heat"
        parts.append(tag("rect", class_=kind, width="100%", height=32, rx=3, fill_opacity=f"{shade:.3f}"))
    if given.ring is not None:
        kind = "ring" if given.ring else "ring stayed"
        parts.append(tag("ellipse", class_=kind, cx="50%", cy=16, rx="40%", ry=13.5))
    absent = given.value is None
    text = "–" if absent else score(given.value)
    parts.append(
        tag("text", text, class_="tile-text absent" if absent else "tile-text", x="50%", y=20.5, text_anchor="middle")
    )
    return tag("svg", join(*parts), class_="tile", role="img", width="100%", height=32)


def matrix(caption: str, columns: Sequence[str], rows: Iterable[tuple[str | Markup, Sequence[Tile]]]) -> Markup:
    """Tiles by rows and columns."""
    body = [[label, *(tile(one) for one in tiles)] for label, tiles in rows]
    return table(caption, ["", *columns], body, kind="matrix")


def scale(lines: Sequence[ForestLine]) -> tuple[float, float]:
    """A common scale for strips: zero is always on it."""
    values = [
        value
        for line in lines
        for value in (line.low, line.high, line.mean, line.minimum, *line.units.values())
        if value is not None
    ]
    low, high = min([0.0, *values]), max([0.0, *values])
    margin = 0.04 * ((high - low) or 1.0)
    return low - margin, high + margin


def strip(line: ForestLine, ends: tuple[float, float]) -> Markup:
    """Units as circles, the mean as a diamond on its interval, the two careful means as triangles."""

    def at(value: float) -> str:
        return f"{100 * (min(max(value, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0]):.2f}%"

    zero = at(0.0)
    parts = [
        tag("title", line.label),
        tag("desc", described(line)),
        tag("rect", class_="rail", x="0", y=15, width="100%", height=2, rx=1),
        tag("line", class_="zero", x1=zero, x2=zero, y1=3, y2=29),
    ]
    if line.low is not None and line.high is not None:
        parts.append(tag("line", class_="needs", x1=at(line.low), x2=at(line.low), y1=9, y2=23))
        parts.append(tag("line", class_="needs", x1=at(line.high), x2=at(line.high), y1=9, y2=23))
    parts += [tag("circle", class_="point", cx=at(value), cy=16, r=4) for _, value in sorted(line.units.items())]
    for value in (line.leave_one_out, line.top_removed):
        if value is not None:
            parts.append(_shape("careful", at(value), "M0 21l4 7h-8z"))
    if line.mean is not None:
        parts.append(_shape("middle", at(line.mean), "M0 10l5 6l-5 6l-5 -6z"))
    return tag("svg", join(*parts), class_="track", role="img", width="100%", height=32)


def _shape(kind: str, x: str, path: str) -> Markup:
    # A nested svg takes a percentage as its place; what is inside is drawn around it.
    return tag("svg", tag("path", class_=kind, d=path), x=x, overflow="visible")


def described(line: ForestLine) -> str:
    """The strip in words."""
    bounds = NOT_MEASURED if line.low is None else f"{score(line.low)} to {score(line.high)}"
    return f"mean {score(line.mean)}, interval {bounds}, {line.positive} of {line.count} above zero"
