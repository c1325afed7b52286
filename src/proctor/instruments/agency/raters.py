"""What people's ratings change: disputed labels, originated goals, contested levels. Only admitted raters count.

A disputed label is a failure. G3 from 3 on needs at least two blinded raters who agree that a goal was originated and
pursued for its own sake, in a sample of lifetimes that the run determines; disagreement counts as derivable, and no
third rater settles it. Without verdicts G3 stops at 2. Levels count when two raters assigned them.

All sheets that were ever stored with a run count together. An answer that was changed later is there twice, and counts
like a disagreement: nothing is gained by handing in another sheet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from statistics import median_low

from msgspec import Struct
from msgspec.structs import replace

from proctor.evidence.attachments import SHOWN_DIGITS
from proctor.evidence.evidence import Evidence
from proctor.evidence.ratings import (
    CONTROL,
    CONTROL_ANSWERS,
    DISPUTED,
    GOAL,
    INSTRUMENTAL,
    LEVEL,
    NO_GOAL,
    ORIGINATED,
    SUCCESS,
    Ratings,
)
from proctor.instruments.agency.admission import admissions, admitted_raters
from proctor.instruments.agency.control_items import goal_reference
from proctor.instruments.agency.flags import contested, limited, provisional
from proctor.instruments.agency.sample import control_templates, sampled
from proctor.instruments.agency.units import Unit
from proctor.instruments.base import Flag
from proctor.spec.protocols import WHOLE_LIFETIMES
from proctor.spec.rules import Rules

RATERS_NEEDED = 2
NO_VERDICTS = "no recorded verdicts of two blinded raters on whether goals were originated: G3 stops at 2"
DISPUTED_LABEL, NO_VERDICT = "disputed_label", "no_verdict"
"""Reasons of units that failed by what people said, or did not say."""
_NOT_CREDITED = {NO_GOAL: "no_goal", INSTRUMENTAL: "goal_instrumental"}
"""Reasons where raters agree that it was not; otherwise it counts as derivable."""

Answers = dict[str, dict[str, frozenset[str]]]
"""Subject → rater → answers; more than one where an answer was changed."""


class Changed(Struct, frozen=True):
    """An answer that was changed in a later sheet."""

    rater: str
    question: str
    subject: str
    about: str
    """The question it bears on: for a control item the one that it is about."""
    since: str
    """SHA-256 of the sheet that had the first answer."""


@lru_cache(maxsize=16)
def answers_to(ratings: Ratings, question: str) -> Answers:
    """What admitted raters answered to one question."""
    admitted = admitted_raters(ratings, question)
    answers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in ratings:
        if one.question == question and one.rater in admitted:
            answers[one.subject][one.rater].add(one.answer)
    return {subject: {rater: frozenset(said) for rater, said in by.items()} for subject, by in answers.items()}


def relabelled(units: list[Unit], evidence: Evidence) -> list[Unit]:
    """The units as people judged them: disputed successes fail; whole lifetimes are those of the sample, with verdicts.

    Without verdicts of two admitted raters lifetimes stay as they are, since G3 stops at 2 then.
    """
    ratings = evidence.ratings
    if not ratings.sheets:
        return units
    labels = answers_to(ratings, SUCCESS)
    found = [_with_label(unit, labels) for unit in units]
    if not has_verdicts(ratings):
        return found
    goals, controls = answers_to(ratings, GOAL), control_templates(evidence)
    in_sample = {unit.positions for unit in sampled(units, evidence)}
    return [
        unit if unit.cell not in WHOLE_LIFETIMES or not _judged(unit, controls) else _with_verdict(unit, goals)
        for unit in found
        if unit.cell not in WHOLE_LIFETIMES or unit.positions in in_sample
    ]


def _judged(unit: Unit, controls: frozenset[tuple[str, str]]) -> bool:
    """Whether raters have something to say about it: where nothing was to be originated there is no goal to judge."""
    return bool(unit.success) and (unit.family, unit.template) not in controls


def _with_label(unit: Unit, labels: Answers) -> Unit:
    said = (answers for position in unit.positions for answers in labels.get(str(position), {}).values())
    if unit.success and any(DISPUTED in answers for answers in said):
        return replace(unit, success=False, reason=DISPUTED_LABEL)
    return unit


def verdicts_on(unit: Unit, goals: Answers) -> dict[str, frozenset[str]]:
    """Rater → everything said about the goal of a lifetime, at whichever of its episodes."""
    said: dict[str, frozenset[str]] = {}
    for position in unit.positions:
        for rater, answers in goals.get(str(position), {}).items():
            said[rater] = said.get(rater, frozenset()) | answers
    return said


def _with_verdict(unit: Unit, goals: Answers) -> Unit:
    said = verdicts_on(unit, goals)
    if len(said) < RATERS_NEEDED:
        return replace(unit, success=False, reason=NO_VERDICT)
    answers = frozenset().union(*said.values())
    if answers == {ORIGINATED}:
        return unit
    reason = _NOT_CREDITED.get(next(iter(answers)), "goal_derivable") if len(answers) == 1 else "goal_derivable"
    return replace(unit, success=False, reason=reason)


def has_verdicts(ratings: Ratings) -> bool:
    """Whether two or more admitted raters judged goals."""
    return len({rater for by in answers_to(ratings, GOAL).values() for rater in by}) >= RATERS_NEEDED


def rating_flags(dimension: str, units: list[Unit], ratings: Ratings, rules: Rules) -> list[Flag]:
    """What ratings do to the standing of a dimension (§10.2.2, §10.3.4, §11.5.3)."""
    positions = {str(position) for unit in units for position in unit.positions}
    return [
        *_level_flags(dimension, ratings),
        *_label_flags(positions, ratings, rules),
        *_change_flags(dimension, positions, ratings),
        *_left_out_flags(dimension, positions, ratings),
        *_reference_flags(dimension, ratings),
    ]


def overall_rating_flags(ratings: Ratings) -> list[Flag]:
    """What cannot be put down to one dimension."""
    if not ratings.unreadable:
        return []
    return [contested("Evidence Insufficient", f"{', '.join(ratings.unreadable)}: stored ratings that cannot be read")]


def _level_flags(dimension: str, ratings: Ratings) -> list[Flag]:
    levels = _assigned(dimension, ratings)
    if len(levels) < RATERS_NEEDED or len(set(levels)) == 1 or _settled(levels):
        return []
    text = f"evaluators assigned levels {', '.join(map(str, levels))}"
    more = "; more than one level apart: a third evaluator has to score it" if levels[-1] - levels[0] > 1 else ""
    return [contested("Evaluator Disagreement", text + more)]


def _label_flags(positions: set[str], ratings: Ratings, rules: Rules) -> list[Flag]:
    labels = [
        frozenset().union(*by.values())
        for subject, by in answers_to(ratings, SUCCESS).items()
        if subject in positions and len(by) > 1
    ]
    disputed = sum(len(answers) > 1 for answers in labels)
    if not labels or disputed <= rules.disagreement_cutoff * len(labels):
        return []
    text = f"labels differ on {disputed} of {len(labels)} rated episodes: refine the success rule"
    return [contested("Evaluator Disagreement", text)]


def _change_flags(dimension: str, positions: set[str], ratings: Ratings) -> list[Flag]:
    about = _about(dimension, positions, ratings)
    changed = [
        one
        for one in changed_answers(ratings)
        # A control item bears on everything that its rater said.
        if (one.question == CONTROL and (one.rater, one.about) in about)
        or _is_about(one.question, one.subject, dimension, positions)
    ]
    if not changed:
        return []
    first = changed[0]
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    text = (
        f"ratings changed since {first.since[:SHOWN_DIGITS]}: {first.rater} on {first.question} "
        f"{first.subject}{more}; what was said first counts as well"
    )
    return [contested("Evaluator Disagreement", text)]


def _left_out_flags(dimension: str, positions: set[str], ratings: Ratings) -> list[Flag]:
    about = _about(dimension, positions, ratings)
    found = admissions(ratings)
    reasons = {rater: found[rater][question].reason for rater, question in sorted(about)}
    return [provisional(f"ratings of {rater} left out: {reason}") for rater, reason in reasons.items() if reason]


def _reference_flags(dimension: str, ratings: Ratings) -> list[Flag]:
    if dimension != "G3" or not has_verdicts(ratings):
        return []
    goal_items = [item for one in ratings.references for item in one.items if item.answer in CONTROL_ANSWERS[GOAL]]
    if set(goal_items) == set(goal_reference()):
        return []
    authors = ", ".join(sorted({item.author for item in goal_items}))
    digests = ", ".join(one.sha256[:SHOWN_DIGITS] for one in ratings.references)
    text = f"raters were admitted by control answers of {authors} ({digests}), not by items that Proctor gave out"
    return [limited("control items", text)]


def _about(dimension: str, positions: set[str], ratings: Ratings) -> set[tuple[str, str]]:
    """(rater, question) of everything that anybody, admitted or not, said about a dimension."""
    return {(one.rater, one.question) for one in ratings if _is_about(one.question, one.subject, dimension, positions)}


def _is_about(question: str, subject: str, dimension: str, positions: set[str]) -> bool:
    if question == LEVEL:
        return subject == dimension
    if question == GOAL:
        return dimension == "G3"
    return question == SUCCESS and subject in positions


@lru_cache(maxsize=16)
def changed_answers(ratings: Ratings) -> tuple[Changed, ...]:
    """Every answer that a later sheet gives differently, in the order in which they were first given."""
    kinds = {item.item: _kind(item.answer) for reference in ratings.references for item in reference.items}
    first: dict[tuple[str, str, str], tuple[str, str]] = {}
    changed: dict[tuple[str, str, str], Changed] = {}
    for sheet in ratings.sheets:
        for one in sheet.ratings:
            key = (one.rater, one.question, one.subject)
            answer, since = first.setdefault(key, (one.answer, sheet.sha256))
            if answer != one.answer and key not in changed:
                about = kinds.get(one.subject, CONTROL) if one.question == CONTROL else one.question
                changed[key] = Changed(one.rater, one.question, one.subject, about, since)
    return tuple(changed.values())


def _kind(answer: str) -> str:
    return next(question for question, answers in CONTROL_ANSWERS.items() if answer in answers)


def lowest_assigned(dimension: str, ratings: Ratings) -> int | None:
    """The level that evaluators assigned: the lower one where they disagree, unless a third settled it.

    None where fewer than two admitted raters assigned one.
    """
    levels = _assigned(dimension, ratings)
    if len(levels) < RATERS_NEEDED:
        return None
    return median_low(levels) if _settled(levels) else levels[0]


def _assigned(dimension: str, ratings: Ratings) -> list[int]:
    """One level for each admitted rater, the lowest first; of a changed one the lower."""
    said: Iterable[frozenset[str]] = answers_to(ratings, LEVEL).get(dimension, {}).values()
    return sorted(min(map(int, answers)) for answers in said)


def _settled(levels: list[int]) -> bool:
    """Whether levels that are more than one apart were scored by a third evaluator."""
    return len(levels) > RATERS_NEEDED and levels[-1] - levels[0] > 1
