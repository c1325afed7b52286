"""From a regime to its stack of layers.

The order, from the agent to the world, and why:

1. `scope`: what may not be called is refused before it costs anything.
2. `rate`: then a call waits for its turn, whatever becomes of it afterwards.
3. `timeouts`, 4. `failures`: then it may never arrive. Where it does, `drift` (8) may make it wait in vain.

and on the way back, from the world to the agent:

10. `partial_errors`: the work is done and the answer is lost, so nothing below has anything to work on.
9. `context_cut`: first of those that change what is read, so that every later receipt is about something shown.
8. `drift`: names change before values do, so that paths in receipts are those the agent sees.
7. `perturbation`, 6. `noise`: values change. Both may hit the same one; each receipts what it did.
5. `injection`: last, so that noise does not spoil the marker.

The first observation passes `context_cut`, then `noise`. Limits that are mere numbers (action cap, queries, retries,
time, tokens) are no layers: `limits.effective_budget` works them out and the session keeps them.
"""

from __future__ import annotations

from proctor.spec.regime import Regime
from proctor.worlds.adversity.context_cut import ContextCut
from proctor.worlds.adversity.drift import Drift
from proctor.worlds.adversity.failures import Failures
from proctor.worlds.adversity.injection import Injection
from proctor.worlds.adversity.layer import Layer, Stack
from proctor.worlds.adversity.noise import ObservationNoise
from proctor.worlds.adversity.partial_errors import PartialErrors
from proctor.worlds.adversity.perturbation import Perturbation
from proctor.worlds.adversity.rate import RateLimit
from proctor.worlds.adversity.scope import Scope
from proctor.worlds.adversity.timeouts import Timeouts

_CACHE_SIZE = 256
_cache: dict[tuple[int, str], tuple[Regime, Stack]] = {}


def stack_for(regime: Regime, *, canary: str = "") -> Stack:
    """The layers this regime asks for; empty for one that asks for none. The same regime object gives the same stack.

    `canary` is the task's: injected instructions ask for it by its first characters.
    """
    key = (id(regime), canary)
    kept = _cache.get(key)
    # Regimes are kept alive here, so an id cannot come to mean another regime.
    if kept is not None:
        return kept[1]
    stack = Stack.of(_layers(regime, canary))
    if len(_cache) >= _CACHE_SIZE:
        _cache.clear()
    _cache[key] = (regime, stack)
    return stack


def _layers(regime: Regime, canary: str) -> list[Layer]:
    action, stability = regime.action, regime.stability
    noise, drift = stability.noise, stability.drift
    layers: list[Layer] = []
    if action.scope is not None:
        layers.append(Scope(action.scope))
    if action.rate is not None:
        layers.append(RateLimit(action.rate))
    if stability.timeouts:
        layers.append(Timeouts(stability.timeouts, stability.timeout_milliseconds))
    if stability.failures:
        layers.append(Failures(stability.failures))
    if regime.adversary.injection:
        layers.append(Injection(regime.adversary.injection, canary))
    if noise is not None and ((noise.share and noise.kinds) or noise.distractors or noise.conflicts):
        layers.append(ObservationNoise(noise))
    if stability.perturbation:
        layers.append(Perturbation(stability.perturbation))
    if drift is not None and (drift.milliseconds or drift.rename):
        layers.append(Drift(drift))
    if regime.information.context_cut:
        layers.append(ContextCut(regime.information.context_cut))
    if stability.partial_errors:
        layers.append(PartialErrors(stability.partial_errors))
    return layers
