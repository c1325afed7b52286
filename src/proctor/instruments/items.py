"""Item analysis: what the tasks tell about agents, over one or more runs of the same suite.

An item group is a family in its cell under one regime, with the same knobs. Difficulty is the share that failed;
discrimination the rate of the better runs minus the rate of the poorer ones, ranked by everything else they did;
template variance shows whether some templates are another task; floor and ceiling say where a group can no longer tell
agents apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import mean, pvariance

from msgspec import UNSET, Struct, UnsetType

from proctor.core.errors import InputError
from proctor.evidence.arms import knobs_apart
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Row

Key = tuple[str, str, str, str, str]
"""Family, cell, regime, phase, and the knobs that tell it from others of these."""
_SCORED = frozenset({SUCCESS, FAILURE, LIMIT})
CEILING, FLOOR = 0.95, 0.05
"""Beyond these a group says nothing more about the agents it was given to."""
DISCRIMINATES = 0.20
"""The classical lower limit of the discrimination index."""


class ItemGroup(Struct, frozen=True):
    """What one family in one cell and regime shows."""

    family: str
    cell: str | None
    regime: str
    phase: str
    n: int
    difficulty: float | None
    """Share of scored episodes that failed; None where none was scored."""
    discrimination: float | None
    """Better runs minus poorer runs; None with a single run."""
    template_variance: float | None
    """Variance of the rates of its templates, beyond what sampling explains; never below 0."""
    hardest_template: str | None
    format_error_rate: float | None
    at_ceiling: int
    """Runs with a rate of 95 % or more."""
    at_floor: int
    """Runs with a rate of 5 % or less."""
    runs: int
    mark: str
    """Empty, or why the group does not tell these agents apart."""
    knobs: str | UnsetType = UNSET
    """Only where another group has the same family, cell, regime and phase at another difficulty."""


def analyse(runs: Sequence[Evidence]) -> list[ItemGroup]:
    """Every group of the runs, hardest first. Refuses runs of different suites."""
    suites = sorted({run.frozen.suite.full_name for run in runs})
    if len(suites) > 1:
        message = f"items are compared within one suite; these runs are of {', '.join(suites)}"
        raise InputError(message)
    groups: dict[Key, list[list[Row]]] = defaultdict(lambda: [[] for _ in runs])
    for number, run in enumerate(runs):
        apart = knobs_apart(run)
        for row in run.rows:
            arm = run.arms[row.arm]
            if row.outcome in _SCORED:
                key = (arm.family, arm.cell or "", arm.regime, row.phase, apart.get(row.arm, ""))
                groups[key][number].append(row)
    rates = {key: [_rate(rows) for rows in by_run] for key, by_run in groups.items()}
    items = [_group(key, by_run, rates) for key, by_run in sorted(groups.items())]
    return sorted(items, key=lambda group: -(group.difficulty or 0.0))


def _rate(rows: list[Row]) -> float | None:
    return sum(row.outcome == SUCCESS for row in rows) / len(rows) if rows else None


def _group(key: Key, by_run: list[list[Row]], rates: dict[Key, list[float | None]]) -> ItemGroup:
    family, cell, regime, phase, knobs = key
    rows = [row for one in by_run for row in one]
    own = [rate for rate in rates[key] if rate is not None]
    pooled = _rate(rows)
    variance, hardest = _templates(rows)
    discrimination = _discrimination(key, rates)
    at_ceiling, at_floor = sum(rate >= CEILING for rate in own), sum(rate <= FLOOR for rate in own)
    return ItemGroup(
        family=family,
        cell=cell or None,
        regime=regime,
        phase=phase,
        n=len(rows),
        difficulty=None if pooled is None else 1.0 - pooled,
        discrimination=discrimination,
        template_variance=variance,
        hardest_template=hardest,
        format_error_rate=sum(row.format_error for row in rows) / len(rows) if rows else None,
        at_ceiling=at_ceiling,
        at_floor=at_floor,
        runs=len(own),
        mark=_mark(len(own), at_ceiling, at_floor, discrimination),
        knobs=knobs or UNSET,
    )


def _templates(rows: list[Row]) -> tuple[float | None, str | None]:
    """Variance between templates less the part that sampling alone would give."""
    by_template: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_template[row.template].append(row.outcome == SUCCESS)
    rates = {name: mean(outcomes) for name, outcomes in by_template.items()}
    if len(rates) < 2:
        return None, None
    sampling = mean(rates[name] * (1 - rates[name]) / len(by_template[name]) for name in rates)
    hardest = min(sorted(rates), key=lambda name: rates[name])
    return max(0.0, pvariance(rates.values()) - sampling), hardest


def _discrimination(key: Key, rates: dict[Key, list[float | None]]) -> float | None:
    """Mean rate of the better third of the runs minus that of the poorer third, ranked by all other groups."""
    others: list[tuple[float, float]] = []
    for number, own in enumerate(rates[key]):
        rest = [rate for other, all_ in rates.items() if other != key and (rate := all_[number]) is not None]
        if own is not None and rest:
            others.append((mean(rest), own))
    if len(others) < 2:
        return None
    others.sort()
    third = max(1, len(others) // 3)
    return mean(own for _, own in others[-third:]) - mean(own for _, own in others[:third])


def _mark(runs: int, at_ceiling: int, at_floor: int, discrimination: float | None) -> str:
    if runs < 2:
        return "one run: discrimination not measured"
    if at_ceiling == runs:
        return "all at the ceiling: does not discriminate"
    if at_floor == runs:
        return "all at the floor: does not discriminate"
    if discrimination is not None and discrimination < 0:
        return "poorer runs do better: check these tasks"
    if discrimination is not None and discrimination < DISCRIMINATES:
        return "does not discriminate"
    return ""
