"""What an organisation decides about its own evaluation: weights, floors, targets, and how a decline is tested.

These are policy, not engineering (harness paper §4): they change only through a recorded, approved proposal. Their
`identity` goes with every run, so that nobody can compare numbers made under different rules without noticing.
"""

from __future__ import annotations

import re
from math import fsum
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, ValidationError, field_validator, model_validator
from pydantic.functional_validators import AfterValidator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError

from proctor.instruments.quality.builtin import BUILT_IN
from proctor.instruments.quality.installed import broken, load_metrics, metrics
from proctor.instruments.quality.metric import COMPOSITE, WITHOUT_LUL
from proctor.spec.declaration import Declaration
from proctor.spec.performance import PAPER, PROFILES

DEFAULT_WEIGHTS = {one.name: one.weight for one in BUILT_IN if one.weight is not None}
DEFAULT_TARGETS = {name: target for one in BUILT_IN for name, (target, _) in one.levels.items()}
DEFAULT_FLOORS = {name: floor for one in BUILT_IN for name, (_, floor) in one.levels.items()}

Share = Annotated[float, Field(ge=0.0, le=1.0)]


def weighable() -> tuple[str, ...]:
    """The metrics that rules may give a weight."""
    return tuple(name for name, one in metrics().items() if one.gates and name != COMPOSITE)


def levelled() -> tuple[str, ...]:
    """The names under which rules may state a target or a floor."""
    return tuple(name for one in metrics().values() if one.gates for name in one.levels)


def _known(name: str) -> str:
    if name not in weighable():
        raise _not_known(name, weighable())
    return name


def _not_known(name: str, known: tuple[str, ...]) -> PydanticCustomError:
    """Why rules cannot ask for a metric of this name, and what to do."""
    if name in broken():
        why = broken()[name]
    elif name in metrics() and not metrics()[name].gates:
        why = f"{name} is shown only (gates=False); take it out of the rules, or let the gate decide on it (gates=True)"
    elif name in levelled():
        why = f"{name} is made of the weighed metrics and has no weight itself; take it out"
    else:
        why = (
            f"no installed metric is called {name} (there are {', '.join(known)}); install the package that offers "
            "it, or correct the name"
        )
    return PydanticCustomError("metric", "{why}", {"why": why})


