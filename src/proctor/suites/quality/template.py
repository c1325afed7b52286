"""Templates: a form of scenario with parameters, the edges among their values, and a rule that writes one scenario.

A template's combinations are numbered (the last parameter turns fastest), so that a choice among them is a choice among
numbers. Whoever writes a template keeps `build` a function of its two arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from math import prod
from typing import Any

from proctor.core.canonical import canonical
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, sha256
from proctor.core.seeds import Mulberry32
from proctor.spec.scenario import Scenario

Parameters = dict[str, Any]
Build = Callable[[Parameters, Mulberry32], dict[str, Any]]

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")
_ADDED = ("id", "provenance")


class Template:
    """One structurally different form of scenario."""

    def __init__(
        self, name: str, parameters: Mapping[str, tuple[Any, ...]], edges: tuple[Parameters, ...], build: Build
    ) -> None:
        """`parameters` are JSON values by name; an edge fixes some or all of them to values declared there.

        `build` gets one combination and a generator of its own, and gives the data of a `Scenario` without `id` and
        `provenance`; `template` is added when it is not there.
        """
        self.name = name
        self.parameters = {key: tuple(values) for key, values in parameters.items()}
        self.edges = tuple(edges)
        self.build = build
        self._check()

    def _check(self) -> None:
        if not _NAME.match(self.name):
            message = f"template '{self.name}': a name is lower-case letters, digits, '-', '_' and '.'"
            raise InputError(message)
        for key, values in self.parameters.items():
            if not values:
                message = f"template '{self.name}': parameter '{key}' has no values; give it at least one"
                raise InputError(message)
            if len({canonical(value) for value in values}) < len(values):
                message = f"template '{self.name}': parameter '{key}' lists a value twice; name each once"
                raise InputError(message)
        for edge in self.edges:
            self.fixed(edge, what="an edge")

    def fixed(self, partial: Mapping[str, Any], *, what: str) -> dict[str, int]:
        """The numbers of the values that some parameters are fixed to; a name or value not declared is refused."""
        by_row: dict[str, int] = {}
        for key, value in partial.items():
            if key not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                message = f"template '{self.name}': {what} names parameter '{key}', but there is only {known}"
                raise InputError(message)
            number = self._numbers[key].get(canonical(value))
            if number is None:
                message = f"template '{self.name}': {what} gives '{key}' the value {value!r}, which is not declared"
                raise InputError(message)
            by_row[key] = number
        return by_row

    @cached_property
    def _numbers(self) -> dict[str, dict[bytes, int]]:
        return {
            key: {canonical(value): number for number, value in enumerate(values)}
            for key, values in self.parameters.items()
        }

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each parameter has."""
        return tuple(map(len, self.parameters.values()))

    @property
    def combinations(self) -> int:
        """How many there are of all parameters together; 1 where there are none."""
        return prod(self.sizes)

    def row(self, number: int) -> tuple[int, ...]:
        """The values' numbers of one combination."""
        row = []
        for size in reversed(self.sizes):
            number, value = divmod(number, size)
            row.append(value)
        return tuple(reversed(row))

    def number(self, row: tuple[int, ...]) -> int:
        """The combination's number: the inverse of `row`."""
        number = 0
        for size, value in zip(self.sizes, row, strict=True):
            number = number * size + value
        return number

    def chosen(self, number: int) -> Parameters:
        """The parameters of one combination."""
        row = self.row(number)
        return {key: values[index] for (key, values), index in zip(self.parameters.items(), row, strict=True)}

    def digest(self, number: int) -> str:
        """SHA-256 of one combination's parameters."""
        return content_hash(self.chosen(number))

    def scenario_id(self, number: int) -> str:
        """What the scenario of this combination is called."""
        return f"{self.name}-{self.digest(number)[:8]}"

    def find(self, scenario: str, *, within: int) -> int | None:
        """The combination behind a scenario's id; None if it is another template's or among more than `within`."""
        if not scenario.startswith(f"{self.name}-") or self.combinations > within:
            return None
        return self._by_id.get(scenario)

    @cached_property
    def _by_id(self) -> dict[str, int]:
        return {self.scenario_id(number): number for number in self.numbers()}

    def numbers(self) -> Iterator[int]:
        """Every combination."""
        return iter(range(self.combinations))

    def scenario(self, number: int, *, seed: int) -> Scenario:
        """The scenario of one combination: a function of template, parameters and seed, not of how it was chosen."""
        digest = self.digest(number)
        parameters = self.chosen(number)
        where = f"template '{self.name}' with {parameters}"
        data = dict(self.build(parameters, keyed(seed, "build", self.name, digest)))
        for key in _ADDED:
            if key in data:
                message = f"{where}: the generator adds '{key}'; leave it out"
                raise InputError(message)
        if data.setdefault("template", self.name) != self.name:
            message = f"{where}: its scenario says it is of template '{data['template']}'; leave that out"
            raise InputError(message)
        data["id"] = f"{self.name}-{digest[:8]}"
        data["provenance"] = {"kind": "template", "source": f"{self.name}#{digest[:16]}"}
        return Scenario.parse(data, source=where)


def keyed(seed: int, *words: str) -> Mulberry32:
    """A generator that belongs to these words under this seed, so that no template's draws disturb another's."""
    digest = sha256(canonical([str(seed), *words]))
    return Mulberry32(int.from_bytes(digest[:4], "big"))
