"""Tiers 1 to 6 (white paper §12): gates as data, what was found at each, and the tier they allow."""
