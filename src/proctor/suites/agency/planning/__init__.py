"""Planning ahead: tasks whose reward comes several actions after the choice that earns it (Tier 3, white paper §12.6).

What decides a choice is read beforehand, card by card, and put away with the first step: nobody can look again. The
gain that a choice brings at once says nothing of the reward that it brings later.
"""
