"""From template files to a domain: every module of a domain's folder that has `TEMPLATES` takes part.

A newcomer adds a file with a tuple `TEMPLATES` and touches nothing else. What one template gives depends on its own
name, parameters and the seed alone, so that a new template never changes the scenarios of another.
"""

from __future__ import annotations

from importlib import import_module
from itertools import chain, zip_longest
from pkgutil import iter_modules
from typing import Any

from proctor.spec.scenario import Scenario, ScenarioSet
from proctor.suites.quality.template import Template, keyed

EACH = 20
"""Scenarios of one template: with at least 25 templates none has more than 4 % of its domain."""


def templates(package: str) -> tuple[Template, ...]:
    """The templates of a domain, by name."""
    folder = import_module(package)
    collected: list[Template] = []
    for module in iter_modules(folder.__path__):
        collected.extend(getattr(import_module(f"{package}.{module.name}"), "TEMPLATES", ()))
    return tuple(sorted(collected, key=lambda template: template.name))


def assemble(package: str, *, name: str, title: str, seed: int) -> ScenarioSet:
    """The domain: of every template the same number of scenarios."""
    made: list[Scenario] = []
    for template in templates(package):
        chosen = [template.scenario(number, seed=seed) for number in balanced(template, seed)]
        # In the order of their ids, which are hashes: the order of choice would tell the decision.
        made += sorted(chosen, key=lambda scenario: scenario.id)
    return ScenarioSet(name=name, title=title, scenarios=tuple(made))


def balanced(template: Template, seed: int, count: int = EACH) -> list[int]:
    """Combinations of a template: as far as they go, each decision it can come to as often as any other.

    Within a decision, those with a gate and those without take turns. A plain sample would follow the parameters, of
    which most combinations often come to the same thing, and then knowing the template would be knowing the answer.
    """
    numbers = list(template.numbers())
    keyed(seed, "order", template.name).shuffle(numbers)
    ends: dict[str, dict[bool, list[int]]] = {}
    for number in numbers:
        # Any draws will do here: what a combination comes to is the parameters' doing.
        data = template.build(template.chosen(number), keyed(seed, "peek", template.name))
        ends.setdefault(data["expected"]["name"], {}).setdefault(bool(data["gates"]), []).append(number)
    return _in_turn([_in_turn(list(ends[end].values())) for end in sorted(ends)])[:count]


def _in_turn(rows: list[list[Any]]) -> list[Any]:
    """One of each row, then the next of each, as long as any has some."""
    return [item for item in chain.from_iterable(zip_longest(*rows)) if item is not None]
