"""Mutants of the practice family: how worlds are made and lived in. Each has one thing wrong, and a top-level name."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from proctor.conformance.practice import PracticeFamily, YardWorld
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.task import Instance
from proctor.worlds.tool import Tool, tool


def _changed(instance: Instance, **changes: Any) -> Instance:
    return msgspec.structs.replace(instance, **changes)


def _with_spec(tools: dict[str, Tool], name: str, **changes: Any) -> dict[str, Tool]:
    spec = msgspec.structs.replace(tools[name].spec, **changes)
    return {**tools, name: msgspec.structs.replace(tools[name], spec=spec)}


# --- determinism ------------------------------------------------------------------------------------------------------


_NUMBERS = count()


class Counts(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, observation={**made.observation, "yard": f"yard {next(_NUMBERS)}"})


class HashOrder(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        yards = {f"{name}-{draw.stream.below(1000)}" for name in ("north", "south", "east", "west")}
        return _changed(made, observation={**made.observation, "yard": " ".join(yards)})


class FewInstances(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        again = Stream.keyed("few", draw.stream.below(40))
        return super().instance(msgspec.structs.replace(draw, stream=again))


class _Restless(YardWorld):
    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        return {"label": label, "grams": self.grams[self.known(label)], "ticket": next(_NUMBERS)}


class RestlessWorld(PracticeFamily):
    world_class = _Restless


# --- faults -----------------------------------------------------------------------------------------------------------


class NoStrictCap(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        return _changed(super().instance(draw), strict_actions=None)


class NoReader(PracticeFamily):
    class _Writers(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return _with_spec(_with_spec(super().tools, "weigh", effect="write"), "list_crates", effect="write")

    world_class = _Writers


class _Bare(YardWorld):
    @tool(effect="read")
    def list_crates(self) -> Any:
        """Count the crates in the yard."""
        return len(self.grams)

    @tool(effect="read")
    def weigh(self, label: str) -> Any:
        """Weigh one crate; gives its weight in grams."""
        return self.grams[self.known(label)]


class NoRoomForInjection(PracticeFamily):
    world_class = _Bare


# --- tools ------------------------------------------------------------------------------------------------------------


class _Counting(YardWorld):
    weighed = 0

    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        self.weighed += 1
        return {"label": label, "grams": self.grams[self.known(label)]}

    def state(self) -> Any:
        return {"stamped": self.stamped, "weighed": self.weighed}


class ReadingWrites(PracticeFamily):
    world_class = _Counting


class _Brittle(YardWorld):
    def known(self, label: str) -> str:
        self.grams[label]
        return label


class Brittle(PracticeFamily):
    world_class = _Brittle


class Undescribed(PracticeFamily):
    class _Silent(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return _with_spec(super().tools, "weigh", description=" ")

    world_class = _Silent


class BadParameters(PracticeFamily):
    class _Untyped(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            wrong = {"type": "object", "properties": {"label": {"type": "text"}}, "required": ["label"]}
            return _with_spec(super().tools, "weigh", parameters=wrong)

    world_class = _Untyped


class _Opaque(YardWorld):
    @tool(effect="read")
    def inspect(self) -> Any:
        """Look at the yard."""
        return object()


class OpaqueResult(PracticeFamily):
    world_class = _Opaque


# --- any calls --------------------------------------------------------------------------------------------------------


class _Noted(YardWorld):
    """Takes notes on crates; what it does with them is up to the mutant."""

    notes: str = ""

    @tool(effect="write")
    def note(self, path: str, count: int) -> str:
        """Write a number down under a name."""
        if len(path) > 2_000 or "beside" in path:
            self.take(path)
        return "noted" + self.kept(count)

    def take(self, path: str) -> None:
        """Nothing."""

    def kept(self, count: int) -> str:
        return ""

    def state(self) -> Any:
        return {"stamped": self.stamped, "notes": self.notes}


class LargeNumbers(PracticeFamily):
    class _Narrow(_Noted):
        def kept(self, count: int) -> str:
            return count.to_bytes(6, signed=True).hex()[:0]

    world_class = _Narrow


class LongLabels(PracticeFamily):
    class _Slow(_Noted):
        processor_seconds = 0.05

        def take(self, path: str) -> None:
            began = process_time()
            while process_time() - began < 0.1:
                pass

    world_class = _Slow


class FollowsPaths(PracticeFamily):
    class _Curious(_Noted):
        read = ""

        def take(self, path: str) -> None:
            with suppress(OSError):
                self.read = Path(path).read_text()

        def kept(self, count: int) -> str:
            return self.read

    world_class = _Curious


class LeavesFiles(PracticeFamily):
    class _Untidy(_Noted):
        def take(self, path: str) -> None:
            (self.place.directory.parent / "proctor-mutant-left").write_text("left")

    world_class = _Untidy


class Hoards(PracticeFamily):
    class _Hoarder(_Noted):
        def take(self, path: str) -> None:
            self.notes = "x" * (17 * 2**20)

    world_class = _Hoarder


counts = Counts()
hash_order = HashOrder()
few_instances = FewInstances()
restless_world = RestlessWorld()
no_strict_cap = NoStrictCap()
no_reader = NoReader()
no_room_for_injection = NoRoomForInjection()
reading_writes = ReadingWrites()
brittle = Brittle()
undescribed = Undescribed()
bad_parameters = BadParameters()
opaque_result = OpaqueResult()
large_numbers = LargeNumbers()
long_labels = LongLabels()
follows_paths = FollowsPaths()
leaves_files = LeavesFiles()
hoards = Hoards()
