"""The page: one file that needs nothing else, readable without scripts, in light and dark, on a phone and on paper."""
