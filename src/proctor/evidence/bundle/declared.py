"""What the frozen declarations of a run say about each of its rows, worked out anew from the declarations alone.

Declarations are read only in the form in which this Proctor writes them: a key too many or too few would be one that
nobody checks. Fields that come later are left out at their defaults when they are written (see `spec.frozen`), so that
what earlier versions declared has this form as well; one that could not be written so would need a reader of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from pydantic import ValidationError

from proctor.core.errors import ProctorError
from proctor.core.hashing import content_hash
from proctor.core.seeds import Stream
from proctor.evidence.bundle.report import Damage, short_text
from proctor.evidence.row import Arm, Row
from proctor.spec.frozen import FrozenFamily, FrozenRun, config_hash_of
from proctor.spec.scope import Kept
from proctor.spec.suite import Entry, Step, draw_places, instance_number

NEVER_BEGAN = ("instance", "memory")
"""Reasons of episodes that never began."""
_MAX_ARMS = 100_000
_MAX_STEPS = 100_000
_MAX_WORK = 20_000_000
"""No real suite comes near these; a stranger's would cost time before it could be refused."""


class PlannedLifetime(Protocol):
    """What a plan says of one lifetime."""

    @property
    def position(self) -> int: ...
    @property
    def arm(self) -> int: ...
    @property
    def unit(self) -> int: ...
    @property
    def part(self) -> int: ...
    @property
    def replicate(self) -> int: ...


class Order(Protocol):
    """The order of presentation, as the engine works it out (`proctor.engine.plan.Plan`)."""

    def at_position(self, position: int) -> int: ...

    def lifetime(self, index: int) -> PlannedLifetime: ...


MakeOrder = Callable[[FrozenRun], Order]


class DeclaredArm(Struct, frozen=True):
    """One arm with everything its rows must agree with."""

    arm: Arm
    family: FrozenFamily
    entry: Entry
    steps: tuple[Step, ...]
    """The program, one step per episode of a lifetime."""
    places: tuple[int, ...]
    """The step whose instance each step meets: its own, unless it repeats an earlier phase."""
    fields: frozenset[str] | None
    """The declared fields of the first observation; None when any may be shown."""
    base: int
    """The number of its first lifetime among those of all arms."""
    numbered: int
    """Lifetimes that have a number; within a scope not all of them are lived."""
    lifetimes: int
    """Lifetimes that are lived."""
    kept: Kept | None
    """Which instances are taken; None: all."""
    apart: int
    """How far apart the rounds of its instances lie."""
    instances: Stream

    @property
    def episodes(self) -> int:
        """Planned."""
        return self.lifetimes * len(self.steps)

    def memory_before(self, step: int) -> str | None:
        """What is done to the agent's memory before a step; None where it is kept."""
        now = self.steps[step]
        begins = step == 0 or self.steps[step - 1] is not now
        return now.before if begins and now.before != "keep" else None

    def regime(self, step: int) -> str:
        """The regime in force at a step of a lifetime."""
        return self.steps[step].regime or self.arm.regime

    def misplaced_columns(self, row: Row) -> Iterator[tuple[str, object, object]]:
        """(column, what the row says, what is declared) where position, unit, part and instance do not fit."""
        step = row.position - row.lifetime
        number = row.unit + row.part - self.base
        if not 0 <= step < len(self.steps):
            yield "lifetime", row.lifetime, f"lifetimes of {len(self.steps)} episodes"
            return
        if not 0 <= number < self.numbered:
            yield "unit", row.unit, f"units {self.base} to {self.base + self.numbered - 1}"
            return
        within, part = divmod(number, self.entry.parts)
        offset, replicate = divmod(within, self.entry.replicates)
        index = instance_number(self.entry, offset, self.apart)
        if self.kept is not None and not self.kept.contains(index):
            yield "unit", row.unit, "units of scenarios that lie in the scope"
            return
        drawn = self.places[step]
        instance = self.instances.child(index) if len(self.steps) == 1 else self.instances.child(index, drawn)
        expected = {
            "part": (row.part, part),
            "replicate": (row.replicate, replicate),
            "phase": (row.phase, self.steps[step].phase),
            # An instance that could not be made, or not be lived, has no name.
            "instance": (
                row.instance,
                "" if row.reason in NEVER_BEGAN and not row.template else instance.key[:8].hex(),
            ),
        }
        for column, (actual, declared) in expected.items():
            if actual != declared:
                yield column, actual, declared


