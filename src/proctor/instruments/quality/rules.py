"""What an organisation decides about its own evaluation: weights, floors, targets, and how a decline is tested.

These are policy, not engineering (harness paper §4): they change only through a recorded, approved proposal. Their
`identity` goes with every run, so that nobody can compare numbers made under different rules without noticing.
"""

from __future__ import annotations

import re
from math import fsum
from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.performance import PAPER, PROFILES

MetricName = Literal["DA", "GCR", "EQS", "LUL"]
METRICS: tuple[MetricName, ...] = get_args(MetricName)
DEFAULT_WEIGHTS: dict[MetricName, float] = {"DA": 0.35, "GCR": 0.30, "EQS": 0.20, "LUL": 0.15}

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Levels(Declaration):
    """One number a metric; the composite has two, since it is higher without LUL."""

    DA: Share
    GCR: Share
    EQS: Share
    LUL: Share
    CAS: Share
    CAS_WITHOUT_LUL: Share

    def of(self, metric: str, *, with_lul: bool) -> float:
        """The level of a metric, or of the composite as it was made."""
        if metric == "CAS" and not with_lul:
            return self.CAS_WITHOUT_LUL
        found: float = getattr(self, metric)
        return found


class QualityRules(Declaration):
    """The governed rules of the quality instrument and its gate."""

    weights: dict[MetricName, float] = Field(default=DEFAULT_WEIGHTS, min_length=1)
    """Weights of the composite, each above 0, together 1. A metric without a weight is not asked for."""
    targets: Levels = Levels(DA=0.90, GCR=0.95, EQS=0.85, LUL=0.40, CAS=0.80, CAS_WITHOUT_LUL=0.90)
    """At or above all of them an agent may be deployed."""
    floors: Levels = Levels(DA=0.70, GCR=0.80, EQS=0.60, LUL=0.05, CAS=0.60, CAS_WITHOUT_LUL=0.70)
    """Below any of them it is blocked."""
    dedicated: bool = False
    """Whether the machine is declared dedicated: otherwise its latencies do not enter the composite."""
    load_profile: str = PAPER.name
    """The profile that load has to be measured with: a built-in one by name, one of your own by its content hash."""
    alpha: Annotated[float, Field(gt=0.0, le=0.05)] = 0.01
    """Significance at which a difference from the baseline is a decline, or a rise."""
    power: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.90
    """Power for which the smallest detectable drop is printed."""
    runs: Annotated[int, Field(ge=5)] = 20
    """Runs that make a baseline by default."""
    least_runs: Annotated[int, Field(ge=5)] = 5
    """Fewer accepted runs are no baseline."""
    overlap: Annotated[float, Field(ge=0.8, le=1.0)] = 0.80
    """Share of scenarios, by id and content, that two runs must have in common to be compared."""
    draws: Annotated[int, Field(ge=1_000)] = 10_000
    """Resamples behind each interval."""

    @field_validator("weights")
    @classmethod
    def _weights_are_shares(cls, weights: dict[MetricName, float]) -> dict[MetricName, float]:
        # Listed in one order, so that the same weights are the same rules however they were written.
        weights = {name: weights[name] for name in METRICS if name in weights}
        for name, weight in weights.items():
            if not weight > 0.0:
                message = f"the weight of {name} is {weight:g}; a weight must be above 0, or left out altogether"
                raise ValueError(message)
        total = fsum(weights.values())
        if abs(total - 1.0) > 1e-9:
            message = f"the weights of {', '.join(weights)} sum to {total:g}; they must sum to 1"
            raise ValueError(message)
        return weights

    @field_validator("load_profile")
    @classmethod
    def _profile_is_fixed(cls, asked: str) -> str:
        # The name of a file or of a profile in it says nothing about the budgets that stand there.
        if asked not in PROFILES and not re.fullmatch(r"[0-9a-f]{16,64}", asked):
            message = (
                f"'{asked}' fixes no load profile; write {', '.join(PROFILES)}, or for one of your own the content "
                "hash that `proctor load` prints"
            )
            raise ValueError(message)
        return asked

    @model_validator(mode="after")
    def _floors_below_targets(self) -> QualityRules:
        for name in Levels.model_fields:
            floor, target = getattr(self.floors, name), getattr(self.targets, name)
            if floor > target:
                message = f"the floor of {name} ({floor:g}) lies above its target ({target:g})"
                raise ValueError(message)
        return self

    @property
    def load_profile_in_words(self) -> str:
        """The profile that is asked for, with the beginning of its content hash."""
        known = PROFILES.get(self.load_profile)
        return self.load_profile[:16] if known is None else f"{known.name} ({known.identity[:16]})"

    def asks_for(self, profile_hash: str) -> bool:
        """Whether a profile of this content is the one that load has to be measured with."""
        known = PROFILES.get(self.load_profile)
        return profile_hash.startswith(self.load_profile) if known is None else profile_hash == known.identity

    @property
    def metrics(self) -> tuple[MetricName, ...]:
        """The metrics that are asked for."""
        return tuple(self.weights)
