"""Adversity: declared, seeded, delivered, receipted. One small file a layer; `build` makes a regime's stack."""
