"""`oracle:tier1` … `oracle:tier6`: the family's solver up to a tier, and decisively nothing above it.

They test the arithmetic of gates: they know what is asked, cell by cell, and are labelled so. Above its tier such an
agent hands in nothing, has no confidence that tells items apart, learns nothing and changes nothing. As the model-free
baseline it does what needs no model and fails what does.
"""

from __future__ import annotations

from typing import Final

from msgspec import structs

from proctor.agents.contract import Placement, Session
from proctor.agents.oracle import Oracle
from proctor.spec.task import Submission, TaskView

TIERS: Final = {f"tier{number}": number for number in range(1, 7)}
_NEEDED: Final = {"S": 1, "D": 1, "E": 1, "L": 2, "M": 3, "G1": 4}
"""From which tier on a dimension is asked for."""
_FORESIGHT: Final = ("M3", "T3-delayed")
"""Cells that nobody without a model succeeds in, as far as history is needed."""
_UNSURE: Final = 0.5
_NOTHING: Final = Submission(confidence=_UNSURE)


def needed_tier(cell: str | None) -> int:
    """The tier that first asks for success in a cell; 0 where none does."""
    if cell is None:
        return 0
    if cell[:1] == "T" and cell[1:2].isdecimal():
        return int(cell[1])
    return _NEEDED.get(cell.partition("-")[0] if "-" in cell else cell[:1], 0)


class TierOracle(Oracle):
    """The oracle, up to its tier."""

    __slots__ = ("_placement", "_tier")

    def __init__(self, tier: int) -> None:
        super().__init__()
        self._tier = tier
        self._placement: Placement | None = None

    def set_placement(self, placement: Placement) -> None:
        self._placement = placement

    async def run(self, task: TaskView, session: Session) -> Submission:
        placement, self._placement = self._placement, None
        if placement is None:
            return await super().run(task, session)
        if needed_tier(placement.cell) > self._tier:
            self.clear()
            return _NOTHING
        if placement.baseline is not None and placement.cell in _FORESIGHT:
            return _NOTHING
        submission = await super().run(task, session)
        return structs.replace(submission, confidence=_UNSURE) if submission.confidence is None else submission