class Declared:
    """The declarations of a run, checked as far as they can be on their own."""

    def __init__(self, frozen: Any, *, where: str) -> None:
        self.raw = frozen
        try:
            _require_modest(frozen["suite"])
            self.frozen = FrozenRun.model_validate(frozen)
            self.foreign_key = _first_difference(frozen, self.frozen.model_dump(mode="json"))
            """The first place where they are not written as this Proctor writes them; empty where there is none."""
            self.config_hash = config_hash_of(frozen)
            self.sha256 = content_hash(frozen)
            self.arms = list(_arms(self.frozen))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise Damage(f"not the declarations of a run: {short_text(field)} {first['msg']}", where=where) from None
        except (ProctorError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise Damage(f"not the declarations of a run ({short_text(str(error))})", where=where) from None

    @property
    def episodes(self) -> int:
        """Planned."""
        return sum(arm.episodes for arm in self.arms)

    @property
    def lifetimes(self) -> int:
        """Planned."""
        return sum(arm.lifetimes for arm in self.arms)


def _first_difference(written: Any, again: Any, path: str = "frozen") -> str:
    """Where two JSON values part; empty where they are the same, types included."""
    if isinstance(written, dict) and isinstance(again, dict):
        for key in (*written, *again):
            if key not in written or key not in again:
                return f"{path}.{key}"
            if found := _first_difference(written[key], again[key], f"{path}.{key}"):
                return found
        return ""
    if isinstance(written, list) and isinstance(again, list) and len(written) == len(again):
        return next(
            (
                found
                for number, pair in enumerate(zip(written, again, strict=True))
                if (found := _first_difference(*pair, f"{path}.{number}"))
            ),
            "",
        )
    return "" if type(written) is type(again) and written == again else path


def _require_modest(suite: dict[str, Any]) -> None:
    """Refuse a suite that is made to be expensive."""
    own = sum(len(suite.get(name, ())) for name in ("regimes", "conditions", "stages"))
    arms = names = steps = 0
    for entry in suite["entries"]:
        regimes, conditions, program = (entry.get(name, ()) for name in ("regimes", "conditions", "program"))
        arms += len(regimes) * len(conditions)
        names += len(regimes) + len(conditions) + len(program)
        steps = max(steps, sum(step.get("episodes", 1) for step in program))
    if arms > _MAX_ARMS or steps > _MAX_STEPS or own * (own + names) > _MAX_WORK:
        message = "the suite is larger than any that can be verified"
        raise ValueError(message)


def _arms(frozen: FrozenRun) -> Iterator[DeclaredArm]:
    """Every entry under every one of its regimes and conditions, in order of declaration."""
    suite = frozen.suite
    families = {family.reference: family for family in frozen.families}
    rounds = suite.rounds
    index = base = 0
    for number, entry in enumerate(suite.entries):
        family = families.get(entry.family)
        if family is None or not _wanted(frozen.only, entry.family, family.spec.full_name):
            continue
        if entry.baseline is not None and frozen.no_baseline is not None:
            continue
        fields = family.spec.observation_schema.get("properties")
        kept = None if frozen.scope is None else frozen.scope.families[family.spec.full_name]
        places = entry.n * frozen.scale
        taken = places if kept is None else kept.count_between(entry.first, entry.first + places)
        numbered = places * entry.replicates * entry.parts
        if not taken:
            # Nothing of it lies in the scope; its lifetimes have their numbers all the same.
            base += numbered * len(entry.regimes) * len(entry.conditions)
            continue
        for regime in entry.regimes:
            for condition in entry.conditions:
                stage = entry.stage or suite.stages[0].id
                declared = DeclaredArm(
                    arm=Arm(index, number, family.spec.full_name, regime, condition, entry.cell, stage),
                    family=family,
                    entry=entry,
                    steps=tuple(step for step in entry.program for _ in range(step.episodes)),
                    places=draw_places(entry.program),
                    fields=None if fields is None else frozenset(fields),
                    base=base,
                    numbered=numbered,
                    lifetimes=taken * entry.replicates * entry.parts,
                    kept=kept,
                    apart=rounds[number],
                    instances=Stream.keyed(suite.stream_name, frozen.seed, family.spec.id, "instance"),
                )
                yield declared
                index += 1
                base += declared.numbered


def misordered_columns(row: Row, order: Order) -> Iterator[tuple[str, object, object]]:
    """Columns that the order of presentation gives another value: (column, what the row says, what follows)."""
    try:
        planned = order.lifetime(order.at_position(row.position))
    except (IndexError, OverflowError, ValueError):
        yield "position", row.position, "no such episode"
        return
    expected = {
        "lifetime": planned.position,
        "arm": planned.arm,
        "unit": planned.unit,
        "part": planned.part,
        "replicate": planned.replicate,
    }
    for column, value in expected.items():
        if getattr(row, column) != value:
            yield column, getattr(row, column), value


def _wanted(only: tuple[str, ...], reference: str, full_name: str) -> bool:
    return not only or bool({reference, full_name, full_name.partition("@")[0]} & set(only))


arms_from = msgspec.json.Decoder(list[Arm]).decode
