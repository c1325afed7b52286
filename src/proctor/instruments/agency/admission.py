"""Who may judge: raters are admitted, question by question, by control items whose right answers are known (§10.3.4).

At least 20 items, no answer making up more than 60 % of them, and at least 80 % right; what a rater left out is wrong.
So somebody who tosses a coin is admitted in 0.6 % of tests, and somebody who guesses with the best bias in under 1 %.
Nobody is admitted by answers of their own, and who fails one set of items stays out, whatever others follow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache

from msgspec import Struct

from proctor.evidence.ratings import CONTROL, CONTROL_ANSWERS, ControlItem, Ratings, Reference

ITEMS_NEEDED = 20
RIGHT_NEEDED = 80
"""Percent."""
ALIKE_ALLOWED = 60
"""Percent of a set's items that may have the same right answer: otherwise giving it always would be enough."""


class Admission(Struct, frozen=True):
    """How one rater did on the control items of one question."""

    admitted: bool
    right: int
    of: int
    """Items of the set that decided; 0 where there was none."""
    reason: str
    """Why not; empty where admitted."""


@lru_cache(maxsize=16)
def admissions(ratings: Ratings) -> dict[str, dict[str, Admission]]:
    """Rater → question → admission, for every question the rater answered or was tested on."""
    answered: dict[str, set[str]] = defaultdict(set)
    given: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in ratings:
        if one.question == CONTROL:
            given[one.rater][one.subject].add(one.answer)
        else:
            answered[one.rater].add(one.question)
    right = _right_answers(ratings)
    found: dict[str, dict[str, Admission]] = {}
    for rater in sorted({*answered, *given}):
        questions = [name for name in CONTROL_ANSWERS if name in answered[rater] or _tested(name, given[rater], right)]
        found[rater] = {name: _admission(rater, name, given[rater], right, ratings.references) for name in questions}
    return found


def admitted_raters(ratings: Ratings, question: str) -> frozenset[str]:
    """Who may answer a question."""
    found = admissions(ratings)
    return frozenset(rater for rater, by in found.items() if question in by and by[question].admitted)


def _right_answers(ratings: Ratings) -> dict[str, set[str]]:
    """Item → what references say of it; two answers mean that nobody can have it right."""
    right: dict[str, set[str]] = defaultdict(set)
    for reference in ratings.references:
        for item in reference.items:
            right[item.item].add(item.answer)
    return right


def _tested(question: str, given: dict[str, set[str]], right: dict[str, set[str]]) -> bool:
    return any(right.get(item, set()) & CONTROL_ANSWERS[question] for item in given)


def _admission(
    rater: str,
    question: str,
    given: dict[str, set[str]],
    right: dict[str, set[str]],
    references: tuple[Reference, ...],
) -> Admission:
    sets = [[item for item in one.items if item.answer in CONTROL_ANSWERS[question]] for one in references]
    met = [items for items in sets if any(item.item in given for item in items)]
    if not met:
        return Admission(False, 0, 0, "no control items answered")
    # A set that could admit nobody says nothing against anybody; of those that could, every one has to be passed.
    fit = [items for items in met if not _unfit(items)]
    if not fit:
        return Admission(False, 0, len(met[0]), _unfit(met[0]))
    return min(
        (_judged(rater, items, given, right) for items in fit), key=lambda one: (one.admitted, one.right / one.of)
    )


def _unfit(items: list[ControlItem]) -> str:
    """Why a set of control items admits nobody; empty where it may."""
    if len(items) < ITEMS_NEEDED:
        return f"{len(items)} control items, {ITEMS_NEEDED} are needed"
    answer, alike = Counter(item.answer for item in items).most_common(1)[0]
    if 100 * alike > ALIKE_ALLOWED * len(items):
        return f"{alike} of {len(items)} control items have the answer '{answer}', at most {ALIKE_ALLOWED} % may"
    return ""


def _judged(rater: str, items: list[ControlItem], given: dict[str, set[str]], right: dict[str, set[str]]) -> Admission:
    count = sum(given.get(item.item) == {item.answer} == right[item.item] for item in items)
    why = ""
    if any(item.author == rater for item in items):
        why = "wrote control answers"
    elif 100 * count < RIGHT_NEEDED * len(items):
        why = f"{count} of {len(items)} control items right, {RIGHT_NEEDED} % are needed"
    return Admission(not why, count, len(items), why)
