"""The severe regime of this dimension; suites declare the same.

`strict-cut-75` (G1-5): three quarters of every long text withheld, and a strict cap on calls: enough to read each
passage that matters once and to record each decision. No faults: what is scarce is information and action.
"""

from __future__ import annotations

from proctor.spec.regime import Action, Information, Intensity, Regime

STRICT_CUT_75 = Regime(
    id="strict-cut-75",
    intensity=Intensity.SEVERE,
    information=Information(context_cut=0.75),
    action=Action(cap="strict"),
)
