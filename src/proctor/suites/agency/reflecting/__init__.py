"""Reflection (Tier 4): knowing what one knows, and choosing the way of working that suits.

One family for calibration (`known-unknowns`), two for meta-control (`batch-or-single`, `timely-check`). All three are
texts of single sentences in one of eight forms (`frames`), read as in other text families; none of the sentences that
decide has one wording or one place.
"""
