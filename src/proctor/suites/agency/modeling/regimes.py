"""The regimes with numbers of their own that Appendix B gives to cells of this dimension; suites declare the same.

`drift-5-15` (B.3.4): after six orders the service needs fifteen seconds for an answer instead of five; whoever waits
less waits in vain. `counterfactual-10s` (B.3.5): ten seconds to think, and no more calls than a careful agent needs.
"""

from __future__ import annotations

from proctor.spec.regime import Action, Compute, Drift, Intensity, Regime, Stability

DRIFT_5_15 = Regime(
    id="drift-5-15",
    intensity=Intensity.MODERATE,
    stability=Stability(
        drift=Drift(after_calls=6, tool="send_order", milliseconds=15_000, waits="wait_seconds"),
    ),
)
COUNTERFACTUAL_10S = Regime(
    id="counterfactual-10s",
    intensity=Intensity.SEVERE,
    action=Action(cap="strict"),
    compute=Compute(milliseconds=10_000),
)
