"""Load as declared: performance scenarios, what degraded tools do in them, and the profile that joins them.

The fields of a scenario also go by the names of the harness paper (§2.3), so that its table can be written down as it
stands. A profile always has a scenario with one request in flight and sound tools: what the agent does there is what
its behaviour under load is compared with.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN

DegradationLevel = Literal["none", "partial", "severe"]
ExpectedBehavior = Literal["normal", "graceful-degradation", "escalation"]
Loop = Literal["closed", "open"]
Arrivals = Literal["poisson", "even"]

MIN_REQUESTS = 200
MIN_PER_SLOT = 10
"""A p95 from fewer requests than these says little: at least 200, and ten for each one in flight."""
MAX_IN_FLIGHT = 2_000
MAX_REQUESTS = 200_000
"""What one record holds in memory and in one file."""

Share = Annotated[float, Field(ge=0, le=1)]


class Degradation(Declaration):
    """What is done to tool calls, in real time. Every delivery leaves a receipt.

    Delays meet every tool; failures and outages meet only tools that read. A write that is lost would make a right
    decision look like none, and the way to a human has to stay open for an agent that wants to take it.
    """

    delays: Share = 0.0
    """Share of calls that are answered late."""
    delay_milliseconds: Annotated[int, Field(ge=0, le=600_000)] = 0
    failures: Share = 0.0
    """Share of reading calls that fail; asking again draws again."""
    outages: Share = 0.0
    """Share of sources (one tool with certain arguments) that stay down for a whole request: asking again is vain."""

    @model_validator(mode="after")
    def _delays_take_time(self) -> Degradation:
        if (self.delays > 0) != (self.delay_milliseconds > 0):
            message = "delays and delay_milliseconds go together: a share of calls, and how late they are"
            raise ValueError(message)
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of receipts that have to be there."""
        shares = {"delay": self.delays, "failure": self.failures, "outage": self.outages}
        return tuple(kind for kind, share in shares.items() if share > 0)


NO_DEGRADATION = Degradation()
STANDARD_DEGRADATIONS: dict[str, Degradation] = {
    "partial": Degradation(delays=0.2, delay_milliseconds=200, failures=0.1),
    "severe": Degradation(delays=0.5, delay_milliseconds=500, failures=0.2, outages=0.3),
}
"""The paper names the levels and leaves their sizes open; these are ours. A profile may declare its own."""


class PerformanceScenario(Declaration):
    """One load: how many requests are in flight, how long an answer may take, how sound the tools are."""

    id: str = Field(pattern=NAME_PATTERN)
    concurrent_requests: int = Field(gt=0, le=MAX_IN_FLIGHT, alias="concurrentRequests")
    """Closed loop: in flight at any time. Open loop: at most in flight; later arrivals wait, and their time runs."""
    latency_budget_ms: int = Field(gt=0, le=3_600_000, alias="latencyBudgetMs")
    infrastructure_degradation: DegradationLevel = Field(default="none", alias="infrastructureDegradation")
    expected_behavior: ExpectedBehavior = Field(default="normal", alias="expectedBehavior")
    loop: Loop = "closed"
    rate: Annotated[float, Field(gt=0, le=100_000)] | None = None
    """Arrivals a second, in an open loop."""
    arrivals: Arrivals = "poisson"
    """Gaps between arrivals in an open loop: exponential from the seed, or all alike."""
    requests: Annotated[int, Field(gt=0, le=MAX_REQUESTS)] | None = None
    """How many are measured; None: the least that counts."""
    timeout_ms: Annotated[int, Field(gt=0, le=3_600_000)] | None = Field(default=None, alias="timeoutMs")
    """When an unanswered request is given up, counted like its latency; None: twice the budget."""
    agents: Annotated[int, Field(gt=0, le=MAX_IN_FLIGHT)] | None = None
    """Agent objects (or processes) that serve, one request at a time each; None: one for each request in flight."""

    @model_validator(mode="after")
    def _can_be_run(self) -> PerformanceScenario:
        if (self.loop == "open") != (self.rate is not None):
            message = f"'{self.id}': an open loop needs a rate (arrivals a second), and only an open loop has one"
            raise ValueError(message)
        if self.requests is not None and self.requests < self.min_requests:
            message = (
                f"'{self.id}': {self.requests} requests are too few for a p95 with {self.concurrent_requests} in "
                f"flight; at least {self.min_requests} are needed"
            )
            raise ValueError(message)
        if self.timeout_ms is not None and self.timeout_ms < self.latency_budget_ms:
            message = f"'{self.id}': a timeout of {self.timeout_ms} ms is shorter than the latency budget"
            raise ValueError(message)
        if self.agents is not None and self.agents > self.concurrent_requests:
            message = (
                f"'{self.id}': {self.agents} agents for {self.concurrent_requests} requests in flight; "
                "declare fewer agents"
            )
            raise ValueError(message)
        if self.expected_behavior == "escalation" and self.infrastructure_degradation == "none":
            message = f"'{self.id}': escalation is expected, but nothing is degraded that would call for it"
            raise ValueError(message)
        return self

    @property
    def min_requests(self) -> int:
        """Fewer than this are no measurement."""
        return max(MIN_REQUESTS, MIN_PER_SLOT * self.concurrent_requests)

    @property
    def measured(self) -> int:
        """Requests that are measured."""
        return self.requests or self.min_requests

    @property
    def timeout(self) -> int:
        """Milliseconds from the intended arrival after which a request is given up."""
        return self.timeout_ms or 2 * self.latency_budget_ms

    @property
    def serving(self) -> int:
        """Agent objects that serve."""
        return self.agents or self.concurrent_requests

    @property
    def is_reference(self) -> bool:
        """Whether behaviour under load can be compared with what happens here."""
        return self.loop == "closed" and self.concurrent_requests == 1 and self.infrastructure_degradation == "none"


