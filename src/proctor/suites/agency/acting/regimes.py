"""The regimes with numbers of their own that Appendix B gives to cells of this dimension; suites declare the same.

`operations-10` (B.5.3): at most ten operations, a timeout on one call in ten. `failures-20` (B.5.4): tools fail one
time in five. `lab-70` (B.5.5): five actions, ten minutes, equipment that works seven times in ten.
"""

from __future__ import annotations

from proctor.spec.regime import Action, Compute, Intensity, Regime, Stability

OPERATIONS_10 = Regime(
    id="operations-10",
    intensity=Intensity.MODERATE,
    action=Action(cap=10),
    stability=Stability(timeouts=0.10),
)
FAILURES_20 = Regime(
    id="failures-20",
    intensity=Intensity.MODERATE,
    stability=Stability(failures=0.20),
)
LAB_70 = Regime(
    id="lab-70",
    intensity=Intensity.SEVERE,
    action=Action(cap=5),
    compute=Compute(milliseconds=600_000),
    stability=Stability(failures=0.30),
)
