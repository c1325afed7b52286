"""From what a person types to the right conformance checks: a file, or a name of any kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import structs

from proctor.conformance.agent import check_agent
from proctor.conformance.contract import Conformance, examine
from proctor.conformance.family import USUAL_REGIMES, check_family
from proctor.conformance.instrument import check_instrument
from proctor.conformance.metric import check_metric
from proctor.conformance.model import check_model
from proctor.conformance.practice import family as practice_family
from proctor.conformance.release import check_release
from proctor.conformance.suite import check_suite
from proctor.conformance.tells import (
    TELLS,
    check_event_file,
    examine_tells,
    has_probes,
    is_event_file,
    require_event_file,
)
from proctor.core.errors import InputError
from proctor.engine.names import load_family, load_suite
from proctor.engine.usage import regime_named, regimes_used_with
from proctor.plugins import registry


def check_named(
    what: str,
    *,
    folder: Path,
    regimes: tuple[str, ...] = (),
    instances: int = 30,
    seed: int = 0,
    thorough: bool = False,
    on: str | None = None,
    watch: Callable[[str], None] = lambda _: None,
) -> Conformance:
    """Check `my_family.py`, `mysuite.yaml`, `my_family.py@suite`, `events.csv`, an agent string, or a name.

    `on` names the family that an agent is checked on; `watch` is told what takes a while. Options that mean nothing for
    this kind of thing are refused.
    """
    kind = kind_of(what)
    if regimes and kind != "family":
        message = f"--regime is for families, and '{what}' is {_a(kind)}; {_INSTEAD.get(kind, 'leave it out')}"
        raise InputError(message)
    if on is not None and kind != "agent":
        message = f"--on names the family that an agent is checked on, and '{what}' is {_a(kind)}; leave it out"
        raise InputError(message)
    if kind == "event file":
        return check_event_file(require_event_file(what, folder), seed=seed)
    if kind == "suite":
        return check_suite(load_suite(what, folder), folder=folder, watch=watch)
    if kind == "agent":
        family = practice_family if on is None else load_family(on, folder)
        return check_agent(what, family=family, seed=seed, folder=folder)
    if kind == "model":
        return check_model(what, folder=folder)
    if kind == "instrument":
        return check_instrument(registry.load("instruments", what))
    if kind == "metric":
        return check_metric(what)
    family = load_family(what, folder)
    asked = tuple(regime_named(name, folder) for name in regimes) or regimes_used_with(what.partition("@")[0])
    report = check_family(family, regimes=asked or USUAL_REGIMES, instances=instances, seed=seed, thorough=thorough)
    further = [check_release(what, family)]
    if has_probes(family, seed):
        further.append(examine(TELLS, partial(examine_tells, family, seed=seed)))
    added = tuple(result for result in further if result is not None)
    return structs.replace(report, results=(*report.results, *added))


_INSTEAD = {
    "suite": "leave it out: a suite is checked under the regimes of its entries",
    "agent": "leave it out: agents are checked under baseline and moderate-standard",
}


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def kind_of(what: str) -> str:
    """What a name or path means. Families come first, since they are what is checked most."""
    named = what.partition(",")[0].partition(":")[0]
    if named in registry.names("models") and named not in registry.names("families"):
        # Before files: a model string may end in one.
        return "model"
    if is_event_file(what):
        return "event file"
    if what.endswith((".yaml", ".yml", ".json")) or ".py@" in what:
        return "suite"
    name = what.partition("@")[0]
    if what.partition(":")[0].endswith(".py") or name in registry.names("families"):
        return "family"
    if name in registry.names("suites"):
        return "suite"
    if what.partition(":")[0] in registry.names("agents"):
        return "agent"
    if what in registry.names("instruments"):
        return "instrument"
    if what in registry.names("metrics"):
        return "metric"
    message = f"'{what}' is no file and no known family, suite, agent, model, instrument or metric; name one of these"
    raise InputError(message)
