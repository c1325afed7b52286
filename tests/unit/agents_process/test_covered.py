"""What does not count as an agent's own is not seen by it, and byte code beside its sources is never run."""

from __future__ import annotations

import importlib.util
import marshal
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.agents_process.conftest import Project

from proctor.evidence.events import Submitted

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "either_host")

LOOKING = """
import os
from proctor import Submission

def run(task, session):
    found = {}
    for top, folders, files in os.walk("/agent"):
        found[top] = sorted(files)
    return Submission(found)
"""
USING = """
from proctor import Submission
import helper
from package import inner

def run(task, session):
    return Submission([helper.WORD, inner.WORD])
"""
WRITTEN = "WORD = 'written'\n"


def handed_in(project: Project, agent: str) -> Any:
    for path in project.folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o044)
    (lived,) = project.examine(agent)
    assert lived.failure == ""
    return lived.of(Submitted)[0].answer


def plant(source: Path) -> None:
    """Byte code that no check of time or hash refuses, and that says something else than the source."""
    place = Path(importlib.util.cache_from_source(str(source)))
    place.parent.mkdir(exist_ok=True)
    code = compile("WORD = 'planted'\n", str(source), "exec")
    unchecked = (1).to_bytes(4, "little")
    place.write_bytes(importlib.util.MAGIC_NUMBER + unchecked + bytes(8) + marshal.dumps(code))


@pytest.fixture
def lib(project: Project) -> Path:
    for name in (
        ".limit",
        ".hidden/limit",
        ".venv/counts",
        "__pycache__/a.pyc",
        "sub/__pycache__/a.pyc",
        ".git/HEAD",
        "sub/.git/HEAD",
        "sub/.mypy_cache/a",
        "env/pyvenv.cfg",
        "env/lib/a.py",
    ):
        project.write(f"lib/{name}", "x")
    (project.folder / "lib" / "link").symlink_to(".git")
    (project.folder / "lib" / "out").symlink_to(project.folder)
    return project.folder / "lib"


SEEN = {
    "/.hidden": ["limit"],
    "/.venv": ["counts"],
    "/__pycache__": [],
    "/.git": [],
    "/sub": [],
    "/sub/__pycache__": [],
    "/sub/.git": [],
    "/sub/.mypy_cache": [],
    "/env": [],
}


def test_covered_folders_are_empty_in_a_folder_and_dot_files_are_there(project: Project, lib: Path) -> None:
    project.write("lib/mine.py", LOOKING)
    seen = handed_in(project, "python:mine.py:run,folder=lib")
    # A link that leads nowhere is listed as a file.
    files = {**SEEN, "": [".limit", "mine.py", "out"]}
    assert seen == {f"/agent{name}": there for name, there in files.items()}


def test_covered_folders_are_empty_in_what_is_included(project: Project, lib: Path) -> None:
    project.write("mine.py", LOOKING)
    seen = handed_in(project, "python:mine.py:run,include=lib")
    assert {place: files for place, files in seen.items() if place.startswith("/agent/lib/")} == {
        f"/agent/lib{name}": files for name, files in SEEN.items()
    }


def test_what_is_named_in_a_covered_folder_is_seen_alone(project: Project, lib: Path) -> None:
    project.write("lib/mine.py", LOOKING)
    project.write("lib/.git/refs/deep/one", "x")
    project.write("lib/sub/.git/__pycache__/a.pyc", "x")
    seen = handed_in(project, "python:mine.py:run,folder=lib,include=.git/refs/deep|.git/HEAD|sub/.git")
    assert seen["/agent/.git"] == ["HEAD"]
    assert seen["/agent/.git/refs/deep"] == ["one"]
    assert seen["/agent/sub/.git"] == ["HEAD"]
    assert seen["/agent/sub/.git/__pycache__"] == []


def test_links_to_what_is_covered_or_outside_lead_to_nothing(project: Project, lib: Path) -> None:
    code = """
    import os
    from proctor import Submission

    def run(task, session):
        return Submission([os.listdir("/agent/link"), os.path.exists("/agent/out")])
    """
    project.write("lib/mine.py", code)
    assert handed_in(project, "python:mine.py:run,folder=lib") == [[], False]


def test_what_is_covered_is_so_for_the_next_lifetime_too(project: Project, lib: Path) -> None:
    project.write("lib/mine.py", LOOKING)
    bench_of = "python:mine.py:run,folder=lib"
    assert "/agent/late/__pycache__" not in handed_in(project, bench_of)
    project.write("lib/late/__pycache__/a.pyc", "x")
    assert handed_in(project, bench_of)["/agent/late/__pycache__"] == []


@pytest.mark.parametrize("how", ["mine.py:run,folder=lib", "mine:run,folder=lib", "lib/mine.py:run,include=lib"])
@pytest.mark.parametrize("where", ["", ",unconfined=yes", ",prefork=yes"])
def test_planted_byte_code_is_not_run(project: Project, how: str, where: str) -> None:
    project.write("lib/mine.py", USING)
    for name in ("helper.py", "package/__init__.py", "package/inner.py"):
        plant(project.write(f"lib/{name}", WRITTEN))
    plant(project.folder / "lib" / "mine.py")
    assert handed_in(project, f"python:{how}{where}") == ["written", "written"]


@pytest.mark.parametrize("where", ["", ",unconfined=yes"])
def test_a_command_takes_no_planted_byte_code_either(project: Project, where: str) -> None:
    code = """
    import json, sys
    import helper
    for line in sys.stdin:
        if json.loads(line)["type"] == "task":
            print(json.dumps({"type": "submit", "answer": helper.WORD}), flush=True)
    """
    project.write("lib/mine.py", code)
    plant(project.write("lib/helper.py", WRITTEN))
    assert handed_in(project, f"cmd:python3 mine.py,folder=lib{where}") == "written"


def test_an_environment_that_a_command_runs_in_is_seen(project: Project) -> None:
    shell = """
    read line
    printf '{"type": "submit", "answer": "%s"}\\n' "$(cat /agent/.venv/word)"
    """
    project.write("lib/mine.sh", shell)
    project.write("lib/.venv/pyvenv.cfg", "home = /usr/bin\n")
    project.write("lib/.venv/word", "here")
    (project.folder / "lib" / ".venv" / "bin").mkdir()
    os.symlink("/bin/sh", project.folder / "lib" / ".venv" / "bin" / "shell")
    assert handed_in(project, "cmd:.venv/bin/shell mine.sh,folder=lib") == "here"


def test_the_environment_of_the_interpreter_is_seen_in_its_own_place_alone(project: Project) -> None:
    code = """
    import os
    from proctor import Submission
    import helper, installed

    def run(task, session):
        return Submission([helper.WORD, installed.WORD, os.listdir("/agent/.venv")])
    """
    project.write("lib/mine.py", code)
    plant(project.write("lib/helper.py", WRITTEN))
    made = project.folder / "lib" / ".venv"
    subprocess.run([sys.executable, "-I", "-m", "venv", "--without-pip", made], check=True, timeout=300)
    (site,) = made.glob("lib/python3*/site-packages")
    (site / "installed.py").write_text(WRITTEN)
    expected = ["written", "written", []]
    assert handed_in(project, "python:mine.py:run,folder=lib,python=lib/.venv") == expected
