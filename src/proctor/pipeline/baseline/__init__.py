"""Accepted runs that later ones are compared with: the file, who accepts it, which one is in force, when it rises."""
