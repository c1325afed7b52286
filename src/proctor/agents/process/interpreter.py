"""The interpreter of a `python:` agent: any Python from 3.9 on, wherever it is (`,python=.venv`).

It is found by its path alone and asked about itself once, in a sandbox, without running anything of what is installed
in it. What identifies it is its version and the names and versions of its packages: they belong to the agent.
"""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

import msgspec

from proctor.agents.kind import AgentString
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.worlds.interpreter import PACKAGES, ShownPython, locate_python
from proctor.worlds.sandbox import Limits, Sandbox

OLDEST: Final = (3, 9)
"""The oldest Python that the bench's own part of an agent's process runs on."""
_SECONDS: Final = 20.0
# Runs on any Python there is, so that an old one can say that it is old.
_ASK: Final = """
import sys
try:
    import base64, importlib.util, json, site
    print(json.dumps({
        "version": list(sys.version_info[:3]),
        "implementation": sys.implementation.name,
        "magic": base64.b64encode(importlib.util.MAGIC_NUMBER).decode(),
        "sites": site.getsitepackages(),
    }))
except ImportError:
    print('{"version": [%d, %d, %d]}' % sys.version_info[:3])
"""


class _Told(msgspec.Struct, frozen=True):
    """What an interpreter says of itself."""

    version: tuple[int, int, int]
    implementation: str = "unknown"
    magic: str = ""
    sites: tuple[str, ...] = ()


class Interpreter(msgspec.Struct, frozen=True):
    """A Python that runs an agent."""

    named: str
    """As the agent string names it."""
    shown: ShownPython
    version: tuple[int, int, int]
    implementation: str
    magic: bytes
    """What its compiled files begin with."""
    sites: tuple[tuple[Path, str], ...]
    """Where its packages are: on the host, and in a sandbox that shows it."""

    @property
    def words(self) -> str:
        """`Python 3.12.1`."""
        return f"Python {'.'.join(map(str, self.version))}"

    def identity(self) -> str:
        """Version and packages, as they are now."""
        name = {"cpython": "CPython", "pypy": "PyPy"}.get(self.implementation, self.implementation)
        packages = sorted(set(_installed([str(host) for host, _ in self.sites])))
        version = ".".join(map(str, self.version))
        return f"{name} {version} with {len(packages)} packages (SHA-256 {content_hash(packages)})"

    def has(self, module: str) -> bool:
        """Whether a top-level module is among its packages."""
        return any(
            (host / module).is_dir() or any(host.glob(f"{module}.py")) or any(host.glob(f"{module}.*.so"))
            for host, _ in self.sites
        )


def find_interpreter(agent: AgentString, project: Path, *, unconfined: bool) -> Interpreter:
    """The interpreter that `python=` names; one sentence where there is none that can be used."""
    named = agent.options["python"]
    path = project / Path(named).expanduser()
    try:
        shown = locate_python(path)
        told = _ask(shown, unconfined)
    except ValueError as error:
        message = f"agent '{agent.text}': python={named} {error}"
        raise InputError(message) from None
    if told.version[:2] < OLDEST:
        version, oldest = ".".join(map(str, told.version)), ".".join(map(str, OLDEST))
        message = f"agent '{agent.text}': python={named} is Python {version}; agents need Python {oldest} or newer"
        raise InputError(message)
    return Interpreter(
        named=named,
        shown=shown,
        version=told.version,
        implementation=told.implementation,
        magic=base64.b64decode(told.magic),
        sites=tuple(_sites(shown, told)),
    )


def _sites(shown: ShownPython, told: _Told) -> Iterator[tuple[Path, str]]:
    """The folders of packages that it imports from: of an environment its own, and the installation's if it says so."""
    if shown.environment is None:
        seen = list(told.sites)
    else:
        seen = [f"{PACKAGES}/lib/python{told.version[0]}.{told.version[1]}/site-packages"]
        seen += told.sites if shown.includes_system_packages else ()
    for virtual in dict.fromkeys(seen):
        host = shown.host_path(virtual)
        if host is not None and host.is_dir():
            yield host, virtual


@cache
def _ask(shown: ShownPython, unconfined: bool) -> _Told:
    """Have it say what it is; cached, since an installation does not change its version. Raises `ValueError`."""
    command = ["-I", "-S", "-c", _ASK]
    if unconfined:
        try:
            done = subprocess.run(
                [str(shown.host), *command], capture_output=True, check=False, timeout=_SECONDS, env={}, text=True
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            message = f"cannot be run: {error}"
            raise ValueError(message) from None
        out, said = done.stdout, done.stderr
    else:
        ended = Sandbox(limits=Limits(seconds=_SECONDS), shown_python=shown).run([shown.command, *command])
        out, said = ended.stdout, ended.stderr
    try:
        return msgspec.json.decode(out, type=_Told)
    except (msgspec.DecodeError, ValueError):
        last = (said.strip().splitlines() or ["it did not answer"])[-1]
        message = f"is no Python that can be run{'' if unconfined else ' in the sandbox'}: {last}"
        raise ValueError(message) from None


def _installed(folders: list[str]) -> Iterator[str]:
    for distribution in distributions(path=folders):
        name = distribution.metadata["Name"]
        if name:
            yield f"{name.lower().replace('_', '-').replace('.', '-')}=={distribution.version}"
