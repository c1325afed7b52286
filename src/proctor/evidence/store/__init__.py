"""The store: one SQLite file by default, one schema for every server."""