class LoadProfile(Declaration):
    """Scenarios that are run one after another, as data."""

    name: str = Field(pattern=NAME_PATTERN)
    scenarios: tuple[PerformanceScenario, ...] = Field(min_length=1)
    degradations: dict[Literal["partial", "severe"], Degradation] = Field(default_factory=dict)
    """Own sizes of the levels, in the place of the standard ones."""
    most_seconds: Annotated[int, Field(gt=0)] = 1800
    """All of it is cut off after so long; what was measured is kept and marked incomplete."""

    @model_validator(mode="after")
    def _can_be_read(self) -> LoadProfile:
        ids = [scenario.id for scenario in self.scenarios]
        for name in ids:
            if ids.count(name) > 1:
                message = f"scenario '{name}' is declared twice"
                raise ValueError(message)
        if not any(scenario.is_reference for scenario in self.scenarios):
            message = (
                "no scenario has one request in flight, a closed loop and no degradation; behaviour under load is "
                "compared with that one, so add it"
            )
            raise ValueError(message)
        for level, degradation in self.degradations.items():
            if not degradation.kinds:
                message = f"degradation '{level}' does nothing; state delays, failures or outages"
                raise ValueError(message)
        return self

    @property
    def reference(self) -> PerformanceScenario:
        """The scenario the others are compared with."""
        return next(scenario for scenario in self.scenarios if scenario.is_reference)

    def degradation(self, level: DegradationLevel) -> Degradation:
        """What this level does in this profile."""
        if level == "none":
            return NO_DEGRADATION
        return self.degradations.get(level) or STANDARD_DEGRADATIONS[level]


def _paper(
    in_flight: int, budget: int, level: DegradationLevel, expected: ExpectedBehavior, name: str
) -> PerformanceScenario:
    return PerformanceScenario.model_validate(
        {
            "id": name,
            "concurrentRequests": in_flight,
            "latencyBudgetMs": budget,
            "infrastructureDegradation": level,
            "expectedBehavior": expected,
        }
    )


PAPER = LoadProfile(
    name="paper",
    scenarios=(
        _paper(1, 500, "none", "normal", "single"),
        _paper(50, 2000, "none", "normal", "busy"),
        _paper(200, 5000, "partial", "graceful-degradation", "strained"),
        _paper(500, 10000, "severe", "escalation", "overwhelmed"),
    ),
)
"""The four scenarios of §2.3 of the harness paper."""

PROFILES: dict[str, LoadProfile] = {PAPER.name: PAPER}
