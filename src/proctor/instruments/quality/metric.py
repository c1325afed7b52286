"""What a metric of quality is: one declaration, from which reading, gate, comparison, report, tests and schema follow.

Where a number comes from is part of the declaration: a ratio of sums over episodes (`Ratio`), a figure of the load
record (`FromLoad`), or the weighted mean of the others (`Composite`). The built-in ones are declared in `builtin`;
packages add ratios of their own through the entry-point group `proctor.metrics` (`installed`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from proctor.instruments.quality.baseline import Decided, ScenarioRecord
    from proctor.instruments.quality.load_figures import LoadFigures
    from proctor.instruments.quality.measures import Case
    from proctor.instruments.quality.metrics import Measured

Count = Callable[["Case"], float]
"""A number of one episode. Sums are exact to a billionth, in any order."""
Kept = Callable[["ScenarioRecord", "Decided"], tuple[float, float]]
"""Part and whole of one episode of a kept run."""
COMPOSITE = "CAS"
WITHOUT_LUL = f"{COMPOSITE}_WITHOUT_LUL"
"""The composite has levels of its own where it is made without LUL, since it is higher then."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """A share that has to be read with a metric."""

    title: str
    """What it is called where it is shown."""
    part: Count
    """What is counted of an episode."""
    whole: Count
    """Out of how much."""


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """The sum of `part` over the sum of `whole`, over the scored episodes of a run.

    `part` is 0 in an episode in which the agent did nothing, and at most `whole`.
    """

    part: Count
    """What is counted of an episode: a function of its case. 0 where the agent did nothing, and at most `whole`."""
    whole: Count
    """Out of how much; 0 in an episode that the metric does not concern."""
    n: Count | None = None
    """How many observations an episode is; None: as many as its `whole`."""
    squares: Count | None = None
    """The square of an episode's `whole`, where that is a weight: unequal weights are worth fewer equal ones."""
    nothing: str
    """Why there is no value where the sum of `whole` is 0."""
    beside: Mapping[str, Beside] = field(default_factory=dict)
    """Shares that are shown next to it, by their names in JSON."""
    kept: Kept | None = None
    """Only of metrics that older baselines hold: how to read part and whole from a kept run."""

    @property
    def observations(self) -> Count:
        """How many observations an episode is."""
        return self.whole if self.n is None else self.n

    @property
    def counts(self) -> tuple[Count, ...]:
        """Every number of an episode that the metric needs."""
        needed = [self.part, self.whole, self.observations, *([] if self.squares is None else [self.squares])]
        return (*needed, *(count for one in self.beside.values() for count in (one.part, one.whole)))


@dataclass(frozen=True, kw_only=True)
class FromLoad:
    """A figure of the load record. It varies with the machine: it is compared with no other run."""

    figure: Callable[[LoadFigures], Measured]
    beside: Mapping[str, str] = field(default_factory=dict)
    """Titles of what stands beside it."""


@dataclass(frozen=True, kw_only=True)
class Composite:
    """The weighted geometric mean of the metrics that the rules give a weight."""

    target_without_lul: float
    floor_without_lul: float
    beside: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One metric of quality, between 0 and 1; higher is better."""

    name: str
    """Short, e.g. `DA`: what rules, JSON and tables call it."""
    title: str
    """What it is called where it is shown."""
    source: Ratio | FromLoad | Composite
    """Where its value, interval and n come from; of a package's metric a `Ratio`."""
    target: float
    """At or above it an agent may be deployed, where the rules of a project name no other."""
    floor: float
    """Below it an agent is blocked, where the rules of a project name no other."""
    gates: bool = True
    """Whether the gate may decide on it. With False it is measured and shown, and rules cannot ask for it."""
    decline: Literal["blocks", "escalates"] = "escalates"
    """What a confirmed decline against the accepted runs does."""
    weight: float | None = None
    """Its weight under the default rules, which a package cannot change: only built-in metrics have one."""
    place: int = 50
    """Where it stands among the others: those of the harness paper at 10 to 40, the composite at 90."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", self.name) or self.name == WITHOUT_LUL:
            message = f"'{self.name}' cannot be the name of a metric; use letters and digits, e.g. DA"
            raise ValueError(message)
        if not 0.0 <= self.floor <= self.target <= 1.0:
            message = f"metric {self.name}: its floor and target must be shares, the floor at most the target"
            raise ValueError(message)

    @property
    def levels(self) -> dict[str, tuple[float, float]]:
        """Its targets and floors by the names that rules give them."""
        if isinstance(self.source, Composite):
            without = self.source.target_without_lul, self.source.floor_without_lul
            return {self.name: (self.target, self.floor), WITHOUT_LUL: without}
        return {self.name: (self.target, self.floor)}

    @property
    def beside_titles(self) -> dict[str, str]:
        """What stands beside it, in words for people."""
        if isinstance(self.source, Ratio):
            return {name: one.title for name, one in self.source.beside.items()}
        return dict(self.source.beside)
