"""Tests that need a user without root's rights."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import join, quote


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


PLAIN_USER = 65534


def as_plain_user(command: Sequence[str], shown: Iterable[Path]) -> list[str]:
    """The command line that runs a command as a plain user who can reach these folders, even below a closed one.

    To be started by root. In a mount namespace of its own, the outermost closed folder above each is replaced by one
    that shows nothing but the way there.
    """
    ways: dict[Path, set[Path]] = {}
    for folder in {path.resolve() for path in shown} | {path.absolute() for path in shown}:
        closed = [above for above in folder.parents if not above.stat().st_mode & 0o001]
        if closed:
            ways.setdefault(closed[-1], set()).add(folder)
    steps = ["set -e", "stage=$(mktemp -d)", "mount -t tmpfs none $stage"]
    for number, folder in enumerate(folder for inside in ways.values() for folder in sorted(inside)):
        steps += [f"mkdir $stage/{number}", f"mount --bind {quote(str(folder))} $stage/{number}"]
    steps += [f"mount -t tmpfs -o mode=755 none {quote(str(closed))}" for closed in ways]
    for number, folder in enumerate(folder for inside in ways.values() for folder in sorted(inside)):
        steps += [f"mkdir -p {quote(str(folder))}", f"mount --bind $stage/{number} {quote(str(folder))}"]
    steps += ["umount -R $stage", "rmdir $stage", 'cd "$PWD"']
    user = f"setpriv --reuid={PLAIN_USER} --regid={PLAIN_USER} --clear-groups"
    steps.append(f"exec {user} {join(command)}")
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(steps)]
