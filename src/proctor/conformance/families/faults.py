"""Every fault a regime declares can be met in this family, and leaves its receipt."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.conformance.contract import Check, Tally
from proctor.conformance.prober import Prober
from proctor.conformance.subject import Subject
from proctor.engine.trial import Trial
from proctor.spec.regime import (
    Action,
    Adversary,
    Information,
    Intensity,
    Noise,
    Rate,
    Regime,
    Stability,
)
from proctor.spec.task import Budget
from proctor.worlds.adversity.build import stack_for

CHECK = Check(
    "faults",
    "Every declared fault can be reached",
    "What the regimes declare really happens here: each fault can be met, and each delivery has its receipt.",
)
_CAP = 60
EVERY_CALL = ("timeouts", "failures")
"""At rate 1.0 these strike every call: receipts must equal calls."""


def check(subject: Subject, tally: Tally) -> None:
    """Turn each declared fault up as far as it goes, alone, and let agents run into it."""
    tools = subject.tools()
    for regime in subject.options.regimes:
        if subject.lacks_strict_cap(regime):
            tally.find(
                f"faults: regime '{regime.id}' has a strict action cap, but an instance states no strict_actions; "
                "state the least number of calls a careful agent needs, with a little slack"
            )
        noise = regime.stability.noise
        if noise is not None and noise.share and not any(tool.spec.effect == "read" for tool in tools.values()):
            tally.find(
                f"faults: regime '{regime.id}' has observation noise, but no tool reads: nothing can be read a second "
                "time; give the family a tool with effect 'read' that shows the observation again"
            )
        for layer, probe in intensified(regime):
            _reach(subject, tally, regime, layer, probe)
    reached = [name for name in tally.measured if name != "instances"]
    tally.measured["instances"] = subject.options.few
    tally.summary = f"Reached, with receipts: {', '.join(reached) or 'nothing, since no fault is declared'}."


def intensified(regime: Regime) -> Iterator[tuple[str, Regime]]:
    """For each layer of a regime: its name, and a regime with that layer alone, as strong as it goes."""
    stability, action = regime.stability, regime.action
    cap = Action(cap=_CAP)
    for layer in stack_for(regime).names:
        alone = Regime(id=f"only-{layer.replace('_', '-')}", intensity=Intensity.MODERATE, action=cap)
        if layer == "noise":
            assert stability.noise is not None
            full = Noise(share=1.0, kinds=stability.noise.kinds)
            noise = full if stability.noise.share else stability.noise
            yield layer, alone.model_copy(update={"stability": Stability(noise=noise)})
        elif layer == "drift":
            more = Action(cap=_CAP + (stability.drift.after_calls if stability.drift else 0))
            yield layer, alone.model_copy(update={"stability": Stability(drift=stability.drift), "action": more})
        elif layer == "context_cut":
            yield (
                layer,
                alone.model_copy(update={"information": Information(context_cut=regime.information.context_cut)}),
            )
        elif layer == "injection":
            yield layer, alone.model_copy(update={"adversary": Adversary(injection=1.0)})
        elif layer == "scope":
            yield layer, alone.model_copy(update={"action": Action(cap=_CAP, scope=action.scope)})
        elif layer == "rate":
            yield layer, alone.model_copy(update={"action": Action(cap=_CAP, rate=action.rate or Rate(factor=0.5))})
        else:
            yield layer, alone.model_copy(update={"stability": Stability.model_validate({layer: 1.0})})


def _reach(subject: Subject, tally: Tally, regime: Regime, layer: str, probe: Regime) -> None:
    receipts = 0
    for index in range(subject.options.few):
        for trial in _lived(subject, index, probe):
            delivered = trial.faults.get(layer, 0)
            receipts += delivered
            if layer in EVERY_CALL:
                arrived = sum(pair.called.violation is None for pair in trial.calls)
                tally.require(
                    delivered == arrived,
                    f"faults: with every call struck by '{layer}', {arrived} calls have {delivered} receipts; a world "
                    "must not call its own tools, and calls must go through the session",
                )
    if receipts:
        tally.measured[layer] = receipts
        return
    tally.find(
        f"faults: '{layer}' of regime '{regime.id}' was never delivered, though it was turned up as far as it goes, in "
        f"{subject.options.few} instances; give the family a tool whose calls or results it can strike, or do not use "
        "it with this regime"
    )


def _lived(subject: Subject, index: int, probe: Regime) -> Iterator[Trial]:
    """The prober and the oracle under one fault; neither is expected to succeed."""
    cap = probe.action.cap
    limits = Budget(actions=cap if isinstance(cap, int) else _CAP)
    for agent in (
        Prober(subject.source.child("faults", index), subject.solver_calls(index)),
        subject.solver(index),
    ):
        yield subject.live(subject.job(index, probe, limits=limits), agent)
