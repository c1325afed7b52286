"""The command line in a process of its own that need not import other people's packages first.

A command takes a second of a core to import SciPy, statsmodels, SQLAlchemy and the like before it does anything, and
the tests start hundreds. Here one interpreter, `interpreter.py`, has imported those packages and nothing of Proctor;
every command is forked from it, gets the caller's descriptors, folder and environment, and imports Proctor itself.

What depends on how an interpreter is started (its flags, what it has not imported, its place in the process tree)
needs a command started for real: `tests.e2e.command.PROCTOR`.
"""
