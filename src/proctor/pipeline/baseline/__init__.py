"""Accepted runs that later ones are compared with: the file, accepting it, finding the one in force, raising it."""
