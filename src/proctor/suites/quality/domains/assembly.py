"""From template files to a domain: every module of a domain's folder that has `TEMPLATES` takes part.

A newcomer adds a file with a tuple `TEMPLATES` and touches nothing else. What one template gives depends on its own name,
parameters and the seed alone, so that a new template never changes the scenarios of another.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.generator import generate
from proctor.suites.quality.template import Template

EACH = 20
"""Scenarios of one template: with at least 25 templates none has more than 4 % of its domain."""


def templates(package: str) -> tuple[Template, ...]:
    """The templates of a domain, by name."""
    folder = import_module(package)
    found: list[Template] = []
    for module in iter_modules(folder.__path__):
        found.extend(getattr(import_module(f"{package}.{module.name}"), "TEMPLATES", ()))
    return tuple(sorted(found, key=lambda template: template.name))


def assemble(package: str, *, name: str, title: str, seed: int) -> ScenarioSet:
    """The domain: of every template the same number of scenarios."""
    made = [
        scenario
        for template in templates(package)
        for scenario in generate((template,), mode="random", seed=seed, n=EACH)
    ]
    return ScenarioSet(name=name, title=title, scenarios=tuple(made))
