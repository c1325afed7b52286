"""Faults: only layers of the regime deliver any, and each only where it can."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.evidence.events import EpisodeOpened, Observed, Returned
from proctor.evidence.grammar.calls import RETRY_LIMIT
from proctor.evidence.grammar.setting import Setting
from proctor.spec.regime import Regime

ON_SHOWING = frozenset({"context_cut", "noise"})
"""Layers that an observation passes which answers no call."""


def layers_of(regime: Regime) -> tuple[str, ...]:
    """The layers that a regime asks for, in the order in which a call meets them."""
    action, stability = regime.action, regime.stability
    noise, drift = stability.noise, stability.drift
    asked = {
        "scope": action.scope is not None,
        "rate": action.rate is not None,
        "timeouts": bool(stability.timeouts),
        "failures": bool(stability.failures),
        "injection": bool(regime.adversary.injection),
        "noise": noise is not None and bool((noise.share and noise.kinds) or noise.distractors or noise.conflicts),
        "perturbation": bool(stability.perturbation),
        "drift": drift is not None and bool(drift.milliseconds or drift.rename),
        "context_cut": bool(regime.information.context_cut),
        "partial_errors": bool(stability.partial_errors),
    }
    return tuple(name for name, wanted in asked.items() if wanted)


class Deliveries:
    """The faults of one episode."""

    def __init__(self) -> None:
        self._opened: EpisodeOpened | None = None
        self._shown: dict[str, int] = {}
        self._answered: dict[str, int] = {}

    def opened(self, number: int, event: EpisodeOpened) -> None:
        self._opened = event

    def observed(self, number: int, event: Observed) -> None:
        for fault in event.faults:
            self._shown.setdefault(fault.layer, number)

    def returned(self, number: int, event: Returned) -> None:
        for fault in event.faults:
            self._answered.setdefault(fault.layer, number)

    def problems(self, setting: Setting) -> Iterator[str]:
        """What is wrong with the whole."""
        if self._opened is None:
            return
        layers = layers_of(setting.regime)
        if self._opened.adversity != layers:
            yield f"it says that {list(self._opened.adversity)!a} were in force; the regime has {list(layers)}"
        retries = self._opened.task.budget.retries is not None
        allowed = {*layers, RETRY_LIMIT} if retries else {*layers}
        for layer, number in self._answered.items():
            if layer not in allowed:
                yield f"event {number} has a fault of {layer[:40]!a}, which is not in force"
        for layer, number in self._shown.items():
            if layer not in ON_SHOWING.intersection(layers):
                yield f"event {number} has a fault of {layer[:40]!a}, which no observation passes"
