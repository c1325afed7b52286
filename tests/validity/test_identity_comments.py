"""Tidying up changes no identity: with a comment in every file, or a variable renamed, every hash and root stays."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.validity.mutations import rename
from tests.validity.source_copy import Frozen, Part, SourceCopy

COMMENT = "\n# Nothing depends on this line.\n"
RENAMED = (
    ("suites/kit/answers.py", "verify_answer", "given", "handed_in"),
    ("suites/hello/track/ledger.py", "_totals", "total", "together"),
    ("suites/agency/learning/code_lock/world.py", "attempt", "read", "entered"),
    ("worlds/answers/reading.py", "_list", "values", "elements"),
    ("worlds/adversity/drift.py", "_object", "hit", "struck"),
    ("worlds/decision/comparator.py", "_safety", "thin", "incomplete"),
    ("worlds/choice/canonicaliser.py", "codes_in", "codes", "named_codes"),
    ("engine/session.py", "_record", "event", "entry"),
    ("engine/recording.py", "row_of", "verification", "judged"),
    ("core/seeds.py", "sample", "pool", "remaining"),
)
"""File, function, local variable, and another name for it."""

CHEAP = Part("hello", ("extract", "track"))
OTHERS = (
    Part("hello"),
    Part("agency-quick", ("ticket-routing", "file-creation", "database-transaction")),
    Part("agency", ("code-lock", "coding-patterns")),
    Part("agency", ("code-deployment",)),
    Part("binding-quick@1.0"),
    Part("quality", ("service",)),
)
"""All six small families; worlds in memory, of files and of SQL; families that teach; git in a sandbox; and so on."""


class Copies:
    """The sources as they are, with a comment in every file, and with variables renamed."""

    def __init__(self, folder: Path) -> None:
        self._as_is, self._commented, self._renamed = (
            SourceCopy(folder / name) for name in ("as-is", "commented", "renamed")
        )
        for path in self._commented.package.rglob("*.py"):
            file = str(path.relative_to(self._commented.package))
            self._commented.write(file, self._commented.text(file) + COMMENT)
        for file, function, old, new in RENAMED:
            self._renamed.write(file, rename(self._renamed.text(file), function, old, new))

    def frozen(self, part: Part) -> list[Frozen]:
        """What a run of a part comes to with each of them, the unchanged one first."""
        return [copy.freeze(part, lives=True) for copy in (self._as_is, self._commented, self._renamed)]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Copies:
    return Copies(tmp_path_factory.mktemp("copies"))


def check(copies: Copies, part: Part) -> None:
    as_is, commented, renamed = copies.frozen(part)
    assert as_is.root is not None, as_is.refused
    assert commented == as_is
    assert renamed == as_is


def test_two_families_keep_hash_and_root(copies: Copies) -> None:
    check(copies, CHEAP)


@pytest.mark.slow
@pytest.mark.parametrize("part", OTHERS, ids=lambda part: part.label)
def test_every_kind_of_family_keeps_hash_and_root(copies: Copies, part: Part) -> None:
    if "code-deployment" in part.only and os.environ.get("CI") != "true" and shutil.which("bwrap") is None:
        pytest.skip("git in a sandbox needs bubblewrap")
    check(copies, part)
