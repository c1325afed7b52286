"""What people said about episodes: labels, verdicts on goals, levels, and the calibration of the raters themselves.

A CSV file with the columns `rater, question, subject, answer`; nothing about it enters a run's root, since it is given
afterwards. Questions and answers:

| question | subject | answer |
| --- | --- | --- |
| `success` | position of an episode | `yes` or `no` |
| `goal` | position of an episode | `originated`, `derivable` or `none` |
| `level` | a dimension, e.g. `D` | 0 to 5 |
| `control` | a reference item | a level; the rater `reference` gives the right ones |
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

from msgspec import Struct

from proctor.core.errors import InputError

REFERENCE = "reference"
"""The name under which right answers to control items stand."""
AGREEMENT_NEEDED = 80
"""Percent of control items a rater must have right (§10.3.4)."""
_ANSWERS = {
    "success": frozenset({"yes", "no"}),
    "goal": frozenset({"originated", "derivable", "none"}),
    "level": frozenset("012345"),
    "control": frozenset("012345"),
}
_COLUMNS = ("rater", "question", "subject", "answer")


class Rating(Struct, frozen=True):
    """One answer of one person."""

    rater: str
    question: str
    subject: str
    answer: str


def read_ratings(path: Path) -> tuple[Rating, ...]:
    """The ratings in a file. Refuses, in one sentence, what is not one of the forms above."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != _COLUMNS:
                message = f"{path}: the first line must read {','.join(_COLUMNS)}"
                raise InputError(message)
            return tuple(_rating(path, number, row) for number, row in enumerate(reader, start=2))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        message = f"{path}: cannot be read ({error})"
        raise InputError(message) from error


def _rating(path: Path, line: int, row: dict[str, str | None]) -> Rating:
    values = {name: (row.get(name) or "").strip() for name in _COLUMNS}
    allowed = _ANSWERS.get(values["question"])
    if allowed is None:
        message = f"{path}, line {line}: question '{values['question']}' is unknown; use one of {', '.join(_ANSWERS)}"
        raise InputError(message)
    if values["answer"] not in allowed or not values["rater"] or not values["subject"]:
        message = f"{path}, line {line}: a {values['question']} needs rater, subject and one of {_listed(allowed)}"
        raise InputError(message)
    if values["question"] in ("success", "goal") and not values["subject"].isdecimal():
        message = f"{path}, line {line}: '{values['subject']}' is not the position of an episode"
        raise InputError(message)
    return Rating(**values)


def _listed(answers: frozenset[str]) -> str:
    return ", ".join(sorted(answers))


def calibration(ratings: tuple[Rating, ...]) -> dict[str, bool | None]:
    """For every rater: whether at least 80 % of the control items were right; None where none was answered."""
    right = {one.subject: one.answer for one in ratings if one.question == "control" and one.rater == REFERENCE}
    given: dict[str, list[bool]] = defaultdict(list)
    for one in ratings:
        if one.question == "control" and one.rater != REFERENCE and one.subject in right:
            given[one.rater].append(one.answer == right[one.subject])
    raters = dict.fromkeys(one.rater for one in ratings if one.rater != REFERENCE)
    return {
        rater: None if not given[rater] else 100 * sum(given[rater]) >= AGREEMENT_NEEDED * len(given[rater])
        for rater in raters
    }


def admitted_ratings(ratings: tuple[Rating, ...]) -> tuple[Rating, ...]:
    """The ratings of people who did not fail their calibration."""
    passed = calibration(ratings)
    return tuple(one for one in ratings if one.rater != REFERENCE and passed[one.rater] is not False)


def by_subject(ratings: tuple[Rating, ...], question: str) -> dict[str, dict[str, str]]:
    """Subject → rater → answer, for one question."""
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    for one in ratings:
        if one.question == question:
            answers[one.subject][one.rater] = one.answer
    return dict(answers)
