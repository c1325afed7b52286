"""The checks of a family, one file per subject. Each has `CHECK`, what it proves, and `check`, which runs it."""
