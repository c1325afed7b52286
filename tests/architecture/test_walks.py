"""`docs/architecture.md` says what is there and what happens: its files exist, and its walks are really taken."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.architecture import entered
from tests.architecture.test_imports import LEVEL, NEVER, ROOMS
from tests.unit.pipeline.living import accepted, live
from tests.unit.pipeline.small_quality import write_project

import proctor
from proctor.plugins import registry

ROOT = Path(__file__).parents[2]
SOURCE = Path(proctor.__file__).parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SUITE = """
name: four
version: "1.0"
title: Four tasks
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: track, n: 4, regimes: [moderate-standard]}
"""


def section(title: str) -> str:
    """The text below a heading of the page."""
    (text,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return str(text)


def rows(text: str) -> list[list[str]]:
    """The cells of a section's table rows that begin with code."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:3] == "| `"]


def walk(title: str) -> list[str]:
    """The modules of a walk, in the order of the page."""
    steps = re.findall(r"^(\d+)\. `([\w/]+)\.py`", section(title), re.MULTILINE)
    numbers = re.findall(r"^(\d+)\. ", section(title), re.MULTILINE)
    assert [number for number, _ in steps] == numbers == [str(n + 1) for n in range(len(steps))]
    return [f"proctor.{path.replace('/', '.')}" for _, path in steps]


def disagreement(steps: Sequence[str], order: Sequence[str]) -> str | None:
    """What a walk gets wrong about an order of first calls; modules that it does not name do not matter."""
    missing = [step for step in steps if step not in order]
    if missing:
        return f"never called: {', '.join(missing)}"
    really = sorted(steps, key=order.index)
    return None if really == list(steps) else "the order is " + ", ".join(really)


def order_of(folder: Path, *arguments: str, apart: str = "", **environment: str) -> list[str]:
    """The modules that a command enters, in order of their first call."""
    out = folder / "entered.json"
    done = subprocess.run(
        [sys.executable, entered.__file__, str(out), apart, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    order: list[str] = json.loads(out.read_text(encoding="utf-8"))
    return order


def test_every_file_on_the_page_exists() -> None:
    named = set(re.findall(r"`(\w+/[\w/]+\.py)`", PAGE))
    assert len(named) > 60
    assert not sorted(path for path in named if not any((home / path).is_file() for home in (SOURCE, ROOT)))
    folders = set(re.findall(r"`([\w/]+/)`", PAGE)) - {"src/proctor/"}
    assert folders
    assert not sorted(path for path in folders if not (SOURCE / path).is_dir())


def test_the_packages_are_those_there_are_in_the_order_of_their_layers() -> None:
    listed = [row[0].strip("`") for row in rows(section("Packages")) if not row[0].endswith(".py`")]
    assert sorted(listed) == sorted(ROOMS)
    assert [LEVEL[name] for name in listed] == sorted(LEVEL[name] for name in listed)


def test_the_exceptions_are_those_that_are_checked() -> None:
    said = {
        (row[0].strip("`"), other)
        for row in rows(section("Packages"))
        if len(row) == 3
        for other in re.findall(r"`(\w+)`", row[2])
    }
    assert said == NEVER


def test_every_public_module_is_listed() -> None:
    listed = {row[0].strip("`") for row in rows(section("Packages")) if row[0].endswith(".py`")}
    assert listed == {path.name for path in SOURCE.glob("*.py")}


@pytest.mark.parametrize("group", registry.GROUPS)
def test_the_table_says_where_everything_is_added(group: registry.Group) -> None:
    assert re.search(rf"^\| an? .+ \| .+ \| `proctor\.{group}`.* \| .*`tests/", section("Where to add what"), re.M)


def test_the_walk_of_an_episode(tmp_path: Path) -> None:
    (tmp_path / "four.yaml").write_text(SUITE, encoding="utf-8")
    order = order_of(tmp_path, "run", "four.yaml", "--agent", "clerk", apart="proctor.engine.probing")
    assert disagreement(walk("The walk of an episode"), order) is None


def test_the_walk_of_a_gate_decision(tmp_path: Path) -> None:
    write_project(tmp_path, scenarios=6)
    accepted(tmp_path, *live(tmp_path, 1, 2, 3, 4, 5))
    (run,) = live(tmp_path, 6)
    order = order_of(tmp_path, "gate", run, "--rehearsal", "--store", "store.db")
    assert disagreement(walk("The walk of a gate decision"), order) is None


def test_the_walk_of_a_probe(tmp_path: Path) -> None:
    """With a comment in the family: its sources are not the locked ones, what it does is the same."""
    copy = shutil.copytree(SOURCE, tmp_path / "copy" / "proctor", ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "suites" / "hello" / "track" / "world.py").open("a", encoding="utf-8") as file:
        file.write("# A comment.\n")
    (tmp_path / "four.yaml").write_text(SUITE, encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(copy.parent), os.environ.get("PYTHONPATH"))))
    order = order_of(
        tmp_path, "run", "four.yaml", "--agent", "clerk", PYTHONPATH=path, XDG_CACHE_HOME=str(tmp_path / "cache")
    )
    assert disagreement(walk("The walk of a probe"), order) is None


def test_a_wrong_walk_is_found() -> None:
    order = ["a", "b", "c", "d"]
    assert disagreement(["a", "c", "d"], order) is None
    assert disagreement(["a", "d", "c"], order) == "the order is a, c, d"
    assert disagreement(["a", "x", "c"], order) == "never called: x"


def called(apart: str = "") -> list[str]:
    """What the tracer notes of three modules: one that only defines, one that calls at import, one that is called."""
    tracer = entered.Tracer(apart)

    def load(name: str, text: str, **names: Any) -> dict[str, Any]:
        namespace = {"__name__": f"proctor.{name}", **names}
        exec(text, namespace)
        return namespace

    def body() -> None:
        sys.setprofile(tracer)
        act = load("defining", "class Kept:\n    size = 1\ndef act(): pass")["act"]
        load("importing", "act()", act=act)
        load("calling.within", "def go(): act()", act=act)["go"]()
        sys.setprofile(None)

    # A thread has a stack of its own, in which nothing is being imported.
    thread = Thread(target=body)
    thread.start()
    thread.join()
    return list(tracer.entered)


def test_only_calls_count_and_none_that_an_import_makes() -> None:
    assert called() == ["proctor.calling.within", "proctor.defining"]


def test_what_a_package_apart_calls_does_not_count() -> None:
    assert called(apart="proctor.calling") == ["proctor.calling.within"]
