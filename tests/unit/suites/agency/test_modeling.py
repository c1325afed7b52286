"""The five families of Modeling Capacity: what each must show before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec
import pytest

from proctor.conformance.family import check_family
from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family
from proctor.spec.regime import STANDARD_REGIMES, Intensity, Regime
from proctor.spec.task import Instance
from proctor.suites.agency.modeling.regimes import COUNTERFACTUAL_10S, DRIFT_5_15

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE, MODERATE, SEVERE = (STANDARD_REGIMES[name] for name in ("baseline", "moderate-standard", "severe-standard"))
REGIMES: dict[str, tuple[Regime, ...]] = {
    "inventory": (BASELINE, MODERATE, SEVERE),
    "account_transactions": (BASELINE, MODERATE, SEVERE),
    "strategy_choice": (BASELINE, MODERATE),
    "api_drift": (BASELINE, DRIFT_5_15),
    "emergency_planning": (BASELINE, COUNTERFACTUAL_10S),
}
LEVELS = dict(zip(REGIMES, ("M1", "M2", "M3", "M4", "M5"), strict=True))


def named(name: str) -> Family:
    found: Family = import_module(f"proctor.suites.agency.modeling.{name}").family
    return found


@pytest.fixture(params=sorted(REGIMES))
def name(request: pytest.FixtureRequest) -> str:
    """Each family in turn, by folder."""
    return str(request.param)


def test_regimes_have_the_numbers_of_the_appendix() -> None:
    drift = DRIFT_5_15.stability.drift
    assert drift is not None
    assert (drift.milliseconds, DRIFT_5_15.intensity, DRIFT_5_15.axes) == (15_000, Intensity.MODERATE, ("stability",))
    assert COUNTERFACTUAL_10S.compute.milliseconds == 10_000
    assert COUNTERFACTUAL_10S.intensity is Intensity.SEVERE
    assert COUNTERFACTUAL_10S.axes == ("action", "compute")
