"""A comparison of runs for people: in the terminal, in a pull request, on a page."""
