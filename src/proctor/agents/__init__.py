"""Agents: the contract, the built-in ones, and the transports that reach a stranger's."""
