"""A Python as a sandbox shows it: which of its folders are seen, where, and by which name it is started.

Of the Python that runs the bench everything is shown. Of another one only what it needs: programs, standard library
and installed packages. A virtual environment may have been made in the middle of a project, or an installation in
somebody's home, and what else lies there is nobody's business.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

PACKAGES: Final = "/opt/venv"
"""Where the virtual environment is seen, when asked for."""
_NEEDED: Final = ("bin", "lib", "lib64")
_SETTINGS: Final = "pyvenv.cfg"
_MAX_LINKS: Final = 40


class ShownPython(Struct, frozen=True):
    """An interpreter with the folders that make it up."""

    command: str
    """What starts it, inside."""
    host: Path
    """What starts it outside of any sandbox."""
    folders: tuple[tuple[Path, str], ...]
    """Real paths of the host and where they are seen; none of those below /usr, which every sandbox shows."""
    programs: tuple[str, ...]
    """Folders of programs, inside."""
    environment: Path | None = None
    """The virtual environment on the host; None where there is none, or nobody asked for it."""
    includes_system_packages: bool = False
    """Whether the environment says that its installation's packages count too."""

    def host_path(self, seen: str) -> Path | None:
        """The place of the host that is seen as this; None where it is not shown."""
        for host, virtual in self.folders:
            if seen == virtual or seen.startswith(f"{virtual}/"):
                return Path(f"{host}{seen.removeprefix(virtual)}")
        return Path(seen) if seen.startswith("/usr/") else None


def running_python(*, packages: bool) -> ShownPython:
    """The Python that runs the bench, with its virtual environment where there is one and it is asked for."""
    base = sys.base_prefix
    real = Path(os.path.realpath(base))
    folders = [] if str(real).startswith("/usr/") else [(real, base)]
    command = f"{base}/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    programs = [f"{base}/bin"]
    if packages:
        programs.insert(0, f"{PACKAGES}/bin")
        if sys.prefix != base:
            folders.append((Path(os.path.realpath(sys.prefix)), PACKAGES))
            command = f"{PACKAGES}/bin/python"
    return ShownPython(command, Path(sys.executable), tuple(folders), tuple(programs))


def locate_python(path: Path) -> ShownPython:
    """An interpreter, virtual environment or project with one, by its path. Nothing is run.

    Raises `ValueError` with what is wrong, to be put after the path.
    """
    program = _program(path)
    if not program.exists():
        message = "is a link that leads nowhere" if program.is_symlink() else "does not exist"
        raise ValueError(message)
    if not program.is_file() or not os.access(program, os.X_OK):
        message = "is not executable"
        raise ValueError(message)
    real = program.resolve()
    with real.open("rb") as file:
        if file.read(2) == b"#!":
            message = (
                "is a script that starts an interpreter, not the interpreter; give what "
                "`python -c 'import sys; print(sys.executable)'` prints there"
            )
            raise ValueError(message)
    installation = real.parent.parent
    environment = program.parent.parent
    if not (environment / _SETTINGS).is_file():
        folders = dict(_needed_folders(installation, str(installation)))
        return ShownPython(str(real), program, _sorted(folders), (str(real.parent),))
    folders = {f"{PACKAGES}/{_SETTINGS}": (environment / _SETTINGS).resolve()}
    folders |= _needed_folders(environment, PACKAGES)
    for seen_as in {str(installation), *_ways_to(program, environment)}:
        folders |= _needed_folders(installation, seen_as)
    return ShownPython(
        command=f"{PACKAGES}/bin/{program.name}",
        host=program,
        folders=_sorted(folders),
        programs=(f"{PACKAGES}/bin", str(real.parent)),
        environment=environment,
        includes_system_packages=_setting(environment, "include-system-site-packages").lower() == "true",
    )


def _program(path: Path) -> Path:
    """The program that is meant by a path; folders are environments, or projects with a `.venv`."""
    if not path.is_dir():
        return path
    for folder in (path, path / ".venv"):
        for name in ("python", "python3"):
            if os.path.lexists(folder / "bin" / name):
                return folder / "bin" / name
    if (path / "pyproject.toml").is_file():
        message = "is a project without a .venv folder; make it with `uv sync` or `python -m venv .venv`"
    else:
        message = "is a folder with neither bin/python nor .venv/bin/python in it"
    raise ValueError(message)


def _needed_folders(real: Path, seen_as: str) -> dict[str, Path]:
    if seen_as in ("/", "/usr") or seen_as.startswith("/usr/"):
        return {}
    return {f"{seen_as}/{name}": (real / name).resolve() for name in _NEEDED if (real / name).is_dir()}


def _ways_to(program: Path, environment: Path) -> Iterator[str]:
    """The names by which an environment knows its installation: its `home`, and the links of its interpreter."""
    home = _setting(environment, "home")
    if home.startswith("/"):
        yield str(Path(home).parent)
    for _ in range(_MAX_LINKS):
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / os.readlink(program)))
        if program.parent.parent != environment:
            yield str(program.parent.parent)


def _setting(environment: Path, wanted: str) -> str:
    """What the settings of an environment say under a name; empty where they say nothing."""
    for line in (environment / _SETTINGS).read_text(encoding="utf-8", errors="replace").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == wanted:
            return value.strip()
    return ""


def _sorted(folders: dict[str, Path]) -> tuple[tuple[Path, str], ...]:
    return tuple((folders[seen_as], seen_as) for seen_as in sorted(folders))
