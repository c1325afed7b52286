"""A stranger's bundle is read in a process of its own; whatever ends that process, the answer is one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import BenchError, IntegrityError
from proctor.engine.checking import ORDER, TASKS
from proctor.evidence.bundle import apart, import_bundle, verify_apart, verify_bundle
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.named import load_named, name_of
from proctor.evidence.store.store import Store

PLANS = """
import os, signal


def _kill(number):
    return lambda frozen: os.kill(os.getpid(), number)


SIGABRT, SIGSEGV, SIGKILL, SIGXCPU = map(_kill, (signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL, signal.SIGXCPU))


def hungry(frozen):
    return bytearray(8 * 2**30)


def stumbling(frozen):
    raise AssertionError("nobody sees this")
"""
LIMITS_SET = """
import resource

from proctor.core.errors import BenchError

assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
assert resource.getrlimit(resource.RLIMIT_AS)[0] <= 4 * 2**30
raise BenchError("the limits are set")
"""


@pytest.fixture
def plans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module with plans that bring down whoever asks them."""
    (tmp_path / "deadly_plans.py").write_text(PLANS)
    (tmp_path / "limits_set.py").write_text(LIMITS_SET)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "deadly_plans"


def test_it_says_what_verification_in_this_process_says(made: Any) -> None:
    path = made("small").path
    there = verify_apart(path, plan=ORDER, tasks=TASKS)
    assert there.ok and there == verify_bundle(path, plan=load_named(ORDER), tasks=load_named(TASKS))


@pytest.mark.parametrize(
    ("name", "sandboxed"),
    [("SIGABRT", True), ("SIGSEGV", False), ("SIGXCPU", False), ("hungry", True), ("stumbling", False)],
)
def test_whatever_ends_the_reader_is_one_sentence(
    made: Any, plans: str, monkeypatch: pytest.MonkeyPatch, name: str, sandboxed: bool
) -> None:
    if not sandboxed:
        monkeypatch.setattr("shutil.which", lambda name: None)
    report = verify_apart(made("small").path, plan=f"{plans}:{name}")
    assert not report.ok and report.found == 1
    (problem,) = report.problems
    said = "no order of presentation" if name == "hungry" else "cannot be read: "
    assert problem.message.startswith(said) and "\n" not in problem.message
    assert "nobody sees this" not in problem.message and "ModuleNotFound" not in problem.message


def test_the_limits_are_set_and_a_failure_of_the_bench_stays_one(made: Any, plans: str) -> None:
    with pytest.raises(BenchError, match="the limits are set"):
        verify_apart(made("small").path, plan="limits_set:plan")


def test_a_reader_that_does_not_start_is_a_failure_of_the_bench(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_MODULE", "proctor.evidence.bundle.nothing")
    monkeypatch.setattr(apart, "_works", {})
    with pytest.raises(BenchError, match="did not start"):
        verify_apart(made("small").path)


def test_an_import_apart_brings_the_same_rows(made: Any, tmp_path: Path) -> None:
    one = made("wide")
    with Store(str(tmp_path / "store.db")) as store:
        name = import_bundle(one.path, store, plan=ORDER, tasks=TASKS, apart=True)
        number = store.run(name).number
        assert list(store.rows(number)) == list(one.store.rows(one.record.number))


def test_an_import_apart_refuses_damage(made: Any, tmp_path: Path) -> None:
    data = bytearray(made("small").path.read_bytes())
    data[len(data) // 2] ^= 1
    path = tmp_path / "damaged.proctor"
    path.write_bytes(data)
    with Store(str(tmp_path / "store.db")) as store, pytest.raises(IntegrityError, match="it was not imported"):
        import_bundle(path, store, plan=ORDER, apart=True)


def test_what_has_no_name_cannot_be_handed_over() -> None:
    assert name_of(None) is None and name_of("a:b") == "a:b"
    assert name_of(Source) == "proctor.evidence.bundle.file:Source"
    with pytest.raises(ValueError, match="no name"):
        name_of(lambda: None)
