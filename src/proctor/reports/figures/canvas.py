"""Drawing surfaces: one look, a light background, colours that colour-blind readers can tell apart, and fixed bytes.

Nothing here is global: settings hold while a figure is drawn and written. No date and no random identifier enters, so
the same tables give the same files with the same version of the drawing library. Names come from strangers: they are
never read as formulas, and they are shortened where they would not fit.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from proctor.core.errors import NeedsExtra
from proctor.reports.characters import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, LINE, FAINT, ABSENT = "#171a21", "#525a68", "#c9ced7", "#f1f3f6", "#e8eaee"
BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
CYCLE = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY, "#7a7a7a", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""Groups differ by mark as well as by colour."""
_SETTINGS: Any = {
    "svg.hashsalt": "proctor",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "axes.unicode_minus": True,
}
_INCH_A_LINE = 0.165
_LETTERS_AN_INCH = 17.5
DOTS_AN_INCH = 150


@contextmanager
def drawing() -> Iterator[None]:
    """The look holds inside. Without matplotlib: one sentence that says what to install."""
    try:
        import matplotlib
    except ImportError:
        message = "figures are drawn with matplotlib: install it with `pip install 'proctor[figures]'`"
        raise NeedsExtra(message) from None
    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
        # A name in a script the font lacks is drawn as boxes; that is no reason to stop.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


class Sheet:
    """A figure with a title above, room for panels, and lines of text below that say what it holds under."""

    def __init__(self, title: str, *, width: float, height: float, footer: tuple[str, ...]) -> None:
        from matplotlib.figure import Figure as Blank

        letters = max(int(_LETTERS_AN_INCH * width), 20)
        lines = [line for text in footer if text for line in wrap(visible(text), letters)]
        heads = wrap(title, max(int(letters * 0.6), 20))
        below = _INCH_A_LINE * len(lines) + 0.12
        above = 0.24 * len(heads) + 0.1
        whole = height + below + above
        self.figure: Figure = Blank(figsize=(width, whole), dpi=DOTS_AN_INCH, layout="constrained")
        engine: Any = self.figure.get_layout_engine()
        engine.set(rect=(0.01, below / whole, 0.98, height / whole), h_pad=0.07, w_pad=0.06, hspace=0.04)
        self.figure.text(0.012, 1 - 0.07 / whole, "\n".join(heads), va="top", fontsize=11.5, weight="bold")
        self.figure.text(0.012, 0.06 / whole, "\n".join(lines), va="bottom", fontsize=7.2, color=SOFT)

    def panel(self) -> Axes:
        """The only panel."""
        return self.figure.add_subplot()

    def panels(self, rows: int, columns: int, **more: Any) -> list[Axes]:
        """Several panels, by rows."""
        grid: Any = self.figure.subplots(rows, columns, squeeze=False, **more)
        return [axes for row in grid for axes in row]

    def files(self) -> dict[str, bytes]:
        """The figure as `svg` and `png`."""
        self._settle()
        return {
            "svg": self._written("svg", {"Date": None, "Creator": "proctor"}),
            "png": self._written("png", {"Software": None}),
        }

    def _settle(self) -> None:
        """Fix the places of all panels. The solver behind the layout differs in the last bits from one time to the
        next, and names of clip paths hang on them: places are rounded."""
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")
        for axes in self.figure.axes:
            left, bottom, width, height = (round(float(value), 6) for value in axes.get_position().bounds)
            axes.set_position((left, bottom, width, height))

    def _written(self, kind: str, facts: dict[str, Any]) -> bytes:
        out = BytesIO()
        self.figure.savefig(out, format=kind, metadata=facts)
        return out.getvalue()


def short(text: str, most: int = 34) -> str:
    """A name that fits: control characters made visible, the middle left out."""
    shown = " ".join(visible(text).split())
    if len(shown) <= most:
        return shown
    start = ceil((most - 1) * 0.6)
    return f"{shown[:start]}…{shown[len(shown) - (most - 1 - start) :]}"


def number_text(value: float | None, form: str = ".2f") -> str:
    """A number with a real minus sign; a dash where there is none."""
    if value is None:
        return "–"
    shown = format(value, form).replace("-", "−")
    return shown.removeprefix("−") if not shown.strip("−0.") else shown


def names_down(axes: Axes, names: list[str], *, most: int = 34) -> None:
    """Names of rows down the left side, the first on top."""
    axes.set_yticks(range(len(names)), [short(name, most) for name in names])
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)
    for sharing in (axes, *axes.get_shared_y_axes().get_siblings(axes)):
        sharing.tick_params(axis="y", length=0)


def beside(axes: Axes, y: float, text: str) -> None:
    """Words at the right of a row."""
    axes.text(1.02, y, short(text, 64), transform=axes.get_yaxis_transform(), va="center", fontsize=7.8, color=SOFT)


def stacked(values: Sequence[float], *, step: float, room: float) -> list[float]:
    """How far up each of these marks moves, so that equal ones stand on each other instead of hiding; never above
    `room`."""
    seen: dict[float, int] = {}
    heights = []
    for value in values:
        at = round(value, 4)
        heights.append(seen.get(at, 0))
        seen[at] = heights[-1] + 1
    step = min(step, room / max(*heights, 1)) if heights else step
    return [step * at for at in heights]


def zero_line(axes: Axes) -> None:
    """Where nothing is gained or lost."""
    axes.axvline(0.0, color=SOFT, linewidth=0.9, zorder=1)


def light_grid(axes: Axes, axis: str = "x") -> None:
    """Lines to read values off, behind everything."""
    chosen: Any = axis
    axes.grid(visible=True, axis=chosen, color=FAINT, linewidth=0.9)
    axes.set_axisbelow(True)


def shades() -> Any:
    """Light to blue for shares and scores; orange below zero, grey for what is missing. Dark letters read on all."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("proctor", ["#f0b26b", "#fbe6cc", "#ffffff", "#cfe3f2", "#79b4dc"])
    return colours.with_extremes(bad=ABSENT)
