"""Families in which an agent changes the way it works, and the change has to show (white paper §12.9)."""
