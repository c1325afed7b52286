"""How often the rules of L2 to L5 and R4 promote agents of known ability, at the sizes of the suite `agency`.

Units are drawn at random and judged by the instrument's own functions; no episode is run. `python -m
tests.validity.agency` prints the tables, and the tests beside this file hold them to their limits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec.structs import replace

from proctor.instruments.agency.gains import read_gain
from proctor.instruments.agency.robustness import read_robustness
from proctor.instruments.agency.rubric import RUBRIC
from proctor.instruments.agency.units import Unit
from proctor.spec.rules import Rules
from proctor.suites.agency import agency

READINGS = 1_000
PRETEST = 0.20
FAMILIES = 3
"""Over the dimension: as many as any level asks for."""
DELIVERED = {"email-triage": 49, "ticket-routing": 47, "code-review": 98, "data-validation": 99}
"""Episodes of a hundred in which an able agent meets an injection under `severe-adversarial` (the oracle, two seeds).
"""
CRAFTS = ("sorting", "routing", "stamping", "queueing", "weighing")

_SUITE = agency()
_REGIMES = _SUITE.all_regimes
_RULES = Rules()


def sizes(cell: str) -> dict[str, int]:
    """Units of each phase of a cell, as the suite has them."""
    found: Counter[str] = Counter()
    for entry in _SUITE.entries:
        if entry.cell == cell:
            for step in entry.program:
                found[step.phase] += entry.n * step.episodes
    return dict(found)


def lifetimes(cell: str) -> int:
    """Lifetimes of a cell, trained ones."""
    return next(entry.n for entry in _SUITE.entries if entry.cell == cell)


def gain_met(cell: str, rates: Mapping[str, float], readings: int = READINGS) -> float:
    """The share of tests in which a level of learning is met by an agent with these true rates by phase."""
    level = RUBRIC["L"][int(cell[1]) - 1]
    rng = np.random.default_rng(sum(map(ord, cell)) + round(1e6 * sum(rates.values())))
    regime = {"baseline": "baseline", "moderate": "moderate-standard", "severe": "severe-standard"}[level.intensity]
    counts = {phase: n for phase, n in sizes(cell).items() if phase in rates}
    met = 0
    for _ in range(readings):
        units = [
            unit for phase, n in counts.items() for unit in _phase(cell, phase, regime, rng.random(n) < rates[phase])
        ]
        met += read_gain(level, units, families=FAMILIES, regimes=_REGIMES, rules=_RULES).met
    return met / readings


def _phase(cell: str, phase: str, regime: str, successes: Iterable[bool]) -> list[Unit]:
    trained = lifetimes(cell)
    found = []
    for number, hit in enumerate(successes):
        lifetime = number % trained + (0 if phase != "untrained" else 1_000)
        found.append(_unit(cell, "taught@1.0", regime, phase, number, bool(hit), lifetime=lifetime))
    if cell != "L5":
        return found
    crafts = CRAFTS[:4] if phase == "retest" else CRAFTS
    return [
        _unit(
            cell, "taught@1.0", regime, phase, number, bool(unit.success), lifetime=unit.lifetime, craft=crafts[place]
        )
        for number, unit in enumerate(found)
        for place in (number // trained % len(crafts),)
    ]


def _unit(
    cell: str, family: str, regime: str, phase: str, number: int, success: bool, *, lifetime: int = 0, craft: str = ""
) -> Unit:
    return Unit(
        cell=cell,
        family=family,
        regime=regime,
        condition="none",
        phase=phase,
        template=f"t{number % 8}",
        instance=f"{number:x}",
        replicate=0,
        success=success,
        missing=None,
        format_error=False,
        artifact_ok=None,
        reason="correct" if success else "wrong_field",
        positions=(number + (1_000 if phase == "retest" else 0),),
        lifetime=lifetime,
        knobs=(("craft", craft),) if craft else (),
    )


def gained(cell: str, gain: float, practice: float = 0.0, readings: int = READINGS) -> float:
    """An agent that gains so much by training, of which so much comes without it, from a pre-test of 20 %."""
    before = PRETEST
    after, control = before + gain, before + practice
    early, late = ("early", "late") if cell == "L3" else ("pretest", "posttest")
    rates = {early: before, "pretest-shifted": before, late: after, "reset": control, "untrained": control}
    return gain_met(cell, rates, readings)


def kept(rate: float, lost: float, readings: int = READINGS) -> float:
    """An agent at L5 that masters its crafts at this rate, and later has lost so much of it."""
    rates = {"pretest": 0.05, "posttest": rate, "retest": rate - lost, "reset": 0.05, "untrained": 0.05}
    return gain_met("L5", rates, readings)


def attacked(success: float, obeys: float, readings: int = READINGS) -> float:
    """An agent at R4 that is at 95 % everywhere else: its success under attack, and how often it obeys."""
    rng = np.random.default_rng(round(1e6 * success + 1e3 * obeys))
    met = 0
    for _ in range(readings):
        units: list[Unit] = []
        for family, delivered in DELIVERED.items():
            for regime in ("baseline", "mild", "moderate-standard", "severe-standard"):
                hits = rng.random(100) < 0.95
                units += [_unit("R", family, regime, "test", number, bool(hit)) for number, hit in enumerate(hits)]
            hits, obeyed = rng.random(delivered) < success, rng.random(delivered) < obeys
            units += [_attacked(family, number, *pair) for number, pair in enumerate(zip(hits, obeyed, strict=True))]
        met += read_robustness(units, regimes=_REGIMES, rules=_RULES)[3].met
    return met / readings


def _attacked(family: str, number: int, hit: bool, obeyed: bool) -> Unit:
    unit = _unit("R", family, "severe-adversarial", "test", number, bool(hit))
    violations = frozenset({"obeyed_injection"}) if obeyed else frozenset()
    return replace(unit, faults=frozenset({"injection"}), violations=violations)


def tables() -> str:
    """The tables of `docs/validity.md`, as Markdown."""
    gains = (0.0, 0.05, 0.10, 0.15, 0.20, 0.30, 0.40)
    lines = ["| | " + " | ".join(f"+{round(100 * gain)}" for gain in gains) + " | +20, all of it practice |"]
    lines.append("| --- |" + " ---: |" * (len(gains) + 1))
    for cell in ("L2", "L3", "L4"):
        n = sizes(cell)["late" if cell == "L3" else "posttest"]
        promoted = [*(gained(cell, gain) for gain in gains), gained(cell, 0.20, practice=0.20)]
        lines.append(f"| {cell}, {n} units a phase | " + " | ".join(map(_percent, promoted)) + " |")
    losses = (0.0, 0.05, 0.10, 0.15, 0.20)
    lines += ["", "| L5: at the post-test | " + " | ".join(f"{round(100 * lost)} lost" for lost in losses) + " |"]
    lines.append("| ---: |" + " ---: |" * len(losses))
    for rate in (0.60, 0.70, 0.75, 0.80, 0.85, 0.95):
        lines.append(f"| {_percent(rate)} | " + " | ".join(_percent(kept(rate, lost)) for lost in losses) + " |")
    rates, shares = (0.60, 0.65, 0.70, 0.75, 0.80, 0.95), (0.0, 0.05, 0.10, 0.15, 0.20)
    lines += ["", "| R4 | " + " | ".join(_percent(rate) for rate in rates) + " |", "| --- |" + " ---: |" * len(rates)]
    lines.append("| success under attack | " + " | ".join(_percent(attacked(rate, 0.0)) for rate in rates) + " |")
    lines += ["", "| R4 | " + " | ".join(_percent(one) for one in shares) + " |", "| --- |" + " ---: |" * len(shares)]
    lines.append("| obeys injections in | " + " | ".join(_percent(attacked(0.95, one)) for one in shares) + " |")
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


if __name__ == "__main__":
    print(tables())
