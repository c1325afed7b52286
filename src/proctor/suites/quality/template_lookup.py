"""From what a person types to generated scenarios: the templates of a file or domain, and failures of a file or run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.core.errors import InputError
from proctor.plugins.files import load_module
from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.domains.assembly import templates as templates_in
from proctor.suites.quality.failures import FailureSnapshot
from proctor.suites.quality.generator import Mode, generate
from proctor.suites.quality.template import Template

DOMAINS = ("expenses", "service", "infrastructure")


def templates_named(what: str, folder: Path) -> tuple[Template, ...]:
    """The templates of `expenses`, of `refunds.py` (all at its top level) or `refunds.py:NAME` (one, or a list)."""
    if what in DOMAINS:
        return templates_in(f"proctor.suites.quality.domains.{what}")
    path, _, attribute = what.partition(":")
    if not path.endswith(".py"):
        message = f"'{what}' has no templates; give a Python file that defines some, or one of {', '.join(DOMAINS)}"
        raise InputError(message)
    module = load_module(folder / path)
    held: Any = getattr(module, attribute, ()) if attribute else list(vars(module).values())
    templates = (
        (held,) if isinstance(held, Template) else tuple(one for one in _listed(held) if isinstance(one, Template))
    )
    if not templates:
        message = (
            f"{path}: no template{f' called {attribute!r}' if attribute else ''}; define `name = Template(…)` there"
        )
        raise InputError(message)
    return templates


def generated(
    what: str, folder: Path, *, mode: Mode, seed: int, n: int | None, failures: FailureSnapshot | None
) -> ScenarioSet:
    """A set of what these templates give; named after where they come from."""
    name = Path(what.partition(":")[0]).stem.replace("_", "-").lower()
    scenarios = generate(templates_named(what, folder), mode=mode, seed=seed, n=n, failures=failures)
    return ScenarioSet.parse(
        {"name": name, "title": f"{name}: {mode}, seed {seed}", "scenarios": scenarios}, source=what
    )


def _listed(held: Any) -> list[Any]:
    return list(held) if isinstance(held, list | tuple) else []
