"""Agents that run in a sandboxed process of their own: `python:` and `cmd:`."""
