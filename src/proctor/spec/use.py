"""What the attainable policy of a family spends under a regime: the measure of how scarce the regime's caps are."""

from __future__ import annotations

from pydantic import Field, NonNegativeInt

from proctor.spec.declaration import Declaration


class StrictUse(Declaration):
    """A strict cap beside the calls it is for. Every instance has its own; this is the median one."""

    cap: NonNegativeInt
    calls: NonNegativeInt


class PolicyUse(Declaration):
    """What the policy behind a family's attainable ceiling spends under a regime whose caps are lifted.

    Measured on fixed draws when a run is frozen. Where the regime is used with several settings of the family (knobs,
    phases, halves of a pair), each number is the one that makes caps look largest.
    """

    family: str
    """`id@version`."""
    regime: str
    episodes: int = Field(gt=0)
    """How many were drawn."""
    calls: NonNegativeInt
    """The most calls of an episode; 0 where the family does not say what its policy spends."""
    queries: NonNegativeInt
    """The most calls of reading tools."""
    failed: NonNegativeInt
    """The most calls that had to be made again."""
    twice: NonNegativeInt
    """When the last call begins, in logical milliseconds, if every call is made twice: reached by a tenth of them."""
    fourfold: NonNegativeInt
    """The same if every call is made four times."""
    pace: NonNegativeInt
    """The family's own pace: milliseconds between two calls."""
    strict: StrictUse | None = None
    """Where the instances state a strict cap."""
