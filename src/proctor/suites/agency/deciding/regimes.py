"""The regime with numbers of its own that Appendix B gives to a cell of this dimension; suites declare the same.

`actions-25-5min` (B.4.5): twenty-five calls of any kind, five minutes. Strict caps and nothing else: no noise, no
faults.
"""

from __future__ import annotations

from proctor.spec.regime import Action, Compute, Intensity, Regime

ACTIONS_25_5MIN = Regime(
    id="actions-25-5min",
    intensity=Intensity.SEVERE,
    action=Action(cap=25),
    compute=Compute(milliseconds=300_000),
)
