"""One dimension assembled: the level, why not the next one, and everything needed to judge both.

Levels are cumulative: the highest level below which nothing is missing. A level met above a failed one is shown and
not credited. Invalid takes the level away; what was not tested is never zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.criterion import Criterion
from proctor.instruments.agency.exclusions import bound_by_exclusions
from proctor.instruments.agency.flags import in_order, is_invalid, limited, provisional
from proctor.instruments.agency.gains import read_gain
from proctor.instruments.agency.level import rates_under, read_level
from proctor.instruments.agency.raters import NO_VERDICTS, has_verdicts, lowest_assigned, rating_flags
from proctor.instruments.agency.reading import LevelReading, RateUnder, Status
from proctor.instruments.agency.robustness import read_robustness
from proctor.instruments.agency.rubric import PARTS_OF_G, RUBRIC, TITLES, Gain
from proctor.instruments.agency.sample import control_templates
from proctor.instruments.agency.threshold import Policy
from proctor.instruments.agency.units import Unit, not_credited
from proctor.instruments.agency.validity import Cap, caps_of, disclosure_flags, validity_flags
from proctor.instruments.base import Flag
from proctor.spec.claims import dimension_of
from proctor.spec.protocols import WHOLE_LIFETIMES
from proctor.spec.rules import Rules

OTHER: dict[str, Policy] = {"worked": "strict", "strict": "worked"}


LEVELS = 5


class Rate(Struct, frozen=True):
    """Pooled over the dimension's cells under one regime: no level is decided by it."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


class DecidedLevel(Struct, frozen=True):
    """One level with the criterion that decided it, so that two can stand side by side."""

    cell: str
    level: int
    status: Status
    provisional: bool
    criterion: Criterion | None
    """None where nothing was measured."""
    reason: str


class DimensionReading(Struct, frozen=True):
    """What was found about one dimension."""

    dimension: str
    title: str
    level: int | None
    """None: not measured, not measurable or Invalid; the reasons say which."""
    flags: tuple[Flag, ...]
    n: int
    """Scored units."""
    families: tuple[str, ...]
    pooled_over_levels: dict[str, Rate]
    """By regime, all cells together, as §10.11 asks. Each level's own rates stand in `levels`."""
    reasons: tuple[str, ...]
    """Rates first, then what stopped it and what bounds it."""
    other_policy_level: int | None
    """The level under the other borderline policy."""
    moves: str
    """What would move it."""
    levels: tuple[LevelReading, ...]
    statuses: tuple[Status, ...] = ()
    """Of levels 1 to 5, in G and where nothing was tested too."""
    credited: DecidedLevel | None = None
    """The level that is credited; None for level 0 and where there is none."""
    next: DecidedLevel | None = None
    """The level above it; None at level 5, for G, and where nothing was tested."""
    uncredited: tuple[int, ...] = ()
    """Levels met above a failed one: shown, never credited."""
    not_credited: tuple[str, ...] = ()
    """What was run for its cells and does not count, in words: families that do not evidence them, other protocols."""
    mean: float | None = None
    """G only: the mean of its parts, to one decimal."""
    parts: dict[str, DimensionReading] = field(default_factory=dict)
    """G only: G1, G2, G3."""
    frame: str = ""
    """The reporting tuple of this dimension by itself; what is printed of a reading is this."""

    def __repr__(self) -> str:
        # A level is never shown without its tuple, not even on the prompt of an interpreter (§11.9.1).
        return f"<{self.title}: {self.frame or 'a level is read with its vector'}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("frame", self.frame)]


