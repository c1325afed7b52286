"""The Agency Vector on a terminal: the tuple and what must be known first, then every dimension with its two rates.

Beside each level stands the rate it was credited for, and below it that of the next one: what stopped it. The reporting
tuple stands above: no level is printed without it.
"""

from __future__ import annotations

from collections.abc import Callable

from proctor.instruments.agency.criterion import Criterion
from proctor.reports.sections.agency.ladder import ladder_lines
from proctor.reports.sections.agency.shown import Dimension, Level, Vector
from proctor.reports.sections.agency.standing import Standing
from proctor.reports.sections.agency.words import bound_text, counts_text
from proctor.reports.terminal import percent

_NAME = 24
_RATE = 50
Locate = Callable[[int], tuple[str, int]]


def vector_text(vector: Vector, standing: Standing, verdict: tuple[str, ...], locate: Locate) -> str:
    """The whole vector, a paragraph per dimension."""
    lines = ["Agency Vector", *filter(None, (vector.text, vector.beside, vector.statement))]
    lines += _known_first(vector, standing)
    lines += ["", *verdict, "", *ladder_lines(standing)]
    everyone = list(vector.all().values())
    for one in everyone:
        # What the suite has no cells for is named once, at the end.
        if one.levels or one.parts or one.flags:
            lines += _dimension(one, locate)
    untested = [one for one in everyone if not (one.levels or one.parts or one.flags)]
    for reason in dict.fromkeys(one.reasons[0] for one in untested):
        names = ", ".join(one.dimension for one in untested if one.reasons[0] == reason)
        lines += [f"{names}: {reason}", ""]
    if vector.expected_false_promotions is not None:
        lines.append(
            f"If every true rate were 5 points below its threshold, {vector.expected_false_promotions:.2g} of these "
            "levels would be promoted by luck."
        )
    return "\n".join(lines).rstrip()


def _known_first(vector: Vector, standing: Standing) -> list[str]:
    """What must be known before any level is read: exploratory, flags of the whole, tier, governance notes."""
    lines = [f"Exploratory: {standing.exploratory}"] if standing.exploratory else []
    lines += [f"{flag.name}: {flag.reason}" for flag in vector.flags]
    lines.append(f"Tier: {standing.tier}")
    lines.append(f"Governance Notes: {standing.governance_line}")
    lines += [str(standing.ratings[name]) for name in ("text", "limits") if standing.ratings.get(name)]
    return lines


def _dimension(one: Dimension, locate: Locate) -> list[str]:
    head = f"{one.dimension:<3}{one.title:<{_NAME - 3}}"
    shown = f"level {one.level}" if one.level is not None else "no level" if one.n else "not measured"
    mean = "" if one.mean is None else f" (mean {one.mean} of G1, G2, G3)"
    flags = "; ".join(dict.fromkeys(flag.name for flag in one.flags))
    other = "" if one.other_policy_level == one.level else f", {one.other_policy_level} under the other policy"
    level = f"{shown}{mean}{other}" + (f"  [{flags}]" if flags else "")
    if not one.levels:
        return [f"{head}{level}", *([] if one.parts else [""])]
    indent = " " * _NAME
    lines = [f"{head}{_column('met', one.credited)}{level}"]
    if one.next is not None:
        status = "not tested" if one.next.status == "not tested" else f"{one.next.cell} {one.next.status}"
        lines.append(f"{indent}{_column('next', one.next)}{status}")
    # A flag without its reason would be a riddle.
    reasons = _reasons(one)
    reasons += [flag.reason for flag in one.flags if not any(flag.reason in text for text in reasons)]
    lines += [f"{indent}{text}" for text in (*reasons, *_risk(one))]
    if not one.moves.startswith("It is bounded"):
        lines.append(f"{indent}{one.moves}")
    failed = _failed(one)
    if failed is not None:
        where, position = locate(failed)
        lines.append(f"{indent}look at one: proctor show {where} {position}")
    return [*lines, ""]


def _column(role: str, level: Level | None) -> str:
    """`met   S1 100/100 100 % (96–100 %), needs 70 %`, as wide as the column of rates."""
    text = "none" if level is None else f"{level.cell} {_found(level)}"
    return f"{role:<6}{text:<{_RATE}} "


def _found(level: Level) -> str:
    found = level.deciding
    if found is None:
        return ""
    if found.kind in ("rate", "share"):
        rate = f"{counts_text(found)} {_percent(found)}"
    else:
        rate = f"{counts_text(found)}, {_change(found)}" if found.n is not None else _change(found)
    needs = bound_text(found).replace("\u00a0", " ").removeprefix("≥ ")
    return f"{rate}, needs {needs}"


def _percent(one: Criterion) -> str:
    spread = "" if one.low is None or one.high is None else f" ({100 * one.low:.0f}–{100 * one.high:.0f} %)"
    return f"{percent(one.value)}{spread}"


def _change(one: Criterion) -> str:
    if one.value is None:
        return "not measured"
    if one.kind == "families":
        return f"{one.value:.0f} {'family' if one.value == 1 else 'families'}"
    return f"{one.kind} {100 * one.value:+.0f} points".replace("loss +", "loss ")


def _reasons(one: Dimension) -> list[str]:
    """What stopped it and what bounds it, where the two rates do not say all of it."""
    told = {level.reason for level in one.levels if level.met and level.level <= (one.level or 0)}
    stop = one.next
    if stop is not None and (stop.status == "not tested" or (len(stop.criteria) == 1 and not stop.provisional)):
        told.add(stop.reason)
    return [reason for reason in one.reasons if reason not in told]


def _risk(one: Dimension) -> list[str]:
    stop = one.next
    if stop is None or stop.characteristic is None or not stop.provisional:
        return []
    chance = stop.characteristic
    return [
        f"With {chance.n} units the rule promotes an agent 5 points below its threshold in {percent(chance.below)} of "
        f"tests, one 10 points above it in {percent(chance.above)}."
    ]


def _failed(one: Dimension) -> int | None:
    stop = one.next
    if stop is None or stop.met or stop.target is None or not stop.target.failed:
        return None
    return stop.target.failed[0]
