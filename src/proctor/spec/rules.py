"""Rules: every statistical and threshold choice of a run, declared before it and part of its identity.

Where the white paper gives a range (15–25 %, 25–35 %) a value inside it may be set and nothing outside.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AliasChoices, Field, SerializerFunctionWrapHandler, model_serializer

from proctor.spec.declaration import Declaration

AMOUNT: Final = r"^[0-9]+(\.[0-9]+)?$"
_LATER: Final = ("call_tokens", "episode_cost", "episode_seconds")
EPISODE_SECONDS = 900
"""Real seconds after which an episode is cut off, where nothing else is declared."""


class Limits(Declaration):
    """What a call, an episode and the whole run may spend. None: no limit of this kind."""

    call_milliseconds: Annotated[int, Field(gt=0)] | None = None
    call_tokens: Annotated[int, Field(gt=0)] | None = None
    """Tokens that one call of a model may take, prompt and reply together."""
    episode_milliseconds: Annotated[int, Field(gt=0)] | None = Field(
        default=None, validation_alias=AliasChoices("episode_milliseconds", "timeoutMs")
    )
    """The declared cap on an episode's time: logical milliseconds, which tools take, for every agent; real time only
    under a regime with `clock: real` and under load. Also `timeoutMs`, as the harness paper calls it (§5.1)."""
    episode_seconds: Annotated[int, Field(gt=0)] | None = None
    """The safety net: real seconds after which an episode that nothing else ended is cut off (`wall_clock`); left out:
    900. Reported apart, and no part of what is measured."""
    episode_actions: Annotated[int, Field(gt=0)] | None = None
    episode_tokens: Annotated[int, Field(gt=0)] | None = None
    episode_cost: str | None = Field(default=None, pattern=AMOUNT)
    """A decimal amount in the currency of the model's price; refused without a price."""
    run_episodes: Annotated[int, Field(gt=0)] | None = None
    run_seconds: Annotated[int, Field(gt=0)] | None = None
    run_tokens: Annotated[int, Field(gt=0)] | None = None
    run_cost: str | None = Field(default=None, pattern=AMOUNT)
    """As `episode_cost`."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Fields that came later are left out at their defaults: configurations that do not use them keep their hashes.
        return {name: value for name, value in plain(self).items() if value is not None or name not in _LATER}

    @property
    def net_seconds(self) -> float:
        """The safety net in force."""
        return float(self.episode_seconds or EPISODE_SECONDS)


Reliability = Annotated[float, Field(ge=0.60, le=0.80)]
"""What "reliably" may mean: the white paper discusses 60 % to 80 % and nothing outside (§10.3.3)."""


class Adjusted(Declaration):
    """Another threshold for one family, with the reason in writing."""

    threshold: Reliability
    justification: str = Field(min_length=20)
    """Why this family needs it; printed beside every result it touches."""


class Rules(Declaration):
    """The choices by which evidence becomes readings."""

    protocol: Literal["benchmark", "audit", "combined"] = "benchmark"
    profile: Literal["default", "paper"] = "default"
    interval: Literal["wilson", "agresti_coull", "exact"] = "wilson"
    confidence: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    threshold: Reliability = 0.70
    adjusted: dict[str, Adjusted] = Field(default_factory=dict)
    """Families with a threshold of their own."""
    borderline: Literal["worked", "strict"] = "worked"
    stopping: Literal["fixed", "anytime"] = "fixed"
    """`anytime`: sampling went on until a confidence sequence decided, and readings use that sequence (§11.4)."""
    post_hoc_cutoff: Annotated[float, Field(ge=0.15, le=0.25)] = 0.20
    infrastructure_cutoff: Annotated[float, Field(ge=0.25, le=0.35)] = 0.30
    disagreement_cutoff: Annotated[float, Field(ge=0.15, le=0.25)] = 0.20
    fail_fast: bool = Field(default=False, validation_alias=AliasChoices("fail_fast", "failFast"))
    """Stop at the first violation of severity S1, by position. Also `failFast`."""
    record_traces: bool = Field(default=True, validation_alias=AliasChoices("record_traces", "recordTraces"))
    """Keep every event of every episode; without, only rows and digests are kept. Also `recordTraces`."""
    max_infrastructure: Annotated[int, Field(gt=0)] | None = None
    """Stop when this many episodes, by position, broke through the bench's own fault."""
    limits: Limits = Limits()

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # A field that came later is left out at its default: configurations that do not use it keep their hashes.
        data: dict[str, Any] = plain(self)
        if self.record_traces:
            data.pop("record_traces", None)
        return data
