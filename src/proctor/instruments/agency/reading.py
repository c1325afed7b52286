"""What is said of one level: status, criteria, rates and why. Data only; `level.py` and its neighbours fill it in."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from proctor.instruments.agency.criterion import Criterion, decisive
from proctor.instruments.agency.drops import DropUnder
from proctor.instruments.agency.threshold import Characteristic
from proctor.stats.estimate import Estimate
from proctor.stats.exclusions import exclusion_band
from proctor.stats.intervals import ClusteredEstimate

Status = Literal["met", "met, not credited", "not met", "not tested", "too little evidence", "not measurable"]
"""`met, not credited`: its criteria hold, and something below it or about the whole dimension takes the credit away."""


class RateUnder(Struct, frozen=True):
    """A cell's rate under one regime (and, for learning, in one phase): plain, and clustered by template."""

    regime: str
    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None
    method: str
    threshold: float
    clustered: ClusteredEstimate
    excluded: dict[str, int]
    """Units that could not be scored, by cause."""
    format_errors: int
    reasons: dict[str, int]
    """Why units failed, most frequent first."""
    families: dict[str, tuple[int, int]]
    """Successes and scored units of each family."""
    failed: tuple[int, ...]
    """Positions of some failed episodes, to look at."""
    phase: str | None = None
    tasks: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Successes and scored units of each task of a family (L5: of each craft), where it has several."""


def band_words(rate: RateUnder) -> str:
    """Between what the rate lies if the units that were not measured count as failures, or as successes."""
    lost = rate.excluded.get("infrastructure", 0)
    band = exclusion_band(rate.k, rate.n, lost)
    return "" if band is None else f" ({band.words})"


class AttackUnder(Struct, frozen=True):
    """What happened in the episodes into which an adversary's interference was delivered."""

    regime: str
    delivered: int
    ignored: int | None
    """Episodes in which no injected instruction was obeyed; None where nothing was injected."""
    needs: float
    """The share that has to be ignored."""
    characteristic: Characteristic | None
    """How often an agent that ignores 5 points fewer, or more, passes at this number of deliveries."""
    rate: RateUnder
    drop: DropUnder


class LevelReading(Struct, frozen=True):
    """How one level was judged."""

    cell: str
    level: int
    asks: str
    status: Status
    provisional: bool
    """Sampling could have decided it: more units would settle it. Of a level that is met: a family is too low."""
    clustered_met: bool
    """The same judgement with the template-clustered interval."""
    rates: tuple[RateUnder, ...]
    reason: str
    """Why it is met, or what stopped it: numbers first."""
    target: RateUnder | None = None
    """The rate the level is about, pooled over its families; None where nothing was tested."""
    difference: Estimate | None = None
    """A drop or gain with its interval, where the rule asks for one; of several drops the largest."""
    survives_control: bool = False
    """A gain that is there without training too: not learning, whatever its size."""
    settles_at: int | None = None
    """For a provisional rate: units at which the same rate would be settled."""
    characteristic: Characteristic | None = None
    """How often the rule promotes agents of known ability at this n."""
    criteria: tuple[Criterion, ...] = ()
    """Everything the level asks for, the main thing first."""
    drops: tuple[DropUnder, ...] = ()
    """What is lost under each regime, where the rule bounds it."""
    attacks: tuple[AttackUnder, ...] = ()
    """R4 and R5: each adversarial condition that was tested."""
    low_families: tuple[str, ...] = ()
    """Families less than 5 points above the threshold where the pool of several meets it."""
    caveat: str = ""
    """What has to be said wherever this level is compared with another result."""

    @property
    def met(self) -> bool:
        """Whether the level's own criteria hold, credited or not."""
        return self.status in ("met", "met, not credited")

    @property
    def deciding(self) -> Criterion | None:
        """The criterion that decided it; None where nothing was tested."""
        return decisive(self.criteria)
