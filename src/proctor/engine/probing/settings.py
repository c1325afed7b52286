"""Which draws and conditions a probe tries: what a family declares, and what suites do with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.family import FamilySpec
from proctor.spec.suite import Entry, Suite

TRAINING = "train"
"""The phase of training episodes."""


class DrawSetting(Struct, frozen=True):
    """How instances are drawn: everything of a draw except its streams and its number."""

    knobs: tuple[tuple[str, Any], ...]
    """Those that differ from their defaults, by name."""
    phase: str
    part: int = 0
    step: int = 0

    @property
    def label(self) -> str:
        """A stable name, for keys of streams and for messages."""
        knobs = ",".join(f"{name}={value}" for name, value in self.knobs)
        return f"{self.phase}/{self.part}/{self.step}/{knobs}"


def draw_settings(spec: FamilySpec, entries: Iterable[Entry]) -> list[DrawSetting]:
    """The defaults first, then each knob value alone, then every phase, part and combination the entries use."""
    settings = [_setting(spec, {}, spec.examined, step=spec.training)]
    for name, knob in spec.knobs.items():
        settings += [_setting(spec, {name: value}, spec.examined, step=spec.training) for value in knob.values]
    if spec.training:
        settings.append(_setting(spec, {}, TRAINING))
    for entry in entries:
        settings += _used_in(spec, entry)
    return list(dict.fromkeys(settings))


def _used_in(spec: FamilySpec, entry: Entry) -> Iterator[DrawSetting]:
    number = 0
    for step in entry.program:
        for part in range(entry.parts):
            yield _setting(spec, {**entry.knobs, **step.knobs}, step.phase, part=part, step=number)
        number += step.episodes


def _setting(spec: FamilySpec, knobs: Mapping[str, Any], phase: str, *, part: int = 0, step: int = 0) -> DrawSetting:
    stated = {name: value for name, value in knobs.items() if name in spec.knobs and spec.knobs[name].default != value}
    return DrawSetting(tuple(sorted(stated.items())), phase, part, step)


def entries_of(spec: FamilySpec, suites: Iterable[Suite], names: Iterable[str] = ()) -> list[tuple[Suite, Entry]]:
    """The entries of these suites that use a family, named by its id or by one of the references `names`."""
    known = {spec.id, spec.full_name, *names}
    return [
        (suite, entry)
        for suite in suites
        for entry in suite.entries
        if entry.family in known or entry.family.partition("@")[0] == spec.id
    ]


def conditions_of(uses: Iterable[tuple[Suite, Entry]]) -> list[Condition]:
    """Every intervention under which suites use a family, in order of their names."""
    conditions: dict[str, Condition] = {}
    for suite, entry in uses:
        for name in entry.conditions:
            condition = suite.all_conditions[name]
            # Two suites may give the same name to different conditions: both are tried.
            conditions.setdefault(f"{name}/{condition.identity}", condition)
    return [condition for _, condition in sorted(conditions.items()) if condition != NO_INTERVENTION]
