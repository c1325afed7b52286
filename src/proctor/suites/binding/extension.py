"""What `binding-extended` is in every version: its stages and Conditions, blocks of events, and the binding curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.spec.condition import Condition
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding import conditions

GRID, HELD_OUT, MAIN = "grid", "held-out", "main"
_GRID = conditions.grid()
POINTS = ("structured", *(one.id for one in _GRID))
"""Conditions of the stages in which entropies are matched."""
CONTROLS = ("structured", *(one.id for one in (*conditions.CONTROLS, *conditions.PRIORS)))
"""The structured arm and all the stronger controls."""


def extension(
    plain: Suite,
    description: str,
    entries: tuple[Entry, ...],
    stronger: tuple[Condition, ...] = conditions.CONTROLS,
) -> Suite:
    """The extended suite beside a plain one, on its streams."""
    return Suite(
        name=f"{plain.name}-extended",
        version=plain.version,
        title=f"{plain.title}, extended",
        description=description,
        epoch=plain.epoch,
        streams=plain.name,
        stages=(
            # Alone in its stage, since what is frozen is how often the structured variant took each action.
            Stage(id=conditions.CALIBRATION, freeze="codes"),
            Stage(id=GRID),
            Stage(id=HELD_OUT),
            Stage(id=MAIN),
        ),
        conditions=(
            *conditions.MAIN,
            *(one for one in stronger if one not in conditions.MAIN),
            *conditions.PRIORS,
            *_GRID,
        ),
        entries=entries,
    )


class Blocks:
    """Hands out blocks of events of every corpus, one after the other: no event serves two purposes."""

    def __init__(self, corpora: Sequence[str], rows: int) -> None:
        self._corpora, self._rows = corpora, rows
        self._next = 0

    def taken(
        self,
        events: int,
        stage: str,
        under: tuple[str, ...],
        arms: Sequence[int | str] = ("plain",),
        replicates: int = 1,
    ) -> list[Entry]:
        """Entries for so many further events of every corpus; several arms share their events."""
        first, count = self._next, events * self._rows
        self._next += count
        return [
            Entry(
                family=family,
                n=count,
                first=first,
                conditions=under,
                replicates=replicates,
                stage=stage,
                knobs={} if arms == ("plain",) else {"arm": arm},
            )
            for arm in arms
            for family in self._corpora
        ]


def curve(family: str, n: int, along: Sequence[tuple[str, str, Sequence[int | str]]]) -> Iterator[Entry]:
    """Single probes along a knob each, `n` instances a place: (probe, knob, its values)."""
    for probe, axis, values in along:
        for value in values:
            yield Entry(
                family=family,
                n=n,
                conditions=("structured", "stochastic-full"),
                knobs={"probe": probe, axis: value},
                stage=MAIN,
            )
