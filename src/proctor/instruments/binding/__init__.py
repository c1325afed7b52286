"""Does the state that should control the action control it? Scores, inference, gates and audits of binding probes.

`instrument` gives the reading; `table` turns rows into columns, and every other file is one question asked of them.
"""
