"""The checks of a family, one subject a file. Each has `CHECK`, what it proves, and `check`, which looks."""
