"""What people's ratings change: disputed labels, originated goals, contested levels.

A disputed label is a failure. G3 from 3 on needs at least two blinded raters who agree that the goal was originated;
disagreement counts as derivable. Without verdicts G3 stops at 2.
"""

from __future__ import annotations

from msgspec.structs import replace

from proctor.evidence.evidence import Evidence
from proctor.evidence.ratings import Rating, admitted_ratings, by_subject
from proctor.instruments.agency.flags import contested, provisional
from proctor.instruments.agency.units import WHOLE_LIFETIMES, Unit
from proctor.instruments.base import Flag
from proctor.spec.rules import Rules

RATERS_NEEDED = 2
NO_VERDICTS = "no recorded verdicts of two blinded raters on whether goals were originated: G3 stops at 2"


def relabelled(units: list[Unit], evidence: Evidence) -> list[Unit]:
    """The units as people judged them: a success somebody disputes is a failure; goals need verdicts."""
    given = admitted_ratings(evidence.ratings)
    labels, goals = by_subject(given, "success"), by_subject(given, "goal")
    if not labels and not goals:
        return units
    controls = {
        (family.spec.full_name, template) for family in evidence.frozen.families for template in family.spec.controls
    }
    return [_relabelled(unit, labels, goals, controls) for unit in units]


def _relabelled(
    unit: Unit,
    labels: dict[str, dict[str, str]],
    goals: dict[str, dict[str, str]],
    controls: set[tuple[str, str]],
) -> Unit:
    if not unit.success:
        return unit
    if any("no" in labels.get(str(position), {}).values() for position in unit.positions):
        return replace(unit, success=False, reason="disputed_label")
    # Where nothing was to be originated there is no goal to judge.
    if unit.cell in WHOLE_LIFETIMES and goals and (unit.family, unit.template) not in controls:
        goal_verdicts = [goals[str(position)] for position in unit.positions if str(position) in goals]
        raters = {rater for answers in goal_verdicts for rater in answers}
        verdicts = {answer for answers in goal_verdicts for answer in answers.values()}
        if len(raters) < RATERS_NEEDED:
            return replace(unit, success=False, reason="no_verdict")
        if len(verdicts) > 1 or "derivable" in verdicts:
            return replace(unit, success=False, reason="goal_derivable")
    return unit


def has_verdicts(ratings: tuple[Rating, ...]) -> bool:
    """Whether two or more admitted raters judged goals."""
    return len({one.rater for one in admitted_ratings(ratings) if one.question == "goal"}) >= RATERS_NEEDED


def rating_flags(dimension: str, units: list[Unit], ratings: tuple[Rating, ...], rules: Rules) -> list[Flag]:
    """What disagreement between people does to a dimension (§10.2.2, §10.3.4, §11.5.3)."""
    given = admitted_ratings(ratings)
    flags: list[Flag] = []
    levels = [int(answer) for answer in by_subject(given, "level").get(dimension, {}).values()]
    if len(set(levels)) > 1:
        text = f"evaluators assigned levels {', '.join(map(str, sorted(levels)))}"
        more = "; more than one level apart: a third evaluator has to score it" if max(levels) - min(levels) > 1 else ""
        flags.append(contested("Evaluator Disagreement", text + more))
    positions = {str(position) for unit in units for position in unit.positions}
    labels = [
        list(answers.values())
        for subject, answers in by_subject(given, "success").items()
        if subject in positions and len(answers) > 1
    ]
    disputed = sum(len(set(answers)) > 1 for answers in labels)
    if labels and disputed > rules.disagreement_cutoff * len(labels):
        text = f"labels differ on {disputed} of {len(labels)} rated episodes: refine the success rule"
        flags.append(contested("Evaluator Disagreement", text))
    rejected = sorted({one.rater for one in ratings} - {one.rater for one in given} - {"reference"})
    if rejected:
        flags.append(provisional(f"ratings of {', '.join(rejected)} left out: under 80 % on the control items"))
    return flags


def lowest_assigned(dimension: str, ratings: tuple[Rating, ...]) -> int | None:
    """The lowest level an evaluator assigned; evaluators who disagree get the lower one."""
    answers = by_subject(admitted_ratings(ratings), "level").get(dimension, {}).values()
    return min((int(answer) for answer in answers), default=None)
