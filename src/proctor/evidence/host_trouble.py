"""The numbers by which a host says that it is in trouble, by name: all that excuses an episode for its machine's sake.

Any other number says something about a path or a name.
"""

from __future__ import annotations

from typing import Final

HOST_TROUBLE: Final = frozenset(
    {
        "ENOSPC",
        "EDQUOT",
        "EIO",
        "EMFILE",
        "ENFILE",
        "ENOMEM",
        "EROFS",
        "EAGAIN",
        "ENOBUFS",
        "ESTALE",
        "ENODEV",
        "ENXIO",
    }
)
