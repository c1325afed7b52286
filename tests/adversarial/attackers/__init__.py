"""One module an attacker, each with `attack(attempts, seed) -> Tally`; `tests.adversarial.__main__` lists them."""
