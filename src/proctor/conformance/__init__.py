"""Checks that any family, agent, instrument or suite can be put through, ours and everybody's."""
