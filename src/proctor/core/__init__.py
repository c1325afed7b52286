"""Canonical bytes, hashes, seeded streams, logical time, abilities and errors: what everything else is built on.

Imports nothing else of Proctor.
"""
