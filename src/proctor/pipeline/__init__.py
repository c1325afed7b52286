"""From a finished run to a decision: seven stages, baselines, governed changes and the ledger.

The pipeline measures nothing itself; instruments do, and it records what they found and what follows.
"""
