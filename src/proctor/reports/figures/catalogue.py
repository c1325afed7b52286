"""Every figure: its name, its title, the tables it is drawn from, and what to run where they are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct, field

from proctor.core.atomic_write import atomic_write
from proctor.core.errors import InputError, NeedsExtra
from proctor.core.hashing import sha256_hex
from proctor.reports.figures import behaviour, boundary, coupling, displacement, prediction, probabilities
from proctor.reports.figures.canvas import Sheet, drawing
from proctor.reports.figures.prediction_tables import PREFIX
from proctor.reports.figures.views import Plain, scope
from proctor.reports.tables import csv_of

Draw = Callable[[Plain, str, tuple[str, ...]], Sheet | None]
PREDICT = "`proctor predict … -o FOLDER` and `--predicted FOLDER`"
LIST = "figures.csv"


class FigureKind(Struct, frozen=True):
    """One figure of the catalogue."""

    name: str
    title: str
    draw: Draw
    needs: tuple[str, ...]
    """Tables without which there is nothing to draw."""
    source: str
    """What makes them."""
    any_of: tuple[str, ...] = ()
    """At least one of these, instead."""
    also: tuple[str, ...] = ()
    """Tables drawn where they are there."""

    @property
    def of_records(self) -> bool:
        """Whether it shows records of a study, and not the run."""
        return bool(self.needs) and all(name.startswith(PREFIX) for name in self.needs)

    def tables(self, given: Plain) -> tuple[str, ...]:
        """Those of its tables that are there."""
        return tuple(name for name in (*self.needs, *self.any_of, *self.also) if name in given)

    def lacks(self, given: Plain) -> str:
        """Why it cannot be drawn; empty where it can."""
        absent = [name for name in self.needs if name not in given]
        if absent:
            return f"no table {', '.join(absent)} (made by {self.source})"
        if self.any_of and not any(name in given for name in self.any_of):
            return f"none of the tables {', '.join(self.any_of)} is there"
        return ""


FIGURES = (
    FigureKind("contrast-forest", "Declared contrasts over datasets", behaviour.contrasts,
               ("inference", "contrasts"), "`proctor run binding`"),
    FigureKind("profile-matrix", "Binding scores by Condition, with lesion rings", behaviour.profile_matrix,
               ("components_by_condition",), "`proctor run binding`", also=("components",)),
    FigureKind("response-matrix", "Responses by Condition, dataset and probe", behaviour.response_matrix,
               ("probe_rates",), "`proctor run binding`"),
    FigureKind("mapping-errors", "Errors of mapping and specificity", behaviour.mapping,
               ("probe_rates", "components"), "`proctor run binding`"),
    FigureKind("entropy-displacement", "Entropy against structure: where controls move",
               displacement.entropy_displacement, ("traces",), "a scaffold that reports its state"),
    FigureKind("readout-matrix", "Trace metrics by Condition", displacement.readout_matrix,
               ("traces_by_condition", "traces"), "a scaffold that reports its state"),
    FigureKind("entropy-grid", "Entropy calibration over temperature and top-p", displacement.entropy_grid,
               ("entropy_grid",), "`proctor run binding-extended`"),
    FigureKind("coupling-contrasts", "Coupling of the structured interface over each comparator",
               coupling.coupling_contrasts, ("coupling_contrasts",), "`proctor run binding-interface`",
               also=("coupling_bounds",)),
    FigureKind("coupling-terms", "Coupling and its terms by Condition", coupling.coupling_terms,
               ("coupling_by_condition",), "`proctor run binding-interface`", also=("coupling_contrasts",)),
    FigureKind("coupling-distributions", "Coupling over datasets and replicates", coupling.coupling_distributions,
               ("coupling_by_replicate",), "`proctor run binding-interface`"),
    FigureKind("structured-compressed-band", "Structured against compressed reports", coupling.compressed_band,
               ("coupling_contrasts",), "`proctor run binding-interface`"),
    FigureKind("state-boundary", "State-boundary controls over families", boundary.state_boundary,
               ("cell_summary",), "`proctor run binding-families`", also=("cluster_bounds",)),
    FigureKind("sufficiency", "Sufficiency of the decisive field", boundary.sufficiency,
               ("sufficiency",), "`proctor run binding-sufficiency`"),
    FigureKind("binding-curve", "Binding along strength and distance", boundary.binding_curve,
               ("curve",), "`proctor run binding-extended`"),
    FigureKind("conservative-effects", "The most careful effect sizes of each block of evidence",
               boundary.conservative_effects, (), "",
               any_of=("inference", "controls", "coupling_contrasts", "cell_summary"), also=("contrasts",)),
    FigureKind("auc-gain", "Does the score predict success beyond what is known without it?", prediction.auc_gain,
               ("predictive_auc", "predictive_gain", "predictive_single"), PREDICT, also=("predictive_null",)),
    FigureKind("sensitivity-and-guard", "Sensitivity of the gain, and the binding guard",
               prediction.sensitivity_and_guard, ("predictive_parts",), PREDICT, also=("predictive_guard",)),
    FigureKind("reliability-curve", "Reliability of the predictions", probabilities.reliability_curve,
               ("predictive_reliability",), PREDICT),
    FigureKind("thresholds", "Accepting above a threshold", probabilities.thresholds,
               ("predictive_thresholds",), PREDICT),
)  # fmt: skip


class FigureDrawn(Struct, frozen=True):
    """What became of one figure."""

    name: str
    title: str
    tables: tuple[str, ...]
    reason: str = ""
    """Why it was not drawn."""
    made_by: str = ""
    """What would make the tables it lacks."""
    files: dict[str, bytes] = field(default_factory=dict)
    """By ending: svg, png."""


def draw_all(
    tables: Plain, footer: tuple[str, ...] = (), kinds: Iterable[FigureKind] = FIGURES
) -> Iterator[FigureDrawn]:
    """Every figure that these tables allow, with what its numbers hold for; the others with the reason why not."""
    for kind in kinds:
        # Settings hold for one figure at a time: a caller that stops in the middle leaves nothing behind.
        try:
            with drawing():
                figure = _drawn(kind, tables, footer)
        except NeedsExtra as lacking:
            # Pages and tables need no drawing library, and are not held up by it.
            figure = FigureDrawn(kind.name, kind.title, kind.tables(tables), str(lacking))
        yield figure


def _drawn(kind: FigureKind, tables: Plain, footer: tuple[str, ...]) -> FigureDrawn:
    used, reason = kind.tables(tables), kind.lacks(tables)
    # Records that were predicted from have a source of their own: the run's conditions are not theirs.
    below = () if kind.of_records else (*footer, scope(tables, used))
    sheet = None if reason else kind.draw(tables, kind.title, below)
    if sheet is None:
        made_by = kind.source if reason else ""
        return FigureDrawn(kind.name, kind.title, used, reason or "its tables hold nothing to draw", made_by)
    return FigureDrawn(kind.name, kind.title, used, files=sheet.files())


def write_figures(folder: Path, drawn: Iterable[FigureDrawn]) -> list[FigureDrawn]:
    """The figures as files, and `figures.csv` with what was drawn from what."""
    make_folder(folder)
    figures = list(drawn)
    for one in figures:
        for ending, data in one.files.items():
            with atomic_write(folder / f"{one.name}.{ending}") as file:
                file.write(data)
    with atomic_write(folder / LIST) as file:
        file.write(_listed(figures))
    return figures


def make_folder(folder: Path) -> None:
    """Create the folder if needed; raises `InputError` if it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder}: cannot be used as a folder ({error.strerror}); choose another path"
        raise InputError(message) from None


def _listed(figures: list[FigureDrawn]) -> bytes:
    return csv_of(
        {
            "figure": [one.name for one in figures],
            "title": [one.title for one in figures],
            "drawn": ["yes" if one.files else "no" for one in figures],
            "reason": [one.reason or None for one in figures],
            "tables": [" ".join(one.tables) or None for one in figures],
            "svg_sha256": [_digest(one, "svg") for one in figures],
            "png_sha256": [_digest(one, "png") for one in figures],
        }
    )


def _digest(one: FigureDrawn, ending: str) -> str | None:
    return sha256_hex(one.files[ending]) if ending in one.files else None
