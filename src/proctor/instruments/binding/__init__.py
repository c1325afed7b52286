"""The binding instrument: does the state that should control an action control it?

`instrument` gives the reading; `table` turns rows into columns; every other file answers one question about them:
scores, inference, gates, audits.
"""
