"""Agents: the contract, the built-in agents, and the transports that reach agents in processes of their own."""
