"""Honesty of the model checks: every built-in passes, and each mutant fails its own check."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.models.loopback import completion, serving

from proctor.conformance import MODEL_CHECKS, check_model, model
from proctor.conformance.entry import check_named
from proctor.models.contract import ModelCall, ModelKind, Reply, Request
from proctor.models.local import bundled_model
from proctor.models.scripted import Scripted


def test_what_needs_nothing_passes_everything(tmp_path: Path) -> None:
    (tmp_path / "replies.json").write_text(json.dumps(["yes"]))
    for text in ("simulated,reason=.5", "scripted:replies.json"):
        report = check_named(text, folder=tmp_path)
        assert [result.status for result in report.results] == ["passed"] * len(MODEL_CHECKS), text


def test_a_model_behind_http_passes_what_can_be_measured(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 8, "total_tokens": 13}
    with serving(lambda *_: completion("yes", usage=usage)) as served:
        assert check_model(f"openai:m,base_url={served.base_url}", folder=tmp_path).ok
    report = check_model(f"openai:m,base_url={served.base_url},retries=0", folder=tmp_path)
    assert report.ok and report.result("budget").status == "not measured", "nobody is there any more"


@pytest.mark.skipif(
    os.environ.get("CI") != "true" and (find_spec("xllamacpp") is None or bundled_model() is None),
    reason="no local model; on CI that is a failure",
)
def test_a_real_model_passes_everything(tmp_path: Path) -> None:
    report = check_model("local,context=256", folder=tmp_path)
    assert [result.status for result in report.results] == ["passed"] * len(MODEL_CHECKS), report


class Mutant(Scripted):
    """A script whose replies are changed before they are handed over."""

    changes: dict[str, Any]
    closed = 0

    async def ask(self, request: Request) -> Reply:
        return msgspec.structs.replace(await super().ask(request), **self.changes)


class Raises(Mutant):
    async def ask(self, request: Request) -> Reply:
        message = "no network"
        raise RuntimeError(message)


class ClosesOnce(Mutant):
    async def close(self) -> None:
        self.closed += 1
        if self.closed > 1:
            message = "closed already"
            raise RuntimeError(message)


class CountsNothing(Mutant):
    def tokens(self, text: str) -> int:
        return 3


MUTANTS: list[tuple[str, type[Mutant], dict[str, Any], str]] = [
    ("replies", Raises, {}, "mutant"),
    ("replies", Mutant, {"error": "tired", "text": None}, "mutant"),
    ("replies", Mutant, {"error": "empty"}, "mutant"),
    ("replies", Mutant, {"attempts": 0}, "mutant"),
    ("record", Mutant, {}, "mutant at http://secret.host"),
    ("record", Mutant, {"model": "m at http://secret.host"}, "mutant"),
    ("counts", Mutant, {"prompt_tokens": -1}, "mutant"),
    ("counts", Mutant, {"prompt_tokens": 2.5}, "mutant"),
    ("counts", CountsNothing, {}, "mutant"),
    ("budget", Mutant, {"completion_tokens": 7}, "mutant"),
    ("tools", Mutant, {"calls": (ModelCall("a", "lookup", "{}"), ModelCall("a", "lookup", "{}"))}, "mutant"),
    ("tools", Mutant, {"calls": (ModelCall("", "lookup", "{}"),)}, "mutant"),
    ("tools", Mutant, {"calls": (ModelCall("a", "", "{}"),)}, "mutant"),
    ("tools", Mutant, {"calls": (ModelCall("a", "lookup", {}),)}, "mutant"),  # type: ignore[arg-type]
    ("tools", Mutant, {"text": None, "calls": (ModelCall("a", "lookup", "{}"),)}, "mutant"),
    ("closes", ClosesOnce, {}, "mutant"),
]


@pytest.mark.parametrize(("check", "mutant", "changes", "name"), MUTANTS)
def test_each_mutant_fails_its_own_check(
    check: str, mutant: type[Mutant], changes: dict[str, Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(text: Any, folder: Path) -> Any:
        made = mutant(["yes"], name=name)
        made.changes = changes
        return made

    kind = ModelKind("mutant", "A broken model.", opened)
    monkeypatch.setattr(model, "load_kind", lambda name: kind)
    report = check_model("mutant,base_url=http://secret.host", only=[check])
    assert report.failed == (check,), report


def test_every_check_has_a_mutant() -> None:
    assert {check for check, *_ in MUTANTS} == {check.id for check in MODEL_CHECKS}
