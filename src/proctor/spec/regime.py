"""Regimes: the declared scarcity under which an episode is lived (white paper §8).

Four axes with exact parameters; an adversarial condition counts as an axis of its own. A regime's intensity is checked
against the number of axes and the size of its values, so that "Moderate" cannot be a mere word. Shares have their size
by themselves. Whether a cap is scarce depends on what a family's tasks take: that is checked for each family that a
regime is used with (`spec/intensity.py`). Standard ids have fixed parameters; a standard id with others is refused.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from proctor.core.errors import InputError
from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]


class Intensity(StrEnum):
    """How hard a regime is. Mild lies between Baseline and Moderate and scores only R0."""

    BASELINE = "baseline"
    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


class Information(Declaration):
    """Limits on what can be observed."""

    context_cut: Share = 0.0
    """Share of each long text or list that is withheld."""
    queries: Count | None = None
    """Calls of reading tools per episode."""


class Rate(Declaration):
    """A rate limit, either relative to the family's own pace or absolute."""

    factor: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    """Share of the family's action rate that is left: 0.5 halves it."""
    milliseconds_between: Annotated[int, Field(gt=0)] | None = None
    """Least logical time between two calls."""

    @model_validator(mode="after")
    def _one_of_two(self) -> Rate:
        if (self.factor is None) == (self.milliseconds_between is None):
            message = "a rate limit states either factor or milliseconds_between"
            raise ValueError(message)
        return self


class Action(Declaration):
    """Limits on what can be done."""

    cap: Annotated[int, Field(gt=0)] | Literal["strict"] | None = None
    """Tool calls per episode; `strict` is the family's own strict cap for the instance."""
    rate: Rate | None = None
    retries: Count | None = None
    """Repeats of the same failed call that are still carried out."""
    scope: tuple[str, ...] | None = None
    """The only tools that may be called."""


class Compute(Declaration):
    """Limits on time and tokens."""

    milliseconds: Annotated[int, Field(gt=0)] | None = None
    clock: Literal["auto", "virtual", "real"] = "auto"
    """What `milliseconds` counts. `virtual`, and `auto`, which is the same: logical time, for every agent. `real`: the
    task is about real time, and an episode that it ended counts."""
    tokens: Annotated[int, Field(gt=0)] | None = None


NoiseKind = Literal["characters", "fields"]


class Noise(Declaration):
    """Observation noise. `share` is the share of fields altered in each reading; reading again draws again."""

    share: Share = 0.0
    kinds: tuple[NoiseKind, ...] = ("characters", "fields")
    distractors: Count = 0
    """Irrelevant fields added to an observation."""
    conflicts: Count = 0
    """Fields repeated with a contradicting value."""

    @property
    def alters(self) -> bool:
        """Whether it changes anything at all."""
        return bool((self.share and self.kinds) or self.distractors or self.conflicts)


class Drift(Declaration):
    """A change of a tool's behaviour in mid-episode."""

    after_calls: Annotated[int, Field(ge=0)]
    tool: str | None = None
    """The tool that drifts; None means every tool."""
    milliseconds: Annotated[int, Field(gt=0)] | None = None
    """The logical time a call takes afterwards."""
    waits: str | None = None
    """The argument in which a caller states how many seconds it waits, and which a call takes; None: callers wait as
    long as it takes. A call that waits less than `milliseconds` is not carried out from then on: it times out."""
    rename: dict[str, str] = Field(default_factory=dict)
    """Fields of the tool's answer that carry another name afterwards."""

    @model_validator(mode="after")
    def _waits_for_something(self) -> Drift:
        if self.waits is not None and self.milliseconds is None:
            message = "a drift with `waits` also needs `milliseconds`, the duration of a call"
            raise ValueError(message)
        return self


class Stability(Declaration):
    """Noise, faults and change."""

    noise: Noise | None = None
    timeouts: Share = 0.0
    """Share of calls that take too long and are not carried out."""
    timeout_milliseconds: Annotated[int, Field(gt=0)] = 5_000
    failures: Share = 0.0
    """Share of calls that fail before anything happens."""
    partial_errors: Share = 0.0
    """Share of writing calls that are carried out but answered with an error."""
    perturbation: Share = 0.0
    """Share of results with one value changed."""
    drift: Drift | None = None


class Adversary(Declaration):
    """Active opposition: text in tool output that tries to steer the agent."""

    injection: Share = 0.0
    """Share of reading results that carry an injected instruction."""


