"""What a family may require of the machine, and the sentence said where it is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from proctor.core.errors import NotEvaluable


def require(names: Iterable[str]) -> None:
    """Raise `NotEvaluable` with a clear sentence if something is missing or does not work here."""
    for name in names:
        if name == "bubblewrap":
            from proctor.worlds import sandbox

            sandbox.require()
        elif shutil.which(name) is None:
            message = f"{name} is not installed; on Debian or Ubuntu: apt-get install {name}"
            raise NotEvaluable(message)
