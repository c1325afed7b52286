"""The one door through which families, agents, suites and instruments come in, ours and everybody's."""
