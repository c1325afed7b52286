"""Agents of at most a hundred lines that understand nothing: they must not pass the gates of higher tiers."""