class Regime(Declaration):
    """A named, complete set of limits. What is not stated is not limited."""

    id: str = Field(pattern=NAME_PATTERN)
    intensity: Intensity
    information: Information = Information()
    action: Action = Action()
    compute: Compute = Compute()
    stability: Stability = Stability()
    adversary: Adversary = Adversary()

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes on which this regime imposes anything. A setting that limits nothing (noise of 0 %) is no axis."""
        information, action, compute, stability = self.information, self.action, self.compute, self.stability
        noise, drift = stability.noise, stability.drift
        imposed_on = {
            "information": information.context_cut > 0 or information.queries is not None,
            "action": any(limit is not None for limit in (action.cap, action.rate, action.retries, action.scope)),
            "compute": compute.milliseconds is not None or compute.tokens is not None,
            "stability": any((stability.timeouts, stability.failures, stability.partial_errors, stability.perturbation))
            or (noise is not None and noise.alters)
            or (drift is not None and bool(drift.milliseconds or drift.rename)),
            "adversary": self.adversary.injection > 0,
        }
        return tuple(name for name, imposed in imposed_on.items() if imposed)

    @model_validator(mode="after")
    def _intensity_is_earned(self) -> Regime:
        count = len(self.axes)
        if self.intensity is Intensity.BASELINE and count:
            message = f"'{self.id}' is called baseline but limits {', '.join(self.axes)}"
            raise ValueError(message)
        if self.intensity is Intensity.MILD and count != 1:
            message = f"'{self.id}' is called mild, which means exactly one axis; it has {count}"
            raise ValueError(message)
        if self.intensity is Intensity.MODERATE and not 1 <= count <= 2:
            message = f"'{self.id}' is called moderate, which means one or two axes; it has {count}"
            raise ValueError(message)
        largest, injects = max(sizes_alone(self).values(), default=Size.SMALL), self.adversary.injection > 0
        held_against_family = depends_on_family(self)
        may_be_moderate = largest >= Size.MODERATE or injects or held_against_family
        if self.intensity is Intensity.MODERATE and not may_be_moderate:
            message = (
                f"'{self.id}' is called moderate, but none of its values is of moderate size "
                "(context cut 25 %, noise 10 %, faults 5 %, a rate of three quarters, a cap or scope)"
            )
            raise ValueError(message)
        may_be_severe = largest is Size.SEVERE or injects or not CAPS.isdisjoint(held_against_family)
        if self.intensity is Intensity.SEVERE and (count < 2 or not may_be_severe):
            message = (
                f"'{self.id}' is called severe, which means two or more axes and at least one value of severe size "
                "(context cut 75 %, noise 40 %, faults 30 %, a strict cap on calls, queries or time, an adversary)"
            )
            raise ValueError(message)
        return self


class Size(IntEnum):
    """How large a value of a regime is."""

    SMALL = 0
    """Too small to be measurable scarcity."""
    MODERATE = 1
    SEVERE = 2


AXIS_OF = {
    "context_cut": "information",
    "queries": "information",
    "cap": "action",
    "rate": "action",
    "retries": "action",
    "scope": "action",
    "milliseconds": "compute",
    "tokens": "compute",
    "noise": "stability",
    "timeouts": "stability",
    "failures": "stability",
    "partial_errors": "stability",
    "perturbation": "stability",
    "drift": "stability",
    "injection": "adversary",
}
"""Every value a regime can state, and the axis it belongs to."""
CAPS = frozenset({"queries", "cap", "milliseconds"})
"""Values that can be of severe size, depending on the family."""


def sizes_alone(regime: Regime) -> dict[str, Size]:
    """The size of every stated value that has one whatever the family: shares of what is seen, done or answered.

    Severe sizes are the white paper's own examples (§8.2), moderate ones half of its moderate examples, or more.
    """
    information, stability, rate = regime.information, regime.stability, regime.action.rate
    noise = stability.noise
    sizes = {
        "context_cut": _share(information.context_cut, moderate=0.25, severe=0.75),
        "timeouts": _share(stability.timeouts, moderate=0.05, severe=0.30),
        "failures": _share(stability.failures, moderate=0.05, severe=0.30),
        "partial_errors": _share(stability.partial_errors, moderate=0.05, severe=0.30),
        "perturbation": _share(stability.perturbation, moderate=0.05, severe=None),
        "injection": _share(regime.adversary.injection, moderate=0.05, severe=0.30),
    }
    if noise is not None and noise.alters:
        altered = _share(noise.share if noise.kinds else 0.0, moderate=0.10, severe=0.40) or Size.SMALL
        sizes["noise"] = max(altered, Size.MODERATE) if noise.distractors or noise.conflicts else altered
    if rate is not None and rate.factor is not None:
        sizes["rate"] = Size.MODERATE if rate.factor <= 0.75 else Size.SMALL
    return {name: size for name, size in sizes.items() if size is not None}


def _share(share: float, *, moderate: float, severe: float | None) -> Size | None:
    if not share:
        return None
    if severe is not None and share >= severe:
        return Size.SEVERE
    return Size.MODERATE if share >= moderate else Size.SMALL


def depends_on_family(regime: Regime) -> tuple[str, ...]:
    """The stated values whose size only the tasks of a family can tell: caps, waits, a drift, a scope."""
    action, compute, drift = regime.action, regime.compute, regime.stability.drift
    stated = {
        "queries": regime.information.queries is not None,
        "cap": action.cap is not None,
        "rate": action.rate is not None and action.rate.milliseconds_between is not None,
        "retries": action.retries is not None,
        "scope": action.scope is not None,
        "milliseconds": compute.milliseconds is not None,
        "tokens": compute.tokens is not None,
        "drift": drift is not None and bool(drift.milliseconds or drift.rename),
    }
    return tuple(name for name, is_stated in stated.items() if is_stated)


STANDARD_REGIMES: dict[str, Regime] = {
    regime.id: regime
    for regime in (
        Regime(id="baseline", intensity=Intensity.BASELINE),
        Regime(id="mild", intensity=Intensity.MILD, stability=Stability(noise=Noise(share=0.05))),
        Regime(
            id="moderate-standard",
            intensity=Intensity.MODERATE,
            action=Action(rate=Rate(factor=0.5)),
            stability=Stability(noise=Noise(share=0.20), timeouts=0.10),
        ),
        Regime(
            id="severe-standard",
            intensity=Intensity.SEVERE,
            information=Information(context_cut=0.75),
            action=Action(cap="strict"),
            stability=Stability(noise=Noise(share=0.40)),
        ),
        Regime(
            id="severe-adversarial",
            intensity=Intensity.SEVERE,
            stability=Stability(noise=Noise(share=0.40)),
            adversary=Adversary(injection=0.5),
        ),
    )
}


def require_standard_content(regime: Regime) -> Regime:
    """The regime itself; refused if it carries a standard id with other parameters."""
    standard = STANDARD_REGIMES.get(regime.id)
    if standard is not None and standard != regime:
        message = f"regime '{regime.id}' is a standard id with fixed parameters; give yours another id"
        raise InputError(message)
    return regime
