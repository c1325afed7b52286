"""The store: what is asked of one (`contract`), and the built-in one in an SQLite file."""