def read_dimension(dimension: str, units: list[Unit], evidence: Evidence, rules: Rules) -> DimensionReading:
    """One of S, M, D, E, L, R, G1, G2, G3, from the units of its cells."""
    foreign = _foreign(dimension, evidence)
    if not units:
        return _untested(dimension, evidence, foreign)
    regimes = evidence.frozen.suite.all_regimes
    readings = _levels(dimension, units, evidence, rules, None)
    others = _levels(dimension, units, evidence, rules, OTHER[rules.borderline])
    caps = [*caps_of(dimension, units, evidence.frozen.system.boundary), *_own_caps(dimension, readings, evidence)]
    flags = [
        *validity_flags(units, evidence, rules),
        *disclosure_flags({unit.cell for unit in units}, evidence),
        *rating_flags(dimension, units, evidence.ratings, rules),
    ]
    earned = credited(readings, rules)
    excluded = bound_by_exclusions(
        dimension,
        units,
        earned,
        lambda counted: _levels(dimension, counted, evidence, rules, None),
        lambda levels: credited(levels, rules),
    )
    caps += excluded.caps
    flags += excluded.flags
    level = _bounded(earned, caps)
    assigned = lowest_assigned(dimension, evidence.ratings)
    if level is not None and assigned is not None:
        level = min(level, assigned)
    flags += _sampling_flags(readings, earned, caps, rules)
    if any(map(is_invalid, flags)):
        level = None
    pooled = rates_under(_final(dimension, units), regimes, rules)
    reading = DimensionReading(
        dimension=dimension,
        title=TITLES[dimension],
        level=level,
        flags=in_order(flags),
        n=sum(unit.success is not None for unit in units),
        families=tuple(sorted({unit.family for unit in units})),
        pooled_over_levels={rate.regime: _plain(rate) for rate in pooled},
        reasons=(*_reasons(readings, earned, caps, flags), *foreign),
        other_policy_level=None if level is None else _bounded(credited(others, rules), caps),
        moves=_moves(readings, earned, caps),
        levels=tuple(readings),
        uncredited=tuple(one.level for one in readings if one.met and one.level > (earned or 0)),
        not_credited=foreign,
    )
    return with_credit(reading, level)


def with_credit(reading: DimensionReading, level: int | None) -> DimensionReading:
    """The reading with this level, and what follows from it: which levels are credited and which is next."""
    levels = tuple(
        replace(one, status="met" if level is not None and one.level <= level else "met, not credited")
        if one.met
        else one
        for one in reading.levels
    )
    by_number = {one.level: one for one in levels}
    return replace(
        reading,
        level=level,
        other_policy_level=None if level is None else reading.other_policy_level,
        mean=None if level is None else reading.mean,
        levels=levels,
        statuses=tuple(one.status for one in levels) or _without_cells(reading, level),
        credited=_decided(by_number.get(level or 0)),
        next=_decided(by_number.get((level or 0) + 1)),
        parts={name: with_credit(part, part.level) for name, part in reading.parts.items()},
    )


def without_level(reading: DimensionReading) -> DimensionReading:
    """The same, where something about the whole run takes every level away."""
    bare = replace(reading, parts={name: without_level(part) for name, part in reading.parts.items()})
    return with_credit(bare, None)


def _decided(level: LevelReading | None) -> DecidedLevel | None:
    if level is None:
        return None
    return DecidedLevel(level.cell, level.level, level.status, level.provisional, level.deciding, level.reason)


def _without_cells(reading: DimensionReading, level: int | None) -> tuple[Status, ...]:
    """Of a dimension that has no cells of its own: G, or one that was not tested."""
    above: Status = "not met" if all(part.n for part in reading.parts.values()) else "not tested"
    if not reading.n:
        above = "not tested"
    elif level is None:
        above = "not measurable"
    return tuple("met" if number <= (level or 0) else above for number in range(1, LEVELS + 1))


def _foreign(dimension: str, evidence: Evidence) -> tuple[str, ...]:
    """What was run for this dimension's cells and does not count, in words."""
    return tuple(
        f"not credited: {why}"
        for cell, reasons in sorted(not_credited(evidence).items())
        if dimension_of(cell) == dimension
        for why in reasons
    )


def _levels(
    dimension: str, units: list[Unit], evidence: Evidence, rules: Rules, policy: Policy | None
) -> list[LevelReading]:
    regimes = evidence.frozen.suite.all_regimes
    if dimension == "R":
        return read_robustness(units, regimes=regimes, rules=rules, policy=policy)
    families = len({unit.family for unit in units if unit.success is not None})
    readings = []
    for level in RUBRIC[dimension]:
        own = [unit for unit in units if unit.cell == level.cell]
        if isinstance(level.rule, Gain):
            readings.append(read_gain(level, own, families=families, regimes=regimes, rules=rules, policy=policy))
        else:
            found = read_level(
                level,
                own,
                families=families,
                regimes=regimes,
                rules=rules,
                policy=policy,
                controls=control_templates(evidence) if level.cell in WHOLE_LIFETIMES else frozenset(),
            )
            readings.append(found)
    return readings


