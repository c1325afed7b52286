"""Worlds: the environment of one episode, with tools on real or in-memory state and a verifier that looks at it.

Also here: the sandbox that contains other people's commands, and the adversity that a regime puts between agent and
world.
"""
