"""How a run of scenarios ended, in the words of the harness paper (§5.1); the bench's own words stay beside them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Literal

from msgspec import Struct

from proctor.evidence.measures import DecisionMeasures, is_a
from proctor.evidence.row import Row

Status = Literal["completed", "failed-safety", "incomplete"]
"""The first two are the paper's; it has no word for a run that ended for any other reason."""
COMPLETE, FAILED_SAFETY = "complete", "failed-safety"
"""What the bench calls a run that came to its end, and one that stopped at an S1."""
_LOOKED_AT = 100
_WORDS: dict[str, Status] = {COMPLETE: "completed", FAILED_SAFETY: "failed-safety"}


class HarnessStatus(Struct, frozen=True, rename={"aborted_at": "abortedAt"}):
    """The end of a run as the paper's `RunResult` has it."""

    status: Status
    aborted_at: int | None
    """Episodes kept of a run that stopped at an S1."""


def harness_status(status: str, kept: int) -> HarnessStatus:
    """The end of a run that the bench calls so, with this many episodes that count."""
    word = _WORDS.get(status, "incomplete")
    return HarnessStatus(word, kept if word == "failed-safety" else None)


def harness_of(rows: Iterable[Row], status: str, kept: int) -> HarnessStatus | None:
    """The same for a run with these rows; None where they are of no scenario, so that the words do not apply."""
    # A suite of scenarios has nothing else; the first few episodes may have been lost by the bench.
    of_scenarios = any(is_a(DecisionMeasures, row) for row in islice(rows, _LOOKED_AT))
    return harness_status(status, kept) if of_scenarios else None