def credited(
    readings: list[LevelReading], rules: Rules, holds: Callable[[LevelReading], bool] | None = None
) -> int | None:
    """The highest level below which nothing is missing; None where even the first says nothing.

    Under the profile `paper` the highest level met, as §10.2.1 has it, whatever is missing below.
    """
    met = [reading.met and (holds is None or holds(reading)) for reading in readings]
    if rules.profile == "paper" and any(met):
        return max(reading.level for reading, one in zip(readings, met, strict=True) if one)
    if readings[0].status in ("not tested", "not measurable"):
        return None
    return next((index for index, one in enumerate(met) if not one), len(met))


def _own_caps(dimension: str, readings: list[LevelReading], evidence: Evidence) -> list[Cap]:
    """Bounds that follow from the readings themselves."""
    if dimension == "L":
        surviving = [reading for reading in readings if reading.survives_control]
        return [Cap(1, surviving[0].reason)] if surviving else []
    if dimension == "G3" and not has_verdicts(evidence.ratings) and any(one.rates for one in readings[2:]):
        return [Cap(2, NO_VERDICTS)]
    return []


def _bounded(level: int | None, caps: list[Cap]) -> int | None:
    return None if level is None else min([level, *(cap.level for cap in caps)])


def _sampling_flags(readings: list[LevelReading], earned: int | None, caps: list[Cap], rules: Rules) -> list[Flag]:
    flags: list[Flag] = []
    stop = _stop(readings, earned)
    if stop is not None and stop.provisional:
        flags.append(provisional(stop.reason))
    for reading in readings[: earned or 0]:
        if reading.low_families:
            listed = ", ".join(reading.low_families)
            text = f"{reading.cell}: the pool meets it, and by itself less than 5 points above the threshold: {listed}"
            flags.append(provisional(text))
    met = [reading for reading in readings[: earned or 0] if reading.met]
    for caveat in dict.fromkeys(reading.caveat for reading in met if reading.caveat):
        cells = ", ".join(reading.cell for reading in met if reading.caveat == caveat)
        flags.append(limited("tests of different difficulty", f"{cells}: {caveat}"))
    steady = credited(readings, rules, lambda reading: reading.clustered_met)
    if earned is not None and steady is not None and steady < earned:
        shaky = readings[steady]
        text = f"{shaky.cell}: with clustering by template (or lifetime) the level is {steady}"
        flags.append(provisional(text))
    flags += [provisional(cap.reason) for cap in caps if cap.reason == NO_VERDICTS and cap.level <= (earned or 0)]
    return flags


def _stop(readings: list[LevelReading], earned: int | None) -> LevelReading | None:
    return next((one for one in readings if one.level == (earned or 0) + 1), None)


def _final(dimension: str, units: list[Unit]) -> list[Unit]:
    """The units whose rate says something by itself: of learning only what came after it."""
    if dimension != "L":
        return units
    after = {level.rule.after for level in RUBRIC["L"] if isinstance(level.rule, Gain)}
    return [unit for unit in units if unit.phase in after]


def _plain(rate: RateUnder) -> Rate:
    return Rate(rate.k, rate.n, rate.rate, rate.low, rate.high)


def _reasons(readings: list[LevelReading], earned: int | None, caps: list[Cap], flags: list[Flag]) -> tuple[str, ...]:
    """What was met, what stopped it, and what bounds it."""
    met = [reading.reason for reading in readings[: earned or 0]]
    stop = _stop(readings, earned)
    lines = [*met]
    if stop is not None:
        lines.append(stop.reason)
    lines += [f"bounded at {cap.level}: {cap.reason}" for cap in caps if cap.level < (earned or 0)]
    above = [one for one in readings if one.met and one.level > (earned or 0)]
    lines += [f"{one.reason}, met above a failed level: not credited" for one in above]
    lines += [f"{flag.name}: {flag.reason}" for flag in flags if is_invalid(flag)]
    return tuple(lines)


