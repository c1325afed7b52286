"""The plan of a run: every lifetime in presentation order, worked out by arithmetic and never held in memory.

Lifetimes are shuffled within their stage by keys from the seed, so that position carries no meaning; a lifetime's own
episodes stay in order. The same suite, seed and scale give the same plan on every machine.

Where scenarios are repeated, lifetimes come in rounds, each with every scenario once: those that are meant apart from
each other among those that keep them company, which also begin and end it. Executors finish a round before the next,
so no scenario is lived beside itself, and none that is meant while a round runs dry.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.seeds import Mulberry32, Stream
from proctor.evidence.row import Arm
from proctor.spec.frozen import FrozenRun, Seed
from proctor.spec.scope import Kept
from proctor.spec.suite import Entry, instance_number

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


MAX_EPISODES = 200_000_000
"""Far below what a position can hold, and about what a plan can hold in memory."""

APART = 2
"""In a round of repeats: so many lifetimes of company stand between two that are meant, at least."""


class Lifetime(Struct, frozen=True):
    """An ordered list of episodes lived by one agent object: the unit of scheduling and resume."""

    index: int
    """Place among all lifetimes, in presentation order."""
    position: int
    """Position of its first episode."""
    arm: int
    instance: int
    replicate: int
    part: int
    unit: int


class PlannedStage(Struct, frozen=True):
    """The lifetimes of one stage: [first, stop)."""

    id: str
    first: int
    stop: int


class Plan:
    """All lifetimes of a run. Asking for one costs a few array look-ups."""

    def __init__(self, frozen: FrozenRun) -> None:
        suite = frozen.suite
        self.entries = suite.entries
        everything = arms_of(frozen, scoped=False)
        self.arms = everything if frozen.scope is None else arms_of(frozen)
        self._lengths = [self._length_of(arm) for arm in self.arms]
        rounds = suite.rounds
        self._apart = [rounds[arm.entry] for arm in self.arms]
        self._kept = [None if frozen.scope is None else frozen.scope.families[arm.family] for arm in self.arms]
        # Lifetimes are numbered as if everything were run, so that a scope changes nothing about those it takes.
        counts = [self._lifetimes_in(arm, frozen.scale) for arm in everything]
        starts = dict(zip(map(_identity, everything), accumulate([0, *counts]), strict=False))
        self._bases = [starts[_identity(arm)] for arm in self.arms]
        self._stops = [
            base + self._lifetimes_in(arm, frozen.scale) for base, arm in zip(self._bases, self.arms, strict=True)
        ]
        sizes = self._sizes = [self._taken_of(arm, frozen.scale) for arm in self.arms]
        self.lifetimes = sum(sizes)
        if sum(self._lifetimes_in(arm, frozen.scale) * self._length_of(arm) for arm in everything) > MAX_EPISODES:
            message = f"a run of more than {MAX_EPISODES:,} episodes is too large; reduce --scale or the sample sizes"
            raise InputError(message)
        self.stages: list[PlannedStage] = []
        first = 0
        for stage in suite.stages:
            stop = first + sum(sizes[arm.index] for arm in self.arms if arm.stage == stage.id)
            self.stages.append(PlannedStage(stage.id, first, stop))
            first = stop
        self.episodes = sum(size * length for size, length in zip(sizes, self._lengths, strict=True))
        self._suite = suite
        self._seed = frozen.seed
        self._repeated = {} if frozen.scope is None else frozen.scope.repeated

    @cached_property
    def _order(self) -> array[int]:
        """The number of each lifetime, in presentation order; worked out by whoever asks first."""
        order = array("I")
        for stage in self.stages:
            members = [self._numbers(arm) for arm in self.arms if arm.stage == stage.id]
            ids = np.concatenate(members) if members else np.empty(0, dtype=np.uint32)
            if self._repeated:
                ids = np.concatenate([np.empty(0, dtype=np.uint32), *self._in_rounds(ids, stage.id)])
            elif self._suite.shuffle == "mulberry32":
                places = list(range(len(ids)))
                Mulberry32(_seed32(self._seed)).shuffle(places)
                ids = ids[np.asarray(places, dtype=np.int64)] if places else ids
            elif self._suite.shuffle:
                key = Stream.keyed(self._suite.stream_name, self._seed, "order", stage.id).bits64()
                ids = ids[np.argsort(_mixed(ids, key), kind="stable")]
            # A plain array: reading one element of a NumPy array costs more than everything else done with it.
            order.frombytes(ids.tobytes())
        return order

    @cached_property
    def _positions(self) -> npt.NDArray[np.uint64] | None:
        """The position of each lifetime's first episode, and one past the last; None when every lifetime has one."""
        if all(length == 1 for length in self._lengths):
            return None
        order = np.frombuffer(self._order, dtype=np.uint32)
        arms = np.searchsorted(np.asarray(self._bases, dtype=np.uint32), order, side="right") - 1
        lengths = np.asarray(self._lengths, dtype=np.uint64)[arms]
        return np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(lengths, dtype=np.uint64)])

    @cached_property
    def rounds(self) -> list[int]:
        """The lifetimes that begin a round of repeats, in order; empty where there are none."""
        if not self._repeated:
            return []
        met: set[tuple[str, int]] = set()
        starts = []
        for stage in self.stages:
            met.clear()
            for index in range(stage.first, stage.stop):
                scenario = self._scenario(self._order[index])
                if not met or scenario in met:
                    starts.append(index)
                    met.clear()
                met.add(scenario)
        return starts

    def _in_rounds(self, ids: npt.NDArray[np.uint32], stage: str) -> list[npt.NDArray[np.uint32]]:
        """The rounds of a stage, one after another, each with every scenario once as far as it is lived so often."""
        lived: Counter[tuple[str, int]] = Counter()
        rounds: list[tuple[list[int], list[int]]] = []
        for raw in ids.tolist():
            family, number = scenario = self._scenario(raw)
            if lived[scenario] == len(rounds):
                rounds.append(([], []))
            company, meant = rounds[lived[scenario]]
            (meant if number in self._repeated.get(family, ()) else company).append(raw)
            lived[scenario] += 1
        found = []
        for place, lists in enumerate(rounds):
            stream = Stream.keyed(self._suite.stream_name, self._seed, "order", stage, place)
            for one in lists:
                stream.shuffle(one)
            beside, wanted = (np.asarray(one, dtype=np.uint32) for one in lists)
            found.append(np.insert(beside, _places_among(len(beside), len(wanted)), wanted))
        return found

    def _scenario(self, raw: int) -> tuple[str, int]:
        """The family of a lifetime and the number of its scenario there, whatever arm and replicate it is of."""
        arm = bisect_right(self._bases, raw) - 1
        entry, kept = self._entry(self.arms[arm]), self._kept[arm]
        instance = (raw - self._bases[arm]) // (entry.parts * entry.replicates)
        number = instance_number(entry, instance, self._apart[arm])
        return self.arms[arm].family, number if kept is None else number % kept.of

    def _entry(self, arm: Arm) -> Entry:
        return self.entries[arm.entry]

    def _length_of(self, arm: Arm) -> int:
        return sum(step.episodes for step in self._entry(arm).program)

    def _lifetimes_in(self, arm: Arm, scale: int) -> int:
        entry = self._entry(arm)
        return entry.n * scale * entry.replicates * entry.parts

    def _taken_of(self, arm: Arm, scale: int) -> int:
        """Lifetimes of an arm that are lived: all of them, or those of the scenarios in scope."""
        entry, kept = self._entry(arm), self._kept[arm.index]
        return instances_taken(entry, scale, kept) * entry.replicates * entry.parts

    def _numbers(self, arm: Arm) -> npt.NDArray[np.uint32]:
        """The numbers of an arm's lifetimes, ascending."""
        base, stop, kept = self._bases[arm.index], self._stops[arm.index], self._kept[arm.index]
        if kept is None:
            return np.arange(base, stop, dtype=np.uint32)
        entry = self._entry(arm)
        block = entry.replicates * entry.parts
        first, last = entry.first, entry.first + (stop - base) // block
        rounds = np.arange(first // kept.of, -(-last // kept.of), dtype=np.int64) * kept.of
        instances = (rounds[:, None] + np.asarray(kept.numbers, dtype=np.int64)[None, :]).ravel()
        places = instances[(instances >= first) & (instances < last)] - first
        return (base + places[:, None] * block + np.arange(block)[None, :]).ravel().astype(np.uint32)

    def lifetime(self, index: int) -> Lifetime:
        """The lifetime at this place."""
        raw = self._order[index]
        arm = bisect_right(self._bases, raw) - 1
        entry = self._entry(self.arms[arm])
        offset = raw - self._bases[arm]
        within, part = divmod(offset, entry.parts)
        instance, replicate = divmod(within, entry.replicates)
        position = index if self._positions is None else int(self._positions[index])
        number = instance_number(entry, instance, self._apart[arm])
        return Lifetime(index, position, arm, number, replicate, part, raw - part)

    def at_position(self, position: int) -> int:
        """The index of the lifetime an episode belongs to."""
        if self._positions is None:
            return position
        return int(np.searchsorted(self._positions, position, side="right")) - 1

    def length(self, arm: int) -> int:
        """Episodes in one lifetime of an arm."""
        return self._lengths[arm]

    def summary(self) -> list[dict[str, Any]]:
        """What will be run, a line per arm."""
        return [
            {
                "family": arm.family,
                "regime": arm.regime,
                "condition": arm.condition,
                "cell": arm.cell,
                "episodes": self._sizes[arm.index] * self._lengths[arm.index],
            }
            for arm in self.arms
        ]


def _places_among(company: int, meant: int) -> npt.NDArray[np.int64]:
    """Before which of the company each that is meant stands: `APART` between them, the rest before and behind.

    Where company is short, it is shared out evenly.
    """
    before = max(company // (meant + 1), (company - APART * (meant - 1)) // 2)
    return before + np.arange(meant) * (company - 2 * before) // max(meant - 1, 1)


def _seed32(seed: Seed) -> int:
    """The 32 bits mulberry32 starts from: a public seed as it is, of a hidden one the first."""
    return (seed if isinstance(seed, int) else int(seed[:8], 16)) & 0xFFFFFFFF


def instances_taken(entry: Entry, scale: int, kept: Kept | None) -> int:
    """How many instances of an entry are taken."""
    return entry.n * scale if kept is None else kept.count_between(entry.first, entry.first + entry.n * scale)


def _identity(arm: Arm) -> tuple[int, str, str]:
    """What an arm is, whatever its number among the arms that are lived."""
    return arm.entry, arm.regime, arm.condition


def arms_of(frozen: FrozenRun, *, scoped: bool = True) -> tuple[Arm, ...]:
    """Every entry under every one of its regimes and conditions, in order of declaration; those left out have none."""
    suite, only, scope = frozen.suite, frozen.only, frozen.scope if scoped else None
    full_names = {family.reference: family.spec.full_name for family in frozen.families}
    arms: list[Arm] = []
    for number, entry in enumerate(suite.entries):
        full_name = full_names.get(entry.family)
        if full_name is None:
            # Not evaluable on this machine; the frozen run says why.
            continue
        if entry.baseline is not None and frozen.no_baseline is not None:
            continue
        if only and not {entry.family, full_name, full_name.partition("@")[0]} & set(only):
            continue
        if scope is not None and not instances_taken(entry, frozen.scale, scope.families[full_name]):
            continue
        for regime in entry.regimes:
            for condition in entry.conditions:
                stage = entry.stage or suite.stages[0].id
                arms.append(Arm(len(arms), number, full_name, regime, condition, entry.cell, stage))
    return tuple(arms)


def _mixed(ids: npt.NDArray[np.uint32], key: int) -> npt.NDArray[np.uint64]:
    """splitmix64 of key + id: integer arithmetic alone, so the order is the same everywhere."""
    # In place, so that a long plan needs little more memory than its result.
    with np.errstate(over="ignore"):
        z = ids.astype(np.uint64)
        z += np.uint64(1)
        z *= _GOLDEN
        z += np.uint64(key)
        z ^= z >> np.uint64(30)
        z *= _MIX_1
        z ^= z >> np.uint64(27)
        z *= _MIX_2
        z ^= z >> np.uint64(31)
    return z
