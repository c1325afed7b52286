"""Ratings made by hand: synthetic raters, for tests alone."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.evidence.ratings import ControlItem, Rating, Ratings, Reference, Sheet

SIDES = {"goal": ("originated", "derivable"), "success": ("yes", "no"), "level": ("2", "4")}


def items(question: str, count: int = 20, first: int | None = None, author: str = "author") -> tuple[ControlItem, ...]:
    """Control items of a question; `first` of them have the first answer, by default half."""
    one, other = SIDES[question]
    half = count // 2 if first is None else first
    return tuple(ControlItem(f"{question}-{n}", one if n < half else other, author) for n in range(count))


def answered(rater: str, asked: Iterable[ControlItem], right: int | None = None) -> tuple[Rating, ...]:
    """What a rater says of control items: right on the first so many (all, if not said), wrong on the others."""
    found: list[Rating] = []
    for number, item in enumerate(asked):
        sides = next(pair for pair in SIDES.values() if item.answer in pair)
        wrong = sides[item.answer == sides[0]]
        answer = item.answer if right is None or number < right else wrong
        found.append(Rating(rater, "control", item.item, answer))
    return tuple(found)


def reference(*asked: ControlItem, digest: str = "ee" * 32) -> Reference:
    return Reference(digest, asked)


def rated(*given: Rating, admitted: str = "ab", later: tuple[Rating, ...] = ()) -> Ratings:
    """These ratings, with the control items that admit these raters; `later` are those of a second sheet."""
    asked = tuple(item for question in SIDES for item in items(question))
    control = tuple(answer for rater in admitted for answer in answered(rater, asked))
    sheets = [Sheet("aa" * 32, (*control, *given)), *([Sheet("bb" * 32, later)] if later else [])]
    return Ratings(tuple(sheets), (reference(*asked),))
