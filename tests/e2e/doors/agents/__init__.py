"""The clerk behind each door. Copied beside a copy of its own modules, with imports to match: see `kit`."""
