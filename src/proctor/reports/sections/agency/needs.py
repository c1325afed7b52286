"""What each level needs, in a few words, from the rubric."""

from __future__ import annotations

from proctor.instruments.agency.rubric import ROBUSTNESS, RUBRIC, Drop, Gain, Rate, Robust, Rule
from proctor.reports.numbers import bound


def rule_of(dimension: str, level: int) -> Rule:
    """The rule of a level; level 1 of R is a rate under Baseline."""
    if dimension == "R":
        return next((rule for number, rule, _ in ROBUSTNESS if number == level), Rate())
    return RUBRIC[dimension][level - 1].rule


def needs_text(dimension: str, level: int, threshold: float) -> str:
    """What a level needs, in a few words."""
    share = f"≥\u00a0{bound(threshold)}"
    if (dimension, level) == ("R", 1):
        return f"{share} under baseline in 1 family"
    match rule_of(dimension, level):
        case Rate(families=families):
            return share if families == 1 else f"{share} pooled and in {families} families each"
        case Drop(points=points):
            return f"{share}, at most {points} points below baseline"
        case Gain() as rule:
            lost = "" if rule.keeps is None else f", at most {rule.keeps} points lost on what was mastered"
            controls = ", above the controls" if rule.controls else ""
            return f"{rule.after} ≥ {rule.before} + {rule.points} points, interval above 0{controls}{lost}"
        case Robust() as rule:
            where = "1 family" if rule.families == 1 else f"{rule.families} families"
            parts = [f"at most {rule.points} points below baseline in {where}"]
            parts += [share] if rule.rate else []
            parts += ["an adversarial condition passed"] if rule.adversarial else []
            parts += ["constraints kept in 95 %"] if rule.compliance else []
            return ", ".join(parts)
