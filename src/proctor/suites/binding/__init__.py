"""Causal state binding: probes in which one field of the shown state prescribes the right action."""
