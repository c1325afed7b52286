"""The regimes with numbers of their own that Appendix B gives to cells of this dimension; suites declare the same.

`ocr-15` (B.2.4): of every reading 15 % of the characters are wrong in all. Most of that is on paper already (the
family `ocr-invoices` draws it as part of the scan); the bench's own noise strikes 15 % of the lines of each reading on
top, and adds irrelevant and contradicting fields. `queries-3-30s` (B.2.5): three calls of reading tools, thirty
seconds.
"""

from __future__ import annotations

from proctor.spec.regime import Compute, Information, Intensity, Noise, Regime, Stability

OCR_15 = Regime(
    id="ocr-15",
    intensity=Intensity.MODERATE,
    stability=Stability(noise=Noise(share=0.15, kinds=("characters",), distractors=2, conflicts=1)),
)
QUERIES_3_30S = Regime(
    id="queries-3-30s",
    intensity=Intensity.SEVERE,
    information=Information(queries=3),
    compute=Compute(milliseconds=30_000),
)
