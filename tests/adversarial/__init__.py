"""Standing attackers: each tries to change a result, take a run down or get out, and counts how often it managed."""
