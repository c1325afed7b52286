"""The regime with numbers of its own in this dimension; suites declare the same.

`severe-caps` (G2-5): the strict action cap of the instance, ten minutes, three calls in ten that time out, and 10 % of
the lines of each reading altered. Where `severe-standard` takes away what is seen, this takes away what can be done.
Within the cap built-in agents cannot use up the time; a slow model can.
"""

from __future__ import annotations

from proctor.spec.regime import Action, Compute, Intensity, Noise, Regime, Stability

SEVERE_CAPS = Regime(
    id="severe-caps",
    intensity=Intensity.SEVERE,
    action=Action(cap="strict"),
    compute=Compute(milliseconds=600_000),
    stability=Stability(noise=Noise(share=0.10), timeouts=0.30),
)
