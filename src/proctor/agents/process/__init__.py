"""Agents that live in a process of their own, confined: `python:` and `cmd:`."""
