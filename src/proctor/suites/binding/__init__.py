"""Causal state binding: probes whose right action is prescribed by one field of the state that is shown."""
