"""Built-in families and suites: each family a small package, each suite versioned data beside its families."""
