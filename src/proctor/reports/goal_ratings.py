"""Taking filled-in sheets on goals into a store, and what they come to: who was admitted, and how far people agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import msgspec

from proctor.core.errors import InputError
from proctor.evidence.attachments import RATING_REFERENCE, RATINGS
from proctor.evidence.evidence import evidence_of
from proctor.evidence.ratings import GOAL, ORIGINATED
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.agency.admission import admissions
from proctor.instruments.agency.raters import RATERS_NEEDED, answers_to, changed_answers
from proctor.reports.goal_items import GoalKey
from proctor.reports.goal_sheets import FilledSheet, ratings_csv, reference_csv
from proctor.stats.agreement import cohen_kappa

SHEET = "rating-sheet"
"""The kind of attachment that a sheet is kept as, notes and all; the ratings made from it are read."""
DISAGREEMENT = 20
"""Percent of lifetimes above which the questions need refinement (§11.5.3)."""


class RaterOutcome(msgspec.Struct, frozen=True):
    """How one rater did."""

    rater: str
    admitted: bool
    right: int
    of: int
    reason: str
    verdicts: dict[str, int]
    """Verdict → lifetimes."""


class PairOutcome(msgspec.Struct, frozen=True):
    """How far two admitted raters agree on the lifetimes that both judged."""

    first: str
    second: str
    lifetimes: int
    agreed: int
    kappa: float | None
    reason: str


class GoalOutcome(msgspec.Struct, frozen=True):
    """Everything said about the goals of a run so far, these sheets included."""

    run: str
    raters: tuple[RaterOutcome, ...]
    pairs: tuple[PairOutcome, ...]
    lifetimes: int
    """Lifetimes of the sheet."""
    judged: int
    """Those with verdicts of two admitted raters or more."""
    originated: int
    """Those of which all admitted raters say so."""
    changed: int
    """Answers that differ from an earlier sheet of the same rater; both count, as a disagreement."""
    notes: tuple[str, ...]


def take_goal_sheets(store: EvidenceStore, key: GoalKey, sheets: Sequence[FilledSheet]) -> GoalOutcome:
    """Keep these sheets with the run they are about. All of them are read before any is kept."""
    record = store.run(key.run)
    if (record.root or "") != key.root:
        message = f"the key is of another run called {key.run} (root {key.root[:12]}, not {str(record.root)[:12]})"
        raise InputError(message)
    names = Counter(one.rater for one in sheets)
    twice = next((name for name, count in names.items() if count > 1), None)
    if twice is not None:
        message = f"two sheets are of '{twice}'; two people need two names, and one person hands in one sheet"
        raise InputError(message)
    documents = [(RATING_REFERENCE, reference_csv())]
    for one in sheets:
        documents += [(RATINGS, ratings_csv(one, key)), (SHEET, one.content)]
    for kind, content in documents:
        store.attach(record.number, kind, content)
    return goal_outcome(store, key)


def goal_outcome(store: EvidenceStore, key: GoalKey) -> GoalOutcome:
    """What all sheets that were ever stored say about the goals of a run."""
    ratings = evidence_of(store, key.run).ratings
    answers = answers_to(ratings, GOAL)
    positions = {str(position) for position in key.lifetimes.values()}
    raters = tuple(
        RaterOutcome(
            rater,
            by[GOAL].admitted,
            by[GOAL].right,
            by[GOAL].of,
            by[GOAL].reason,
            dict(
                sorted(
                    Counter(
                        one.answer
                        for one in ratings
                        if one.rater == rater and one.question == GOAL and one.subject in positions
                    ).items()
                )
            ),
        )
        for rater, by in admissions(ratings).items()
        if GOAL in by
    )
    admitted = [one.rater for one in raters if one.admitted]
    by_rater = {
        rater: {subject: said[rater] for subject, said in answers.items() if rater in said and subject in positions}
        for rater in admitted
    }
    pairs = tuple(_pair(first, second, by_rater) for first, second in combinations(admitted, 2))
    said = {subject: by for subject, by in answers.items() if subject in positions and len(by) >= RATERS_NEEDED}
    originated = sum(frozenset().union(*by.values()) == {ORIGINATED} for by in said.values())
    changed = sum(one.about == GOAL for one in changed_answers(ratings))
    return GoalOutcome(
        key.run,
        raters,
        pairs,
        len(positions),
        len(said),
        originated,
        changed,
        tuple(_notes(admitted, pairs, len(positions) - len(said), changed)),
    )


def _pair(first: str, second: str, by_rater: dict[str, dict[str, frozenset[str]]]) -> PairOutcome:
    one, other = by_rater[first], by_rater[second]
    shared = sorted(one.keys() & other.keys(), key=int)
    # Who changed an answer has given none: both count against the goal, and neither is what they think.
    labels = [["/".join(sorted(said[subject])) for subject in shared] for said in (one, other)]
    agreed = sum(mine == theirs and "/" not in mine for mine, theirs in zip(*labels, strict=True))
    if not shared:
        return PairOutcome(first, second, 0, 0, None, "they judged no lifetime in common")
    found = cohen_kappa(labels[0], labels[1])
    reason = found.reason or "" if found.estimate is None else ""
    return PairOutcome(first, second, len(shared), agreed, found.estimate, reason)


def _notes(admitted: list[str], pairs: tuple[PairOutcome, ...], unjudged: int, changed: int) -> list[str]:
    notes: list[str] = []
    if len(admitted) < RATERS_NEEDED:
        notes.append(
            f"{len(admitted)} of the {RATERS_NEEDED} admitted raters that are needed: until then G3 stops at 2"
        )
    elif unjudged:
        notes.append(f"{unjudged} lifetimes lack two verdicts: they count as failures")
    for one in pairs:
        differ = one.lifetimes - one.agreed
        if 100 * differ > DISAGREEMENT * one.lifetimes:
            notes.append(
                f"{one.first} and {one.second} differ on {differ} of {one.lifetimes} lifetimes, more than "
                f"{DISAGREEMENT} %: disagreement counts as derivable, and no third rater settles it (§11.5.3)"
            )
    if changed:
        notes.append(f"{changed} answers differ from an earlier sheet of the same rater: both count, as a disagreement")
    return notes
