"""Worlds: the environment of one episode, its tools on real or in-memory state, and the adversity put between."""