class _OneOfTheMetrics:
    """Puts the names that are installed into the schema of a key."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "enum": list(weighable())}


MetricName = Annotated[str, AfterValidator(_known), _OneOfTheMetrics()]


class Levels(Declaration):
    """One number a metric; the composite has two, since it is higher without LUL."""

    # Which numbers there are follows from the declared metrics: those of the default rules have to be stated, those of
    # a package may be.
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Share]

    @model_validator(mode="before")
    @classmethod
    def _one_a_metric(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        known = levelled()
        wrong = [
            InitErrorDetails(type="missing", loc=(name,), input=given) for name in DEFAULT_TARGETS if name not in given
        ]
        wrong += [
            InitErrorDetails(type=_not_known(str(name), known), loc=(str(name),), input=value)
            for name, value in given.items()
            if name not in known
        ]
        if wrong:
            raise ValidationError.from_exception_data(cls.__name__, wrong)
        # In one order, however they were written.
        return {name: given[name] for name in known if name in given}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        made = handler.resolve_ref_schema(handler(schema))
        share = {"type": "number", "minimum": 0.0, "maximum": 1.0}
        made["properties"] = {name: {"title": name.replace("_", " ").title(), **share} for name in levelled()}
        made["required"] = list(DEFAULT_TARGETS)
        made["additionalProperties"] = False
        return made

    @property
    def stated(self) -> dict[str, float]:
        """The numbers by name."""
        return dict(self.__pydantic_extra__)


class VectorThresholds(Declaration):
    """Bounds on the correctness vector beside the metrics. Beyond one of them a person decides; none of them blocks."""

    right_level: Share = 0.95
    """The least share of required gates that were passed at the right level: the right person was asked."""
    over_asking: Share = 0.10
    """The largest share of episodes in which a gate was invoked that nobody required."""


class QualityRules(Declaration):
    """The governed rules of the quality instrument and its gate."""

    weights: dict[MetricName, float] = Field(default=DEFAULT_WEIGHTS, min_length=1)
    """Weights of the composite, each above 0, together 1. A metric without a weight is not asked for."""
    targets: Levels = Levels.model_construct(None, **DEFAULT_TARGETS)
    """At or above all of them an agent may be deployed."""
    floors: Levels = Levels.model_construct(None, **DEFAULT_FLOORS)
    """Below any of them it is blocked."""
    vector: VectorThresholds = VectorThresholds()
    """Bounds beside the metrics that escalate and never block; they do not hold under the profile `paper`."""
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
    def _weights_are_shares(cls, weights: dict[str, float]) -> dict[str, float]:
        # Listed in one order, so that the same weights are the same rules however they were written.
        weights = {name: weights[name] for name in weighable() if name in weights}
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
    def _floors_below_targets(self) -> Self:
        for name in dict.fromkeys((*self.targets.stated, *self.floors.stated)):
            floor, target = self._level("floors", name), self._level("targets", name)
            if floor > target:
                message = (
                    f"the floor of {name} ({floor:g}) lies above its target ({target:g}); "
                    f"{self._remedy(name, floor, target)}"
                )
                raise ValueError(message)
        return self

    def _remedy(self, name: str, floor: float, target: float) -> str:
        """What to write where a floor lies above its target; one of them may be what the metric declares."""
        if "targets" not in self.model_fields_set or name not in self.targets.stated:
            lacking, least, levels = "targets", f"at least {floor:g}", {**DEFAULT_TARGETS, name: floor}
        elif "floors" not in self.model_fields_set or name not in self.floors.stated:
            lacking, least, levels = "floors", f"at most {target:g}", {**DEFAULT_FLOORS, name: target}
        else:
            return "lower the one or raise the other"
        written = f"{name}: {levels[name]:g}"
        if lacking not in self.model_fields_set:
            # Whoever states one level of the default metrics has to state all of them.
            written = f"{lacking}: {{{', '.join(f'{one}: {level:g}' for one, level in levels.items())}}}"
        return (
            f"these rules state no {lacking[:-1]} for {name}, so that of the metric's declaration holds; state one of "
            f"{least} under {lacking}, e.g. `{written}`"
        )

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
    def asks_for_load(self) -> bool:
        """Whether a metric of the load record has a weight, so that load has to be measured."""
        return not load_metrics().isdisjoint(self.weights)

    @property
    def unweighed(self) -> tuple[str, ...]:
        """The metrics that these rules ask for by a target or a floor alone: the gate decides on them as well.

        Every file of rules states the levels of the default metrics, so of those only a weight asks for one.
        """
        stated = {*self.targets.stated, *self.floors.stated} - {*DEFAULT_TARGETS, *self.weights}
        return tuple(name for name in levelled() if name in stated)

    def asks_for_metric(self, name: str) -> bool:
        """Whether the gate decides on a metric under these rules: always on the composite."""
        return name == COMPOSITE or name in self.weights or name in self.unweighed

    def target(self, metric: str, *, with_lul: bool) -> float:
        """The target of a metric, or of the composite as it was made."""
        return self._level("targets", WITHOUT_LUL if metric == COMPOSITE and not with_lul else metric)

    def floor(self, metric: str, *, with_lul: bool) -> float:
        """The floor of a metric, or of the composite as it was made."""
        return self._level("floors", WITHOUT_LUL if metric == COMPOSITE and not with_lul else metric)

    def _level(self, kind: Literal["targets", "floors"], name: str) -> float:
        """What these rules state, or else what the metric declares."""
        stated = (self.targets if kind == "targets" else self.floors).stated
        return stated[name] if name in stated else metrics()[name].levels[name][kind == "floors"]
