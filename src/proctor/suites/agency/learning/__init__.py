"""Learning & Adaptation (L): whether experience changes later behaviour, on what was never seen before.

One family a level: hints within an episode (L1), a house language for code (L2), customers with wishes of their own
(L3), an undocumented interface in two versions (L4), five crafts in a row (L5). Tier 2 asks for a second one of L2: the
treatments of an assay house. What is taught is drawn from the lifetime's shared stream: it can be learned there and
nowhere else.
"""
