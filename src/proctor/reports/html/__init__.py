"""The HTML page: one self-contained file, readable without scripts, in light and dark, on a phone and on paper."""
