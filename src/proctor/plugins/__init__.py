"""Finding families, agents, suites, instruments and the rest by name, Proctor's own and everybody else's alike.

Nothing is imported before its name is used.
"""
