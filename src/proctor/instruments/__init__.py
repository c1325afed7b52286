"""Instruments: pure functions from evidence and rules to readings. Never import engine, agents or worlds."""
