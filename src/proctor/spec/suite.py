"""A suite: families × regimes × conditions × sample sizes, with the rules by which the results are read.

Suites are versioned data: a released version never changes. Each entry says how many instances of one family are
taken under which regimes and conditions. Every system meets the same instances and the same faults, under every regime
and condition, so that comparisons are paired.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from proctor.core.clock import parse_timestamp
from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN, VERSION_PATTERN, Version
from proctor.spec.regime import STANDARD_REGIMES, Regime, require_standard_content
from proctor.spec.rules import Rules
from proctor.spec.system import Baseline, BoundaryKind

MemoryAction = Literal["keep", "snapshot", "restore", "clear"]
TODAY = "today"
"""The epoch of a suite whose runs are dated by the day they are made on."""
MAX_ENTRIES = 10_000
MAX_OTHERS = 1_000
"""Steps of a program; stages, regimes and conditions of a suite or an entry."""
MAX_ARMS = 100_000
"""Entries, each under its regimes and conditions."""
MAX_LIFETIME = 100_000
"""Episodes of one lifetime: they are laid out one by one before any is lived."""
MAX_PARTS = 1_000
_LEAST_WORDING = 20
"""Characters below which a text justifies nothing."""


def _says_something(text: str) -> str:
    stripped = text.strip()
    if stripped and len(stripped) < _LEAST_WORDING:
        message = f"{stripped!r} says too little; write a sentence, or leave it out"
        raise ValueError(message)
    return stripped


def _no_more_than(most: int) -> BeforeValidator:
    """Refuse a longer list by its length alone, before its members are looked at."""

    def check(members: Any) -> Any:
        if isinstance(members, list | tuple) and len(members) > most:
            message = f"{len(members):,} are too many; the most is {most:,}"
            raise ValueError(message)
        return members

    return BeforeValidator(check)


Wording = Annotated[str, AfterValidator(_says_something)]
"""Nothing, or at least a sentence."""


class Step(Declaration):
    """Some consecutive episodes of a lifetime, all in one phase."""

    phase: str = "test"
    episodes: Annotated[int, Field(gt=0, le=MAX_LIFETIME)] = 1
    before: MemoryAction = "keep"
    """What happens to the agent's memory before the first of them."""
    regime: str | None = None
    """Another regime than the entry's, for these episodes."""
    knobs: dict[str, int | str] = Field(default_factory=dict)
    repeats: str | None = None
    """An earlier phase whose very instances and faults these episodes meet again, in order; None: their own."""

    @model_serializer(mode="wrap")
    def _without_later_default(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # It came later: programs that do not repeat anything keep their hashes.
        data: dict[str, Any] = plain(self)
        if data.get("repeats", ...) is None:
            del data["repeats"]
        return data


def draw_places(program: tuple[Step, ...]) -> tuple[int, ...]:
    """For each episode of a lifetime, the place whose instance and faults it meets: its own, or one before it."""
    if sum(step.episodes for step in program) > MAX_LIFETIME:
        message = f"a lifetime of more than {MAX_LIFETIME:,} episodes is too long; take several lifetimes (`n`)"
        raise ValueError(message)
    places: list[int] = []
    for number, step in enumerate(program):
        first = len(places)
        if step.repeats is not None:
            earlier = [place for place, one in enumerate(program[:number]) if one.phase == step.repeats]
            if len(earlier) != 1 or program[earlier[0]].episodes != step.episodes:
                message = (
                    f"phase '{step.phase}' repeats '{step.repeats}', which has to be one earlier phase of the program "
                    f"with {step.episodes} episodes as well"
                )
                raise ValueError(message)
            first = sum(one.episodes for one in program[: earlier[0]])
            places += places[first : first + step.episodes]
        else:
            places += range(first, first + step.episodes)
    return tuple(places)


class Entry(Declaration):
    """One family under some regimes and conditions, with sample sizes."""

    family: str
    """A family's name, `name@major.minor`, or a path to a Python file."""
    n: Annotated[int, Field(gt=0)]
    """Instances per regime and condition."""
    first: Annotated[int, Field(ge=0)] = 0
    """Number of the first instance; the later looks of `--until-decided` begin where the last one ended."""
    regimes: Annotated[tuple[str, ...], _no_more_than(MAX_OTHERS)] = Field(default=("baseline",), min_length=1)
    conditions: Annotated[tuple[str, ...], _no_more_than(MAX_OTHERS)] = Field(default=("none",), min_length=1)
    replicates: Annotated[int, Field(gt=0)] = 1
    """How often each instance is taken; replicates share the instance and differ in faults."""
    cell: str | None = None
    """What these episodes count for, and nothing else, e.g. `S1`."""
    parts: Annotated[int, Field(gt=0, le=MAX_PARTS)] = 1
    """Lifetimes per unit: 2 for a pair (paraphrase, permutation) that gets one label."""
    program: Annotated[tuple[Step, ...], _no_more_than(MAX_OTHERS)] = Field(default=(Step(),), min_length=1)
    """The episodes of one lifetime, in order."""
    stage: str | None = None
    """Which stage this belongs to; None means the first."""
    knobs: dict[str, int | str] = Field(default_factory=dict)
    baseline: Baseline | None = None
    """Who lives these episodes in place of the system: a baseline that lacks one ability, on the same instances."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # It came later: entries without it keep their hashes.
        return {name: value for name, value in plain(self).items() if value is not None or name != "baseline"}

    @field_validator("program")
    @classmethod
    def _repeats_what_came_before(cls, program: tuple[Step, ...]) -> tuple[Step, ...]:
        draw_places(program)
        return program


class Stage(Declaration):
    """A part of a suite that is finished before the next begins."""

    id: str = Field(pattern=NAME_PATTERN)
    freeze: Literal["nothing", "answers", "codes", "replies", "states"] = "nothing"
    """What later stages may read, by family and condition: how often each answer or canonical action code was given,
    or, instance by instance, what was handed in or what named state was written."""


class Suite(Declaration):
    """The whole examination, as data."""

    name: str = Field(pattern=NAME_PATTERN)
    version: str = Field(pattern=VERSION_PATTERN)
    title: str
    description: str = ""
    epoch: str
    """The timestamp runs have unless told otherwise, so that the same command prints the same root tomorrow; or
    `today`, for scenarios that are to expire: a run is then dated by the day it is made on, unless told otherwise."""
    entries: Annotated[tuple[Entry, ...], _no_more_than(MAX_ENTRIES)] = Field(min_length=1)
    stages: Annotated[tuple[Stage, ...], _no_more_than(MAX_OTHERS)] = Field(default=(Stage(id="main"),), min_length=1)
    regimes: Annotated[tuple[Regime, ...], _no_more_than(MAX_OTHERS)] = ()
    """Regimes of its own, beside the standard ones."""
    conditions: Annotated[tuple[Condition, ...], _no_more_than(MAX_OTHERS)] = ()
    rules: Rules = Rules()
    shuffle: bool | Literal["mulberry32"] = True
    """Whether lifetimes are presented in an order from the seed; `mulberry32`: in that of the harness paper (§5.1)."""
    streams: str | None = Field(default=None, pattern=NAME_PATTERN)
    """Whose draws it shares: suites of one stream meet the same instances and faults. None: its own name."""
    boundary: BoundaryKind | None = None
    """The boundary it is for; a system with another one is refused. None: either."""
    inclusion: Wording = ""
    """By which rules families are in it (white paper §11.8)."""
    exclusion: Wording = ""
    """Which families are left out, and by which rules."""
    justification: Wording = ""
    """Why these families represent what is claimed; a suite of one's own says why no standard one would do."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Fields that came later are left out at their defaults: suites that do not use them keep their hashes.
        later = ("inclusion", "exclusion", "justification")
        return {name: value for name, value in plain(self).items() if value or name not in later}

    @field_validator("epoch")
    @classmethod
    def _epoch_is_a_timestamp(cls, text: str) -> str:
        if text != TODAY:
            parse_timestamp(text)
        return text

    @model_validator(mode="after")
    def _names_are_known(self) -> Suite:
        for regime in self.regimes:
            require_standard_content(regime)
        stages = [stage.id for stage in self.stages]
        _unique("stage", stages)
        _unique("regime", [regime.id for regime in self.regimes])
        _unique("condition", [condition.id for condition in self.conditions])
        if self.all_conditions[NO_INTERVENTION.id] != NO_INTERVENTION:
            message = f"condition '{NO_INTERVENTION.id}' is the arm without intervention; give yours another id"
            raise ValueError(message)
        for stage in self.stages:
            if not self.rules.record_traces and stage.freeze in ("replies", "states"):
                message = (
                    f"stage '{stage.id}' freezes {stage.freeze}, which are taken from traces; set recordTraces: true"
                )
                raise ValueError(message)
        if sum(len(entry.regimes) * len(entry.conditions) for entry in self.entries) > MAX_ARMS:
            message = f"entries under their regimes and conditions make more than {MAX_ARMS:,} arms; leave some out"
            raise ValueError(message)
        all_regimes, all_conditions = self.all_regimes, self.all_conditions
        for entry in self.entries:
            # The same instances under the same regime twice would count as twice the evidence.
            _unique(f"regime of '{entry.family}'", list(entry.regimes))
            _unique(f"condition of '{entry.family}'", list(entry.conditions))
            for name in (*entry.regimes, *(step.regime for step in entry.program if step.regime)):
                _known("regime", name, all_regimes)
            for name in entry.conditions:
                _known("condition", name, all_conditions)
                self._stage_order(entry, all_conditions[name], stages)
        return self

    def _stage_order(self, entry: Entry, condition: Condition, stages: list[str]) -> None:
        stage = entry.stage or stages[0]
        _known("stage", stage, dict.fromkeys(stages))
        if condition.after is not None:
            _known("stage", condition.after, dict.fromkeys(stages))
            if stages.index(condition.after) >= stages.index(stage):
                message = f"condition '{condition.id}' reads stage '{condition.after}', which is not before '{stage}'"
                raise ValueError(message)

    @property
    def full_name(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.version}"

    @property
    def stream_name(self) -> str:
        """What streams are keyed by: name and major version, so that minor versions keep their instances."""
        return f"{self.streams or self.name}@{Version.parse(self.version).major}"

    @property
    def rounds(self) -> tuple[int, ...]:
        """By entry: how far apart two rounds of its instances lie where `--scale` asks for several.

        Entries of one family in several stages may take instances of their own, say for calibration: there a round
        begins beyond all of them, so that growing entries do not reach into each other. Else rounds follow each other.
        """
        names = [entry.family.partition("@")[0] for entry in self.entries]
        firsts: dict[str, set[int]] = {}
        beyond: dict[str, int] = {}
        for name, entry in zip(names, self.entries, strict=True):
            firsts.setdefault(name, set()).add(entry.first)
            beyond[name] = max(beyond.get(name, 0), entry.first + entry.n)
        apart = {name for name, starts in firsts.items() if len(self.stages) > 1 and len(starts) > 1}
        return tuple(
            beyond[name] if name in apart else entry.n for name, entry in zip(names, self.entries, strict=True)
        )

    @property
    def all_regimes(self) -> dict[str, Regime]:
        """Standard and own regimes, by id."""
        return {**STANDARD_REGIMES, **{regime.id: regime for regime in self.regimes}}

    @property
    def all_conditions(self) -> dict[str, Condition]:
        """Own conditions and the arm without intervention, by id."""
        return {NO_INTERVENTION.id: NO_INTERVENTION, **{condition.id: condition for condition in self.conditions}}


def instance_number(entry: Entry, offset: int, apart: int) -> int:
    """The number of the instance at this offset of an entry, whose rounds begin `apart` numbers from each other."""
    lap, within = divmod(offset, entry.n)
    return entry.first + within + lap * apart


def _unique(kind: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            message = f"{kind} '{name}' is declared twice"
            raise ValueError(message)
        seen.add(name)


def _known(kind: str, name: str, known: dict[str, object] | dict[str, Regime] | dict[str, Condition]) -> None:
    if name not in known:
        message = f"{kind} '{name}' is unknown; choose from {', '.join(known)}"
        raise ValueError(message)
