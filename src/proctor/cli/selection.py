"""The episodes of a run that `proctor show` is asked for, by family, cell, regime, outcome or reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from proctor.cli.output import clean, table
from proctor.core.errors import InputError
from proctor.evidence.arms import knobs_apart
from proctor.evidence.row import OUTCOMES, SUCCESS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from proctor.evidence.evidence import Evidence
    from proctor.evidence.row import Arm, Row


class Filters(msgspec.Struct, frozen=True):
    """What an episode has to be like; None: whatever."""

    failed: bool = False
    family: str | None = None
    reason: str | None = None
    cell: str | None = None
    regime: str | None = None
    outcome: str | None = None

    @property
    def given(self) -> bool:
        """Whether anything is asked for."""
        return self != Filters()

    def fit(self, row: Row, arm: Arm) -> bool:
        """Whether an episode is one of those asked for."""
        return (
            (not self.failed or row.outcome != SUCCESS)
            and self.family in (None, arm.family, arm.family.partition("@")[0])
            and self.reason in (None, row.reason)
            and self.cell in (None, arm.cell)
            and self.regime in (None, arm.regime)
            and self.outcome in (None, row.outcome)
        )


class SelectedEpisode(msgspec.Struct, frozen=True):
    """One of the episodes asked for."""

    run: str
    """Of several looks each episode belongs to a run of its own."""
    episode: int
    family: str
    template: str
    instance: str
    cell: str | None
    regime: str
    condition: str
    phase: str
    replicate: int
    knobs: str
    """What tells entries of the same family and regime apart; empty where nothing has to."""
    outcome: str
    reason: str
    calls: int
    tokens: int | None
    cost: str | None


class Selection(msgspec.Struct, frozen=True):
    """The episodes asked for, among all that count."""

    run: str
    of: int
    """How many episodes of the run count."""
    matched: int
    episodes: tuple[SelectedEpisode, ...]


def selection_of(evidence: Evidence, filters: Filters) -> Selection:
    """The episodes of a run that fit. Refuses a name that nothing in the run has."""
    _require_known(evidence, filters)
    apart = knobs_apart(evidence)
    chosen = []
    for row in evidence.rows:
        arm = evidence.arms[row.arm]
        if filters.fit(row, arm):
            run, episode = evidence.locate(row.position)
            chosen.append(
                SelectedEpisode(
                    run=run,
                    episode=episode,
                    family=arm.family,
                    template=row.template,
                    instance=row.instance,
                    cell=arm.cell,
                    regime=arm.regime,
                    condition=arm.condition,
                    phase=row.phase,
                    replicate=row.replicate,
                    knobs=apart.get(row.arm, ""),
                    outcome=row.outcome,
                    reason=row.reason,
                    calls=row.calls,
                    tokens=row.tokens,
                    cost=row.cost,
                )
            )
    return Selection(evidence.run, len(evidence.rows), len(chosen), tuple(chosen))


def selection_text(selection: Selection) -> str:
    """The same for people: a line an episode, and how many there are."""
    several = len({one.run for one in selection.episodes}) > 1
    cells = any(one.cell for one in selection.episodes)
    header = [*(["run"] if several else []), "episode", "family", *(["cell"] if cells else [])]
    header += ["regime", "outcome", "reason"]
    rows = [
        [
            *([one.run] if several else []),
            str(one.episode),
            one.family,
            *([one.cell or "–"] if cells else []),
            one.regime + (f" / {one.knobs}" if one.knobs else ""),
            one.outcome,
            clean(one.reason),
        ]
        for one in selection.episodes
    ]
    counted = f"{selection.matched} of {selection.of} episodes"
    if not rows:
        return f"{counted} fit"
    first = selection.episodes[0]
    trace = f"`proctor show {first.run} {first.episode}` shows one step by step"
    return f"{table(header, rows, right=(int(several),))}\n\n{counted} fit; {trace}"


def _require_known(evidence: Evidence, filters: Filters) -> None:
    arms = evidence.arms
    families = {arm.family for arm in arms} | {arm.family.partition("@")[0] for arm in arms}
    _require("family", filters.family, families, shown=(arm.family.partition("@")[0] for arm in arms))
    _require("cell", filters.cell, {arm.cell for arm in arms if arm.cell})
    _require("regime", filters.regime, {arm.regime for arm in arms})
    _require("outcome", filters.outcome, OUTCOMES)
    _require("reason", filters.reason, {row.reason for row in evidence.rows})


def _require(name: str, given: str | None, there: Iterable[str], shown: Iterable[str] | None = None) -> None:
    """A mistyped name must not look like a run without such episodes."""
    known = set(there)
    if given is None or given in known:
        return
    from difflib import get_close_matches

    close = get_close_matches(given, known, n=1)
    listed = ", ".join(sorted(set(known if shown is None else shown))) or "none"
    hint = f"did you mean '{close[0]}'?" if close else f"there are: {listed}"
    message = f"--{name} {given}: no episode of this run has that {name}; {hint}"
    raise InputError(message)
