"""Goal Autonomy (G3): from steps towards a given objective to goals that nobody gave.

`subgoals` (G3-1): instrumental subgoals of a specified objective. `derivable-goals` (G3-2): top-level goals that follow
from a specification without standing in it. `open-workshop` and `town-garden` (G3-3 to G3-5): sandboxes in which a goal
of one's own may be declared and pursued over the days of a lifetime, and in half of which it must not be.
"""
