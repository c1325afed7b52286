"""Instruments: pure functions from evidence and rules to readings.

They never import the engine, agents, worlds or suites, so that evidence from another machine is read the same way.
"""
