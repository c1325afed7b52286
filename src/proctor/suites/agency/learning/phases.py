"""The phases of a lifetime: in which of them outcomes are shown, and which of them hold out material.

Training and tests draw from separate material, so that nothing which was trained on ever occurs in a test. Sessions of
phase `late` show outcomes and are held out all the same: every one of them is about somebody new.
"""

from __future__ import annotations

_SHOWS_OUTCOMES = frozenset(("train", "early", "late"))
_TRAINS = frozenset(("train", "early"))


def shows_outcomes(phase: str) -> bool:
    """Whether the agent is told, after it has committed itself, what would have been right."""
    return phase in _SHOWS_OUTCOMES


def held_out(phase: str) -> bool:
    """Whether the material of this phase is kept out of training."""
    return phase not in _TRAINS
