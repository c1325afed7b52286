"""What a family may require of the machine, and the sentence said where it is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from proctor.core.errors import NotEvaluable

_ADVICE = {
    "bubblewrap": ("bwrap", "bubblewrap is not installed; on Debian or Ubuntu: apt-get install bubblewrap"),
    "git": ("git", "git is not installed; on Debian or Ubuntu: apt-get install git"),
}


def require(names: Iterable[str]) -> None:
    """Raise `NotEvaluable` with a clear sentence if something is missing."""
    for name in names:
        program, advice = _ADVICE[name]
        if shutil.which(program) is None:
            raise NotEvaluable(advice)
