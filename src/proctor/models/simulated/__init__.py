"""Simulated chat models with planted binding. They read the bytes of a prompt and nothing else."""
