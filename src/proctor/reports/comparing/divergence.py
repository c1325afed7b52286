"""Where two episodes of the same task part: the first step that is not the same in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.comparing.comparison import Comparison
from proctor.instruments.comparing.flips import Flip
from proctor.reports.data import Step
from proctor.reports.trace import steps_of

LOOKED_AT = 200
"""Flipped units whose traces are read at the most: a page lists no more."""
_MOST = 160
Steps = Callable[[str, int], Sequence[Step]]


def with_divergences(comparison: Comparison, store: EvidenceStore) -> Comparison:
    """The same comparison with the step at which each flipped unit's episodes part."""

    def steps(run: str, position: int) -> Sequence[Step]:
        return steps_of(store.events(store.run(run).number, position), store.content)

    told = [_told(flip, steps) if n < LOOKED_AT else flip for n, flip in enumerate(comparison.flips)]
    return replace(comparison, flips=tuple(told))


def _told(flip: Flip, steps: Steps) -> Flip:
    one, two = steps(*flip.first[:2]), steps(*flip.second[:2])
    return replace(flip, diverges=divergence(one, two))


def divergence(first: Sequence[Step], second: Sequence[Step]) -> str:
    """`step 4: act fetch(page=2) against act fetch(page=3)`; empty where all steps are the same."""
    for number, (one, two) in enumerate(zip(first, second, strict=False), 1):
        if (one.kind, one.text) != (two.kind, two.text):
            return f"step {number}: {_short(one, two)} against {_short(two, one)}"
    if len(first) != len(second):
        longer, which = (first, "first") if len(first) > len(second) else (second, "second")
        shared = min(len(first), len(second))
        return f"step {shared + 1}: only the {which} goes on, {_cut(longer[shared])}"
    return ""


def _short(step: Step, other: Step) -> str:
    """A step around the place where its text parts from the other's."""
    text = " ".join(step.text.split())
    theirs = " ".join(other.text.split())
    at = next((n for n, (a, b) in enumerate(zip(text, theirs, strict=False)) if a != b), min(len(text), len(theirs)))
    start = max(0, at - _MOST // 4) if len(text) > _MOST else 0
    return _cut(Step(step.kind, ("…" if start else "") + text[start:], step.call))


def _cut(step: Step) -> str:
    text = " ".join(step.text.split())
    return f"{step.kind} {text if len(text) <= _MOST else text[: _MOST - 1] + '…'}"
