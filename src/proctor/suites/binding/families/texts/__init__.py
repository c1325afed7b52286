"""The texts of the four-code families, one module each."""
