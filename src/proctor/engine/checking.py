"""What verification is handed from the engine, by name: whoever only passes it on need not load it."""

from __future__ import annotations

from typing import Final

ORDER: Final = "proctor.engine.plan:Plan"
"""Makes the order of presentation."""
TASKS: Final = "proctor.engine.tasks_again:TasksAgain"
"""Makes the tasks again."""
