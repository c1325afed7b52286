"""Agents without hidden knowledge: they see tasks and observations, as any agent under examination does."""
