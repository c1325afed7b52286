"""ProcessHost without walls, for machines without bubblewrap: an explicit choice that reports show.

The agent's process is an ordinary one. It is given a private working directory and the declared environment variables,
and could help itself to everything else the user can reach.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from proctor.agents.process.child import Child
from proctor.agents.process.hidden import site_folders
from proctor.agents.process.memory import read_memory, write_memory
from proctor.agents.process.options import Options
from proctor.agents.process.ports.handover import OwnPorts
from proctor.agents.process.process_host import Program, View
from proctor.agents.process.scratch_dir import ScratchDir, remove
from proctor.core.errors import BenchError

_PATH = "/usr/local/bin:/usr/bin:/bin"
_NO_BYTE_CODE = {"PYTHONPYCACHEPREFIX": os.devnull}
"""Where there is none to be read and none can be left: byte code beside an agent's sources does not count as its own.
A `python:` agent's process does not go by the environment, and sees to it itself (`inside/uncached.py`)."""


class UnsandboxedHost:
    """A process of the user's own."""

    def __init__(self, program: Program, options: Options) -> None:
        self._scratch = ScratchDir()
        self._program = program
        self._options = options
        boot = self._scratch.folder("boot")
        for name, data in program.boot.items():
            target = boot / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        python, packages = Path(sys.executable), site_folders()
        if options.interpreter is not None:
            python, packages = options.interpreter.shown.host, tuple(host for host, _ in options.interpreter.sites)
        self._view = View(str(python), str(boot), tuple(map(str, packages)), confined=False)

    def start(self, memory: bytes) -> Child:
        work = self._scratch.folder("work")
        if self._options.memory_folder is not None:
            write_memory(work, self._options.memory_folder, memory, self._options.limits)
        path = os.environ.get("PATH", _PATH)
        ports = OwnPorts(self._program.ports)
        env = {"PATH": path, "HOME": str(work), "LANG": "C.UTF-8", "TZ": "UTC", **_NO_BYTE_CODE, **self._options.env}
        try:
            process = subprocess.Popen(
                self._program.command(self._view),
                cwd=work,
                env={**env, **ports.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            ports.close()
            message = f"the agent's process could not be started: {error.strerror}"
            raise BenchError(message) from None
        return Child(process, None, ports)

    def settled(self) -> bool:
        return True

    def leave(self) -> bytes | None:
        path = self._scratch.folder("work")
        work = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            folder = self._options.memory_folder
            return None if folder is None else read_memory(work, folder, self._options.limits)
        finally:
            os.close(work)
            remove(path)

    def close(self) -> None:
        self._scratch.close()
