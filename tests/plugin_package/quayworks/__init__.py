"""Everything that can be added to Proctor, once each: a module for each entry point of `pyproject.toml`."""
