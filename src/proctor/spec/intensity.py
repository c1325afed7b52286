"""How hard a regime is for a family: the intensity it is called by, or less where its values are too small for that.

A cap is scarce only beside what a task takes. Caps on calls and queries are of severe size up to 1.5 times the largest
use of the attainable policy, a cap on time where it ends a tenth of that policy's episodes at twice their calls; of
moderate size at twice that. A scope is of moderate size where it leaves half of the tools or fewer. Faults, noise and
cuts are of the size of their shares, if they were delivered. What is not known never counts. An axis counts when one of
its values is of moderate size: Severe needs two such axes and one value of severe size, Moderate one axis. Raising a
cap never makes a regime harder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from proctor.spec.frozen import FrozenRun
from proctor.spec.regime import AXIS_OF, Intensity, Regime, Size, depends_on_family, sizes_alone
from proctor.spec.use import PolicyUse

DELIVERED_SHARE = 0.10
"""Share of credited units in which a fault, noise or cut has to have been delivered for its size to count."""
_SEVERE_NUMERATOR, _MODERATE_NUMERATOR, _DENOMINATOR = 3, 6, 2
"""A cap is severe up to 3/2 of the use, moderate up to 6/2. In integers: 25 calls for 20 is not a matter of floats."""
_SLOWER = 4
"""A wait between calls is of moderate size from 4/3 of the family's pace on, as a rate of three quarters is."""


def effective_intensity(
    frozen: FrozenRun, family: str, regime: str, *, delivered: Mapping[str, float] | None = None
) -> Intensity:
    """How hard a regime of this run is for one of its families (`id@version`); never harder than it is called.

    `delivered` is the share of credited units in which each layer (`noise`, `timeouts`, …) left a receipt: what was
    hardly ever delivered does not count. None: the declared shares are believed.
    """
    declared = frozen.suite.all_regimes[regime]
    use = next((use for use in frozen.uses if (use.family, use.regime) == (family, regime)), None)
    tools = next((_names(found.actions) for found in frozen.families if found.spec.full_name == family), ())
    sizes = sizes_with(declared, use, tools)
    if delivered is not None:
        sizes = {name: size for name, size in sizes.items() if _was_met(name, delivered)}
    return intensity_of(declared, sizes)


def intensity_of(regime: Regime, sizes: Mapping[str, Size]) -> Intensity:
    """The intensity that values of these sizes make of a regime; never harder than it is called."""
    if regime.intensity in (Intensity.BASELINE, Intensity.MILD):
        return regime.intensity
    axes = {AXIS_OF[name] for name, size in sizes.items() if size >= Size.MODERATE}
    if regime.intensity is Intensity.SEVERE and len(axes) >= 2 and Size.SEVERE in sizes.values():
        return Intensity.SEVERE
    return Intensity.MODERATE if axes else Intensity.MILD


def sizes_with(regime: Regime, use: PolicyUse | None, tools: Iterable[str]) -> dict[str, Size]:
    """The size of every value a regime states, for a family with these tools whose policy spends so much."""
    held = {name: _size_for(name, regime, use, tools) for name in depends_on_family(regime)}
    return {**sizes_alone(regime), **held}


def needs_use(regime: Regime, tools: Iterable[str]) -> bool:
    """Whether it takes the use of a family's policy to tell if the regime is what it is called."""
    return intensity_of(regime, sizes_with(regime, None, tools)) is not regime.intensity


def _size_for(name: str, regime: Regime, use: PolicyUse | None, tools: Iterable[str]) -> Size:
    """The size of one value that depends on the family."""
    action, rate, drift = regime.action, regime.action.rate, regime.stability.drift
    if name == "scope":
        there = set(tools)
        halves = action.scope is not None and there and 2 * len(there.intersection(action.scope)) <= len(there)
        return Size.MODERATE if halves else Size.SMALL
    if use is None:
        return Size.SMALL
    if name == "cap" and action.cap == "strict":
        return Size.SMALL if use.strict is None else _size_of_cap(use.strict.cap, use.strict.calls)
    if name == "cap" and isinstance(action.cap, int):
        return _size_of_cap(action.cap, use.calls)
    if name == "queries" and regime.information.queries is not None:
        return _size_of_cap(regime.information.queries, use.queries)
    if name == "milliseconds" and (limit := regime.compute.milliseconds) is not None:
        if limit <= use.twice:
            return Size.SEVERE
        return Size.MODERATE if limit <= use.fourfold else Size.SMALL
    if name == "retries" and action.retries is not None:
        # Where nothing fails there is nothing to repeat.
        scarce = use.failed and _size_of_cap(action.retries, use.failed) >= Size.MODERATE
        return Size.MODERATE if scarce else Size.SMALL
    if name == "rate" and rate is not None and rate.milliseconds_between is not None:
        slower = (_SLOWER - 1) * rate.milliseconds_between >= _SLOWER * use.pace and use.calls > 1
        return Size.MODERATE if slower else Size.SMALL
    if name == "drift" and drift is not None:
        return Size.MODERATE if drift.after_calls < use.calls else Size.SMALL
    # Tokens: what a policy would spend of them nobody knows.
    return Size.SMALL


def _size_of_cap(cap: int, use: int) -> Size:
    if not use:
        return Size.SMALL
    if _DENOMINATOR * cap <= _SEVERE_NUMERATOR * use:
        return Size.SEVERE
    return Size.MODERATE if _DENOMINATOR * cap <= _MODERATE_NUMERATOR * use else Size.SMALL


def _was_met(name: str, delivered: Mapping[str, float]) -> bool:
    """Whether a value reached the agent. Caps, scopes and time leave no receipts: they are always in force."""
    layered = name not in ("queries", "cap", "retries", "scope", "milliseconds", "tokens")
    return not layered or delivered.get(name, 0.0) >= DELIVERED_SHARE


def _names(actions: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    return tuple(str(action["name"]) for action in actions)
