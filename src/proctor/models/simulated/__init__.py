"""Simulated chat models with planted binding: they read the bytes of a prompt, and nothing else."""