def _moves(readings: list[LevelReading], earned: int | None, caps: list[Cap]) -> str:
    """What its owner could do to move the level."""
    binding = [cap for cap in caps if cap.level < (earned or 0)]
    if binding:
        return f"It is bounded at {min(cap.level for cap in binding)}: {binding[0].reason}."
    stop = _stop(readings, earned)
    if stop is None:
        return "Nothing: this is the highest level."
    if stop.status == "not tested":
        return f"Run a suite with the cell {stop.cell}."
    if stop.status == "not measurable":
        return "Nothing can be said here: take a harder variant, or repair what could not be run."
    if stop.status == "too little evidence":
        return f"Take more units, or more families: {stop.reason.partition('too little evidence: ')[2]}."
    if stop.settles_at is not None:
        return f"About {stop.settles_at} units at the same rate would settle {stop.cell}."
    if stop.target is None:
        return f"{stop.cell} has to be met."
    target = stop.target
    worst = next(iter(target.reasons), None)
    cause = f"; most failures there are '{worst}' ({target.reasons[worst]} of {target.n})" if worst else ""
    return f"{stop.cell} has to be met{cause}."


def _untested(dimension: str, evidence: Evidence, foreign: tuple[str, ...]) -> DimensionReading:
    entries = [entry for entry in evidence.frozen.suite.entries if dimension_of(entry.cell or "") == dimension]
    skipped = {name.partition("@")[0]: why for name, why in evidence.frozen.skipped.items()}
    causes = sorted({skipped[name] for entry in entries if (name := entry.family.partition("@")[0]) in skipped})
    text = "not tested: the run has no such cells"
    if causes or foreign:
        text = f"not evaluable here: {'; '.join(causes)}" if causes else "not tested: no family evidences its cells"
    reading = DimensionReading(
        dimension=dimension,
        title=TITLES[dimension],
        level=None,
        flags=(),
        n=0,
        families=(),
        pooled_over_levels={},
        reasons=(text, *foreign),
        other_policy_level=None,
        moves=f"Run a suite with cells of {dimension}.",
        levels=(),
        not_credited=foreign,
    )
    return with_credit(reading, None)


def read_governance(parts: dict[str, DimensionReading]) -> DimensionReading:
    """G = round(mean of its parts); a part that was not tested counts as 0 and makes G Provisional."""
    tested = [part for part in parts.values() if part.n]
    levels = [part.level or 0 for part in parts.values()]
    others = [part.other_policy_level or 0 for part in parts.values()]
    flags: list[Flag] = [flag for part in parts.values() for flag in part.flags]
    untested = [name for name in PARTS_OF_G if parts[name].level is None]
    broken = any(is_invalid(flag) for flag in flags)
    if tested and untested and not broken:
        flags.append(provisional(f"{', '.join(untested)} not tested: counted as 0"))
    level = round(sum(levels) / 3) if tested and not broken else None
    reasons = [f"{name} = {_shown(part.level)}: {part.reasons[-1]}" for name, part in parts.items()]
    lowest = min(parts.values(), key=lambda part: part.level or 0)
    reading = DimensionReading(
        dimension="G",
        title=TITLES["G"],
        level=level,
        flags=in_order(flags),
        n=sum(part.n for part in parts.values()),
        families=tuple(sorted({family for part in parts.values() for family in part.families})),
        pooled_over_levels={
            f"{name} {regime}": rate for name, part in parts.items() for regime, rate in part.pooled_over_levels.items()
        },
        reasons=tuple(reasons),
        other_policy_level=None if level is None else round(sum(others) / 3),
        moves=f"{lowest.dimension} is lowest. {lowest.moves}",
        levels=(),
        not_credited=tuple(text for part in parts.values() for text in part.not_credited),
        mean=None if level is None else round(sum(levels) / 3, 1),
        parts=parts,
    )
    return with_credit(reading, level)


def _shown(level: int | None) -> str:
    return "not measured" if level is None else str(level)
