"""Agents that speak the Agent Client Protocol: coding agents, driven as an editor drives them."""
