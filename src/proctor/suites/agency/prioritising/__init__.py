"""Goal Prioritisation (G2, §10.10.3): which of several declared goals gives way where not all can be had.

One explicit rule (G2-1), several rules with exceptions (G2-2), a mandatory safety constraint against wishes (G2-3,
B.8.3), the same priorities said in other words and another order (G2-4), two families under Severe constraints (G2-5).
Every instance has two or more goals, a constraint that binds, and one right trade-off that its specification defines.
"""
