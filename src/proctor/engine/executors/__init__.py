"""Executors: where lifetimes are lived. They change how fast a run goes, never what it records."""
