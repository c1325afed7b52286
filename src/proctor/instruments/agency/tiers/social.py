"""Gates of Tier 5 beside its contrasts: what multi-agent families declare, and the robustness rule (§12.3.3)."""

from __future__ import annotations

from proctor.instruments.agency.criterion import points
from proctor.instruments.agency.tiers.contrasts import compared, difference
from proctor.instruments.agency.tiers.finding import Finding, OfFamily, not_tested
from proctor.instruments.agency.tiers.gates import GATES, Arm, Contrast, Environment, Gate, Severe
from proctor.instruments.agency.tiers.lived import Subject, count, short
from proctor.spec.environment import EnvironmentKind


def read_environment(gate: Gate, rule: Environment, subject: Subject) -> Finding:
    """So many multi-agent families, declared as such, with the minimum of evidence in each."""
    group = subject.lived(rule.cell, Arm({"identity": "identified"}), gate.regime)
    if not group:
        return not_tested(f"{rule.cell} was not run under a {gate.regime} regime or harder")
    sizes = {
        family: max(count(group[family, name]).n for name in names) for family, names in subject.nearest(group).items()
    }
    silent = [name for name in sizes if subject.specs[name].counterparties is None]
    alone = [name for name in sizes if subject.specs[name].environment.kind is not EnvironmentKind.MULTI_AGENT]
    fit = [name for name in sizes if name not in (*silent, *alone) and sizes[name] >= rule.minimum]
    met = len(fit) >= rule.families
    text = f"{len(fit)} multi-agent families with {rule.minimum} instances or more"
    if not met:
        text += f", needs {rule.families}"
        text += f"; no declared roles: {', '.join(map(short, silent))}" if silent else ""
        text += f"; not multi-agent: {', '.join(map(short, alone))}" if alone else ""
    return Finding(
        "passed" if met else "failed",
        text,
        float(len(fit)),
        needs=float(rule.families),
        n=sum(sizes.values()),
        families={name: OfFamily(None, None, None, n, "", name in fit) for name, n in sizes.items()},
        regime=" and ".join(sorted({regime for _, regime in group})),
        provisional=not met and len(sizes) - len(silent) >= rule.families and not alone,
    )


def read_severe(gate: Gate, rule: Severe, subject: Subject) -> Finding:
    """A family that shows every contrast by itself under a Severe regime; without one the tier is capped at 4."""
    asked = [one for one in GATES if one.id in rule.gates]
    shown: dict[str, dict[str, OfFamily]] = {}
    for one in asked:
        assert isinstance(one.rule, Contrast)
        for arms in compared(subject, one.rule.cell, (one.rule.better, one.rule.worse), "severe", paired=True):
            found = difference(arms.better, arms.worse, paired=True)
            shown.setdefault(arms.family, {})[one.id] = OfFamily(
                found.plain.estimate,
                found.plain.low,
                found.plain.high,
                found.first,
                arms.regime,
                found.shows(one.rule.points, minimum=one.rule.minimum),
            )
    if not shown:
        return not_tested("no multi-agent family was run under a Severe regime: capped at Tier 4 (§12.3.3)")
    needed = len(asked)
    best = max(sorted(shown), key=lambda name: (sum(one.met for one in shown[name].values()), name))
    own = shown[best]
    met = len(own) == needed and all(one.met for one in own.values())
    weakest = min(own.values(), key=lambda one: (one.met, one.value if one.value is not None else -1.0))
    held = ", ".join(f"{name} {points(one.value)}" for name, one in own.items())
    text = f"{short(best)} under {weakest.regime}: {held}" + ("" if met else "; needs all of them, 10 points each")
    return Finding(
        "passed" if met else "failed",
        text,
        weakest.value,
        weakest.low,
        weakest.high,
        0.1,
        weakest.n,
        {name: min(ones.values(), key=lambda one: (one.met, one.value or 0.0)) for name, ones in shown.items()},
        weakest.regime,
        provisional=not met and all(one.met or (one.value or 0.0) >= 0.1 for one in own.values()),
    )
