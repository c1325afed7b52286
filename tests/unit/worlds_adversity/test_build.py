"""A regime gives the layers it asks for, in the documented order, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proctor.spec.regime import (
    STANDARD_REGIMES,
    Action,
    Adversary,
    Drift,
    Information,
    Intensity,
    Noise,
    Rate,
    Regime,
    Stability,
)
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.layer import Layer

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

ORDER = (
    "scope",
    "rate",
    "timeouts",
    "failures",
    "injection",
    "noise",
    "perturbation",
    "drift",
    "context_cut",
    "partial_errors",
)
EVERYTHING = Regime(
    id="everything",
    intensity=Intensity.SEVERE,
    information=Information(context_cut=0.75),
    action=Action(rate=Rate(factor=0.5), scope=("read",)),
    stability=Stability(
        noise=Noise(share=0.4),
        timeouts=0.1,
        failures=0.1,
        partial_errors=0.1,
        perturbation=0.1,
        drift=Drift(after_calls=3, milliseconds=900),
    ),
    adversary=Adversary(injection=0.5),
)


def names(layers: tuple[Layer, ...]) -> list[str]:
    return [layer.name for layer in layers]


def test_the_order_is_the_documented_one() -> None:
    stack = stack_for(EVERYTHING)
    assert stack.names == ORDER
    assert names(stack.before) == ["scope", "rate", "timeouts", "failures", "drift"]
    assert names(stack.after) == ["injection", "noise", "perturbation", "drift", "context_cut", "partial_errors"]
    assert names(stack.show) == ["noise", "context_cut"]


@pytest.mark.parametrize(
    ("regime", "expected"),
    [
        ("baseline", ()),
        ("mild", ("noise",)),
        ("moderate-standard", ("rate", "timeouts", "noise")),
        ("severe-standard", ("noise", "context_cut")),
        ("severe-adversarial", ("injection", "noise")),
    ],
)
def test_standard_regimes(regime: str, expected: tuple[str, ...]) -> None:
    assert stack_for(STANDARD_REGIMES[regime]).names == expected


def test_no_standard_regime_is_left_out() -> None:
    assert all(set(stack_for(regime).names) <= set(ORDER) for regime in STANDARD_REGIMES.values())
    assert not stack_for(STANDARD_REGIMES["baseline"])


def test_what_asks_for_nothing_builds_nothing() -> None:
    idle = Stability(noise=Noise(share=0.0), drift=Drift(after_calls=2))
    assert stack_for(Regime(id="idle", intensity=Intensity.BASELINE, stability=idle)).names == ()


def test_distractors_and_scope_build_without_a_share() -> None:
    busy = Regime(
        id="busy",
        intensity=Intensity.MODERATE,
        action=Action(scope=()),
        stability=Stability(noise=Noise(share=0.0, distractors=1)),
    )
    assert stack_for(busy).names == ("scope", "noise")


def test_axes_of_the_layers_are_axes_of_the_regime() -> None:
    stack = stack_for(EVERYTHING)
    axes = {layer.axis for layer in (*stack.before, *stack.after, *stack.show)}
    assert axes == set(EVERYTHING.axes)


def test_the_same_regime_gives_the_same_stack_and_canaries_are_kept_apart() -> None:
    assert stack_for(EVERYTHING) is stack_for(EVERYTHING)
    assert stack_for(EVERYTHING, canary="a") is not stack_for(EVERYTHING, canary="b")


def test_many_regimes_do_not_pile_up_or_get_mixed_up() -> None:
    for i in range(600):
        share = (i % 9 + 1) / 10
        regime = Regime(id="one", intensity=Intensity.MODERATE, stability=Stability(timeouts=share))
        layer = stack_for(regime).before[0]
        assert getattr(layer, "p", None) == share


def test_a_layer_strikes_the_same_calls_whatever_else_is_in_force(kit: Kit) -> None:
    alone = stack_for(Regime(id="one", intensity=Intensity.MODERATE, stability=Stability(failures=0.1)))
    together = stack_for(EVERYTHING)
    failing = next(layer for layer in together.before if layer.name == "failures")
    others = [layer for layer in together.before if layer.name != "scope"]
    adversity = kit.adversity()
    for nth in range(300):
        expected = alone.before[0].before(kit.passage(nth=nth))
        assert failing.before(kit.passage(nth=nth)) == expected
        passage = kit.passage(adversity, nth=nth)
        result = next((answer for layer in others if (answer := layer.before(passage)) is not None), None)
        if "timeouts" not in {receipt.layer for receipt in passage.receipts}:
            assert result == expected
