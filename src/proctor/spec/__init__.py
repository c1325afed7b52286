"""Declarations and values: frozen data that says what is evaluated, how, and by which rules. No behaviour."""
