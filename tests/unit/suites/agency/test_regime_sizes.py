"""Every regime of `agency` is, for every family it is used with, as hard as it is called.

`docs/design/regimes.md` has the table; `python -m tests.unit.suites.agency.test_regime_sizes` prints it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from proctor.conformance.subject import Options, Subject
from proctor.engine.names import load_family
from proctor.engine.policy_use import family_tools, measure_use, measure_uses, missing_constraint, settings_of
from proctor.engine.run import freeze
from proctor.spec.intensity import DELIVERED_SHARE, effective_intensity, intensity_of, needs_use, sizes_with
from proctor.spec.regime import Intensity, Regime, Size, depends_on_family, sizes_alone
from proctor.spec.suite import Entry
from proctor.spec.use import PolicyUse
from proctor.suites.agency import agency, quick

NOTE = Path(__file__).parents[4] / "docs" / "design" / "regimes.md"
EPISODES = 40
FEW = 12
"""Episodes where each starts processes."""
SUITE = agency()
HARD = (Intensity.MODERATE, Intensity.SEVERE)
PAIRS = list(
    {
        (entry.cell, entry.family, name): (entry, name)
        for entry in reversed(SUITE.entries)
        for name in entry.regimes
        if SUITE.all_regimes[name].intensity in HARD
    }.values()
)[::-1]
"""Each cell's families with their regimes; where a cell has several entries of one, the first."""


def named(pair: tuple[Entry, str]) -> str:
    entry, regime = pair
    return f"{entry.cell} {entry.family} {regime}"


@cache
def used(number: int) -> PolicyUse:
    entry, name = PAIRS[number]
    family = load_family(entry.family, Path())
    settings = dict.fromkeys(setting for regime, setting in settings_of(entry) if regime == name)
    return measure_use(family, SUITE.all_regimes[name], family_tools(family), settings)


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=[named(pair) for pair in PAIRS])
def test_a_regime_is_as_hard_as_it_is_called(number: int) -> None:
    entry, name = PAIRS[number]
    regime, family = SUITE.all_regimes[name], load_family(entry.family, Path())
    sizes = sizes_with(regime, used(number), family_tools(family))
    assert intensity_of(regime, sizes) is regime.intensity
    # No value is there for show: each is of moderate size at least.
    assert Size.SMALL not in sizes.values(), sizes


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=[named(pair) for pair in PAIRS])
def test_faults_noise_and_cuts_reach_the_agent(number: int) -> None:
    """Even an oracle, which makes the fewest calls of all, meets what makes the regime as hard as it is called."""
    entry, name = PAIRS[number]
    regime, family = SUITE.all_regimes[name], load_family(entry.family, Path())
    episodes = FEW if family.spec.requires else EPISODES
    options = Options(regimes=(regime,), instances=episodes, seed=5, thorough=False, fresh_process=False)
    met: Counter[str] = Counter()
    with Subject(family, options) as subject:
        for trial in subject.trials("oracle", episodes, regime):
            met.update(set(trial.faults))
    sizes = sizes_with(regime, used(number), family_tools(family))
    layered = {*sizes_alone(regime), *({"drift"} & set(sizes))}
    delivered = {layer: met[layer] / episodes for layer in layered}
    reached = {value: size for value, size in sizes.items() if delivered.get(value, 1.0) >= DELIVERED_SHARE}
    assert intensity_of(regime, reached) is regime.intensity, delivered
    # Only a rate may pass an oracle by, which may call one tool once.
    assert all(met[layer] for layer in layered - {"rate"}), met


@pytest.mark.parametrize("suite", [SUITE, quick()], ids=lambda suite: suite.name)
def test_freezing_measures_only_what_decides(suite: object) -> None:
    assert isinstance(suite, type(SUITE))
    run = freeze(suite=suite, agent="oracle", folder=Path())
    decided = {
        (f"{entry.family}@1.0", name)
        for entry in suite.entries
        for name in entry.regimes
        if needs_use(suite.all_regimes[name], ())
        or missing_constraint(entry.cell or "", suite.all_regimes[name], f"{entry.family}@1.0", (), ())
    }
    assert {(use.family, use.regime) for use in run.uses} == decided
    for entry in suite.entries:
        for name in entry.regimes:
            assert effective_intensity(run, f"{entry.family}@1.0", name) is suite.all_regimes[name].intensity
    assert run.uses == measure_uses(suite, {entry.family: load_family(entry.family, Path()) for entry in suite.entries})


def test_the_note_has_the_table() -> None:
    assert "\n".join(table()) in NOTE.read_text(encoding="utf-8"), "print it anew and put it into the note"


def table() -> list[str]:
    """Family × regime × what the policy uses × what the regime allows × verdict."""
    lines = [
        "| cell | family | regime | value | allowed | used | size |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for number, (entry, name) in enumerate(PAIRS):
        regime, use = SUITE.all_regimes[name], used(number)
        sizes = sizes_with(regime, use, family_tools(load_family(entry.family, Path())))
        for value, size in sizes.items():
            if value in depends_on_family(regime):
                allowed, spent = _allowed(value, regime, use)
                row = (entry.cell, entry.family, f"`{name}`", value, allowed, spent, size.name.lower())
                lines.append(f"| {' | '.join(map(str, row))} |")
    return lines


def _allowed(value: str, regime: Regime, use: PolicyUse) -> tuple[str, str]:
    drift = regime.stability.drift
    if value == "cap" and regime.action.cap == "strict" and use.strict:
        return f"strict: {use.strict.cap}", f"{use.strict.calls} calls"
    if value == "cap":
        return f"{regime.action.cap}", f"{use.calls} calls"
    if value == "queries":
        return f"{regime.information.queries}", f"{use.queries} queries"
    if value == "milliseconds":
        return f"{(regime.compute.milliseconds or 0) // 1000} s", f"{use.twice / 1000:g} s at twice the calls"
    assert drift is not None
    return f"after {drift.after_calls} calls", f"{use.calls} calls"


if __name__ == "__main__":
    print("\n".join(table()))
