"""Adversity: declared in a regime, seeded, delivered, and recorded when delivered. One small file per layer.

`build` makes the layers of a regime, in their order.
"""
