"""`check_family`: everything that has to be proven about a family before it is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from proctor.conformance.contract import Body, Check, CheckResult, Conformance, examine_all
from proctor.conformance.families import (
    any_calls,
    baselines,
    ceiling,
    declaration,
    determinism,
    faults,
    formats,
    knobs,
    leaks,
    oracle,
    teaching,
    tools,
    verifier,
)
from proctor.conformance.subject import Options, Subject, regimes_of
from proctor.core.errors import InputError, NotEvaluable
from proctor.engine.family import Family
from proctor.engine.trial import outside_event_loop
from proctor.spec.regime import Regime
from proctor.worlds.requirements import require

_SUBJECTS = (
    declaration,
    oracle,
    baselines,
    leaks,
    determinism,
    faults,
    formats,
    ceiling,
    verifier,
    tools,
    any_calls,
    knobs,
)
FAMILY_CHECKS: tuple[Check, ...] = tuple(module.CHECK for module in _SUBJECTS)
"""What every family owes."""
TEACHING_CHECKS: tuple[Check, ...] = (teaching.CHECK,)
"""What a family owes besides, if it teaches something."""
USUAL_REGIMES = ("baseline", "moderate-standard")
_TIMED = 200


def check_family(
    family: Family,
    *,
    regimes: Sequence[str | Regime] = USUAL_REGIMES,
    instances: int = 30,
    seed: int = 0,
    thorough: bool = False,
    fresh_process: bool = True,
    only: Iterable[str] | None = None,
) -> Conformance:
    """Put a family through every check.

    `instances` is the number of episodes per agent and regime, and scales everything else; `thorough` takes 1,000 draws
    for ceilings. `fresh_process=False` leaves out the one child process that makes instances again. `only` names checks
    by id. What this machine lacks (bubblewrap, say) makes every check "not measured".
    """
    outside_event_loop()
    if instances < 3:
        message = f"{instances} instances prove nothing; take at least 3"
        raise InputError(message)
    chosen = None if only is None else tuple(only)
    known = [check.id for check in (*FAMILY_CHECKS, *TEACHING_CHECKS)]
    for name in chosen or ():
        if name not in known:
            message = f"there is no family check '{name}'; there are {', '.join(known)}"
            raise InputError(message)
    subjects = (*_SUBJECTS, teaching) if teaching.applies(family.spec) else _SUBJECTS
    try:
        require(family.spec.requires)
    except NotEvaluable as error:
        results = tuple(CheckResult(module.CHECK, "not measured", str(error)) for module in subjects)
        return Conformance("family", family.spec.full_name, results)
    options = Options(regimes_of(regimes), instances, seed, thorough, fresh_process)
    with Subject(family, options) as subject:
        bodies: list[tuple[Check, Body]] = [(module.CHECK, partial(module.check, subject)) for module in subjects]
        return examine_all("family", family.spec.full_name, bodies, only=chosen, notes=lambda: _speed(subject))


def _speed(subject: Subject) -> dict[str, Any]:
    """How fast the family is: a note for its author, judged by nobody."""
    try:
        draws = [subject.draw(index) for index in range(min(_TIMED, subject.options.distinct))]
        began = perf_counter()
        for draw in draws:
            subject.family.instance(draw)
        per_instance = (perf_counter() - began) / len(draws)
        episodes = [subject.trial(index, "oracle").row.elapsed_us for index in range(subject.options.few)]
    except Exception as error:
        # A note must not take away the findings.
        return {"speed": f"not measured: {type(error).__name__}"}
    return {
        "microseconds_per_instance": round(1e6 * per_instance),
        "microseconds_per_oracle_episode": round(sum(episodes) / len(episodes)),
    }
