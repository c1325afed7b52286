"""The built-in suites and their families: each family a small package, each suite versioned data beside its families.

`kit` has what families share.
"""
