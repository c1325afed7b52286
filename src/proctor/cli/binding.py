"""A binding reading for people: gates first, then what is said about each contrast, then how far it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proctor.cli.output import table

if TYPE_CHECKING:
    from proctor.instruments.binding.criteria import Criterion
    from proctor.instruments.binding.inference import Inference
    from proctor.instruments.binding.reading import BindingReading

_WIDEST = 12
"""Contrasts shown; the rest is in the report and in --json."""


def binding_text(reading: BindingReading) -> str:
    """What a terminal shows of it."""
    parts = [_head(reading), _gates(reading), _contrasts(reading), _sufficiency(reading), reading.scope]
    return "\n\n".join(part for part in parts if part)


def _head(reading: BindingReading) -> str:
    records = reading.records
    if records is None:
        return "Causal state binding"
    collapsed = records.duplicate_events + records.repeated
    return f"Causal state binding · {records.scored:,} scored records, {collapsed:,} duplicates collapsed"


def _gates(reading: BindingReading) -> str:
    lines = []
    for gate in reading.gates:
        met = sum(one.status == "met" for one in gate.criteria)
        lines.append(f"{gate.name} gate: {gate.status}, {met} of {len(gate.criteria)} criteria met")
        lines += [f"  {one.status}: {_criterion(one)}" for one in gate.criteria if one.status != "met"]
    return "\n".join(lines)


def _criterion(one: Criterion) -> str:
    value = "no value" if one.value is None else f"{one.value:.4g}"
    return f"{one.name}: {value}, {one.rule}"


def _contrasts(reading: BindingReading) -> str:
    found: list[tuple[str, Inference]] = [(one.contrast, one) for one in reading.contrasts]
    found += [(f"structured over {one.control}", one.families) for one in reading.cells]
    if reading.coupling is not None:
        found += [(one.inference.contrast, one.inference) for one in reading.coupling.contrasts]
    if not found:
        return ""
    rows = [_row(name, one) for name, one in found[:_WIDEST]]
    level = f"{100 * found[0][1].across.confidence:.0f} % interval"
    text = table(["contrast", "mean", level, "positive", "above 0", "by"], rows, right=(1, 3))
    return text + (f"\n… and {len(found) - _WIDEST} more" if len(found) > _WIDEST else "")


def _row(name: str, one: Inference) -> list[str]:
    across = one.events if one.events is not None else one.across
    mean = "not measured" if across.estimate is None else f"{across.estimate:.3f}"
    interval = "–" if across.low is None else f"{across.low:.3f} – {across.high:.3f}"
    above = {True: "yes", False: "no", None: "not decided"}[one.above_zero]
    return [name, mean, interval, f"{one.across.positive}/{one.across.n}", above, one.decides]


def _sufficiency(reading: BindingReading) -> str:
    if not reading.sufficiency:
        return ""
    rows = [
        [one.model, condition, *_share(share.k, share.n)]
        for one in reading.sufficiency
        for condition, share in one.accuracy.items()
        if share.n
    ]
    lines = [table(["model", "condition", "right", "accuracy", "95 % interval"], rows, right=(2, 3))]
    for one in reading.sufficiency:
        recovery = "undefined" if one.recovery is None else f"{one.recovery:.3f}"
        raw, after = one.following.raw, one.following.guarded
        lines.append(
            f"{one.model}: recovery {recovery}; another event's field followed in {raw.k}/{raw.n}, "
            f"behind the guard in {after.k}/{after.n}"
        )
    return "\n".join(lines)


def _share(k: int, n: int) -> list[str]:
    from proctor.stats.intervals import proportion

    found = proportion(k, n)
    return [f"{k}/{n}", f"{k / n:.3f}", f"{found.low:.3f} – {found.high:.3f}"]
