"""Under which regimes installed suites use a family, and what the regimes they declare are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from proctor.core.errors import InputError, NeedsData
from proctor.engine.names import load_suite
from proctor.plugins import registry
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.spec.suite import Suite


def _suites() -> Iterator[Suite]:
    """Every installed suite that can be had without saying more; one that needs a folder or a file is left out."""
    for name in registry.names("suites"):
        with suppress(NeedsData):
            yield load_suite(name, Path())


def installed_regimes() -> dict[str, Regime]:
    """Standard regimes, and those that installed suites declare."""
    regimes = dict(STANDARD_REGIMES)
    for suite in _suites():
        for regime in suite.regimes:
            regimes.setdefault(regime.id, regime)
    return regimes


def regime_named(name: str, folder: Path = Path()) -> Regime:
    """The regime of this name: a standard one, one of an installed suite, or `suite.yaml:ID` of a suite of the user's.

    One sentence where there is none.
    """
    suite, colon, own = name.rpartition(":")
    if colon:
        declared = load_suite(suite, folder).all_regimes
        if own not in declared:
            message = f"--regime {name}: {suite} declares no regime '{own}'; it may use {', '.join(declared)}"
            raise InputError(message)
        return declared[own]
    if name in STANDARD_REGIMES:
        return STANDARD_REGIMES[name]
    known = installed_regimes()
    if name not in known:
        message = (
            f"regime '{name}' is neither standard nor declared by an installed suite; there are {', '.join(known)}; "
            f"one that your own suite declares is written with its file, as in --regime suite.yaml:{name}"
        )
        raise InputError(message)
    return known[name]


def regimes_used_with(family: str) -> tuple[Regime, ...]:
    """The regimes under which installed suites take a family, in order of declaration; empty where none does."""
    regimes: dict[str, Regime] = {}
    for suite in _suites():
        for entry in suite.entries:
            if entry.family.partition("@")[0] == family:
                steps = [step.regime for step in entry.program if step.regime]
                regimes |= {regime: suite.all_regimes[regime] for regime in (*entry.regimes, *steps)}
    return tuple(regimes.values())
