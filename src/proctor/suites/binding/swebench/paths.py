"""What a predicted path may be: an implementation file of this repository, and nothing else.

A test path is a folder named test, tests or testing, or a file `test_*.py`, `*_test.py`, `tests.py`, `conftest.py`. A
rule on substrings would reject every implementation file of pytest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "testing"})
_TEST_FILE = re.compile(r"^(test_.*|.*_test|tests|conftest)\.py$")

VIOLATIONS = ("nonexistent_path", "other_repository", "test_only", "empty", "scrambled_following")
"""The hard violations, in the order they are looked for."""


def is_test(path: str) -> bool:
    """Whether a path belongs to a project's tests."""
    pure = PurePosixPath(path)
    return bool(_TEST_FOLDERS.intersection(pure.parts[:-1])) or _TEST_FILE.match(pure.name) is not None


def cleaned(path: str, tree: Collection[str] = ()) -> str:
    """A path as people and models write it, brought to the form of the file list.

    The `a/` and `b/` of a diff are taken off only where that makes it a file of the tree.
    """
    text = path.strip().strip("`'\"").replace("\\", "/").removeprefix("./").removeprefix("/")
    bare = text.removeprefix("a/") if text.startswith("a/") else text.removeprefix("b/")
    return bare if text not in tree and bare in tree else text


def violations(
    files: Sequence[str], *, tree: Collection[str], elsewhere: Collection[str], scrambled: Collection[str]
) -> tuple[str, ...]:
    """The hard violations of a prediction.

    `tree` holds the repository's paths, `elsewhere` paths of other repositories of the dataset; `scrambled` is the
    state of another issue that was shown in place of this one's, empty where none was. Following it means that every
    predicted file comes from there.
    """
    if not files:
        return ("empty",)
    codes: list[str] = []
    missing = [path for path in files if path not in tree]
    if any(path in elsewhere for path in missing):
        codes.append("other_repository")
    if any(path not in elsewhere for path in missing):
        codes.append("nonexistent_path")
    if all(is_test(path) for path in files):
        codes.append("test_only")
    if scrambled and all(path in scrambled for path in files):
        codes.append("scrambled_following")
    return tuple(codes)
