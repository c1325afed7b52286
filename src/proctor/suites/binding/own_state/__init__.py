"""Probes for agents that keep named state of their own."""

from proctor.suites.binding.own_state.family import family

__all__ = ["family"]
