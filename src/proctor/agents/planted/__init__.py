"""Agents with known, planted abilities, to test whether instruments find them: `graded`, `irt`, `mechanism`, `decider`.

They are given the family's own solver, and say so wherever a result of theirs appears. None of them sees an answer as
such: a solver is run, or left alone, or run through a session that does less than it should.
"""
