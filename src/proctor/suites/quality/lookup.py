"""From what a person types to scenarios: a file of them, a suite's name or file, or a domain's name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from proctor.core.clock import format_timestamp
from proctor.core.errors import InputError
from proctor.engine.family import Family, scenarios_of
from proctor.engine.names import load_family, load_suite
from proctor.plugins import registry
from proctor.spec.documents import read_document
from proctor.spec.scenario import ScenarioSet
from proctor.spec.scope import read_scope, select_scenarios
from proctor.spec.suite import TODAY, Suite
from proctor.suites.quality.lint import Finding, lint, lint_document

_FILES = (".yaml", ".yml", ".json")


class Linted(Struct, frozen=True):
    """What the linter found about one file or suite."""

    subject: str
    at: str
    scope: str | None
    scenarios: int
    """How many; within the scope where there is one."""
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether a run with it means something; warnings do not prevent that."""
        return all(finding.severity == "warning" for finding in self.findings)


def lint_named(
    what: str,
    folder: Path,
    *,
    at: str | None = None,
    scope: str | None = None,
    sampled: Callable[[Suite], Suite] = lambda suite: suite,
) -> Linted:
    """Lint `cases.yaml`, `quality`, `quality@1.0`, `mysuite.yaml`, `my_domain.py` or the name of a domain.

    The time is the suite's epoch where there is a suite, otherwise now: whoever edits a file wants to know what is
    stale today. Of a suite only what it runs is judged; `sampled` gives it the sample sizes it is run with.
    """
    wanted = read_scope(scope, folder) if scope else None
    document = read_document(folder / what) if what.endswith(_FILES) else None
    if document is not None and not (isinstance(document, dict) and "entries" in document):
        when = at or format_timestamp(datetime.now(UTC))
        findings, count = lint_document(document, source=what, at=when, scope=wanted)
        return Linted(what, when, scope, count, findings)
    if document is None and _is_family(what):
        sets: tuple[ScenarioSet, ...] = _set_of(load_family(what, folder))
        when = at or format_timestamp(datetime.now(UTC))
    else:
        suite = sampled(load_suite(what, folder))
        now = format_timestamp(datetime.now(UTC))
        sets, when = sets_of(suite, folder), at or (now if suite.epoch == TODAY else suite.epoch)
    if not sets:
        message = f"'{what}' has no scenarios; the linter is for the families of the quality instrument"
        raise InputError(message)
    count = sum(len(select_scenarios(one.scenarios, wanted)) if wanted else len(one.scenarios) for one in sets)
    return Linted(what, when, scope, count, lint(sets, at=when, scope=wanted))


def sets_of(suite: Suite, folder: Path) -> tuple[ScenarioSet, ...]:
    """The sets of a suite's scenario families, each once, in order; other families are passed over.

    Each has the scenarios that the suite's sample sizes reach: instance i is scenario i.
    """
    reached = []
    for name in dict.fromkeys(entry.family for entry in suite.entries):
        for one in _set_of(load_family(name, folder)):
            size = len(one.scenarios)
            numbers = {
                number % size
                for entry in suite.entries
                if entry.family == name
                for number in range(entry.first, entry.first + min(entry.n, size))
            }
            taken = tuple(scenario for number, scenario in enumerate(one.scenarios) if number in numbers)
            reached.append(one if len(taken) == size else one.model_copy(update={"scenarios": taken}))
    return tuple(reached)


def _is_family(what: str) -> bool:
    if what.partition(":")[0].endswith(".py"):
        return True
    name = what.partition("@")[0]
    return name in registry.names("families") and name not in registry.names("suites")


def _set_of(family: Family) -> tuple[ScenarioSet, ...]:
    scenarios = scenarios_of(family)
    return () if scenarios is None else (scenarios,)
