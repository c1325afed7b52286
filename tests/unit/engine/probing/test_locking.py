"""`proctor lock` where the machine lacks what a family needs: nothing is made up, and that is said."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from proctor.core.errors import NotEvaluable
from proctor.engine.probing import locking
from proctor.engine.probing.lock import read_lock
from proctor.plugins import registry

GIT = "git is not installed"


def without_git(requires: Iterable[str]) -> None:
    if "git" in requires:
        raise NotEvaluable(GIT)


def test_what_cannot_be_measured_keeps_its_entry_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = registry.names("families")
    monkeypatch.setattr(registry, "names", lambda group: ["code-deployment"] if group == "families" else names)
    monkeypatch.setattr(locking, "require", without_git)
    monkeypatch.setattr(locking, "measured_entry", lambda *_: pytest.fail("nothing can be measured here"))
    monkeypatch.setattr(locking, "_bench", lambda before, **_: (before.bench, []))
    update = locking.relock()
    before = read_lock().families["code-deployment@1.0"]
    assert update.not_measured == (f"code-deployment@1.0: not measured: {GIT}",)
    assert update.lock.families == {"code-deployment@1.0": before}
    assert not update.changed
