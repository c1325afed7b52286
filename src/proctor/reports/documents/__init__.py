"""The documents that a claim is published with: the Agency Card and the Technical Report (white paper §13)."""
