"""Confined Python agents without a sandbox start for each: lifetimes are forked from an interpreter that is warm.

As root, one sandbox per worker and agent holds a *zygote*: a Python of the bench's own, with the bench's `inside` and
part of the standard library imported and nothing of the user's. It forks once per lifetime. The fork moves into
namespaces, file systems, a user id, limits and the filter of its own, and only then loads the agent. What the agent
finds there is what it finds in a sandbox of its own.

`prefork=yes` is another thing and is labelled: there the user's module is loaded first, inside full confinement, and
lifetimes are forked from it. They share what that sandbox has.
"""
