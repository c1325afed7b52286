"""Chat models: one contract, and the kinds that ship with it."""
