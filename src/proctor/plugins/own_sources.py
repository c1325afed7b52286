"""Python files of a user's project: imported from their sources alone, after everybody else, and only as approved.

Byte code beside a source, a module that is byte code or a shared object and nothing else: nobody reads them, so they
are neither loaded nor written. (`agents/process/inside/uncached.py` does this inside a sandbox, where nothing of
Proctor is.) A folder is importable only while a file of it is loaded, and what Python or an installed package has under
a name always comes first. It is never on `sys.path`, since packages can declare plug-ins there.

Where sources are approved (`ApprovedSources`), a file is compared with them before it is loaded, together with all that
it imports from its folder, and once more by the very bytes that are compiled.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import msgspec

from proctor.core.errors import InputError
from proctor.core.hashing import file_hash, sha256_hex
from proctor.plugins.closure import DIGITS, name_in, source_closure

TRYING = "`proctor run --unapproved-code` tries it out, in a run that no gate deploys"
_NAMED = 3


class UnapprovedCode(InputError):
    """Code of a project's own that nobody approved, and that was not loaded."""


class ApprovedSources(msgspec.Struct, frozen=True):
    """The code of a project's own that may be loaded: of every suite that is governed, each file by its content."""

    folder: str
    suites: dict[str, dict[str, str]]
    """Suite → name of a file in the folder → beginning of its digest."""
    first: str = ""
    """What has to be done before anything is known to be approved; empty where there is nothing."""

    def require(self, start: Path) -> None:
        """Refuse a file, before any of it is loaded, where it or anything it would load is not as approved."""
        wrong = [
            difference
            for file in source_closure(start)
            if (difference := self._difference(name_in(file, Path(self.folder)), file_hash(file)))
        ]
        if wrong:
            raise self._refusal(name_in(start.resolve(), Path(self.folder)), wrong)

    def require_digest(self, file: Path, digest: str) -> None:
        """Refuse a file by the content that is about to be compiled, or was."""
        name = name_in(file, Path(self.folder))
        if difference := self._difference(name, digest):
            raise self._refusal(name, [difference])

    def differing(self, digests: Iterable[tuple[str, str]]) -> list[str]:
        """Which of these files (name, digest) are not as approved, in words, each once."""
        return list(dict.fromkeys(found for name, digest in digests if (found := self._difference(name, digest))))

    def _difference(self, name: str, digest: str) -> str:
        approved = [files[name] for files in self.suites.values() if name in files]
        if digest[:DIGITS] in approved:
            return ""
        return f"source.{name} {approved[0]} → {digest[:DIGITS]}" if approved else f"source.{name} added"

    def _refusal(self, start: str, wrong: Sequence[str]) -> UnapprovedCode:
        if self.first:
            return UnapprovedCode(f"{start} is not loaded before it is known to be approved: {self.first}")
        more = f"; {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        differs = f"({'; '.join(wrong[:_NAMED])}{more})"
        if any(start in files for files in self.suites.values()):
            return UnapprovedCode(
                f"{start} is not loaded: code of this project differs from what was approved {differs}; propose the "
                f"change with `proctor govern propose` and let somebody else approve it; {TRYING}"
            )
        return UnapprovedCode(
            f"{start} is not loaded: this project is governed, and nobody approved this code {differs}; a baseline "
            f"of its suite that is accepted with a key approves it; {TRYING}"
        )


class _State:
    """What holds in this process."""

    approved: ApprovedSources | None = None
    loading: list[Path]
    """The files that are being loaded, the innermost last."""
    loaded: dict[Path, dict[Path, str]]
    """File that was loaded → every file that was compiled for it → its digest."""
    suites: dict[str, Path]
    """Full name of a suite → the file that declared it."""
    folders: list[str]
    """Real paths of folders whose sources are a project's own."""
    installed: list[str]

    def __init__(self) -> None:
        self.loading, self.loaded, self.suites, self.folders, self.installed = [], {}, {}, [], []


_here = _State()


class SourceLoader(SourceFileLoader):
    """Compiles the source each time, once it is seen to be approved."""

    def path_stats(self, path: Any) -> Any:
        """Nothing that byte code could be compared with, so that none is looked for, and none is written."""
        message = "byte code of a project's own modules is not used"
        raise OSError(message)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        """The code, of these very bytes."""
        file, digest = Path(os.fsdecode(path)), sha256_hex(bytes(data))
        if _here.approved is not None:
            _here.approved.require_digest(file, digest)
        for start in _here.loading:
            _here.loaded.setdefault(start, {})[file] = digest
        return super().source_to_code(data, path, _optimize=_optimize)


class _OwnFolder:
    """Finds the top-level modules of one folder, where nobody else has one of the name."""

    def __init__(self, folder: Path) -> None:
        self._finder = _sources_in(str(folder))

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = self._finder.find_spec(name) if path is None else None
        if found is None or found.loader is not None:
            return found
        package = ModuleSpec(name, None, is_package=True)
        package.submodule_search_locations = list(found.submodule_search_locations or ())
        return package


@contextmanager
def loading(start: Path) -> Iterator[None]:
    """While the file is loaded: its folder is importable, last of all, and what is compiled is noted down."""
    _from_sources(start.parent)
    finder = _OwnFolder(start.parent)
    _here.loading.append(start)
    _here.loaded[start] = {}
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _here.loading.pop()


def admit(start: Path) -> None:
    """Refuse a file that may not be loaded here, or was loaded with a content that may not."""
    if _here.approved is not None:
        _here.approved.require(start)
        for file, digest in _here.loaded.get(start, {}).items():
            _here.approved.require_digest(file, digest)


def approved() -> ApprovedSources | None:
    """What may be loaded in this process; None where nothing is compared."""
    return _here.approved


def approve_only(sources: ApprovedSources | None) -> None:
    """Have nothing else loaded in this process from now on."""
    _here.approved = sources


def note_suite(full_name: str, file: Path) -> None:
    """Remember which file declared a suite."""
    _here.suites[full_name] = file.resolve()


def files_behind(references: Iterable[str], suite: str, folder: Path) -> dict[str, str]:
    """The files of the user's that take part in a run of these families of a suite: name → digest.

    What was compiled in this process counts as it was then.
    """
    found: dict[str, str] = {}
    for start in _starts(references, suite, folder):
        found |= {name_in(file, folder): file_hash(file) for file in source_closure(start)}
        found |= {name_in(file, folder): digest for file, digest in _here.loaded.get(start, {}).items()}
    return found


def files_now(references: Iterable[str], suite: str, folder: Path) -> dict[str, str]:
    """The same files as they lie there now, whatever was compiled; without those that are gone."""
    files: set[Path] = set()
    for start in _starts(references, suite, folder):
        files |= {*source_closure(start), *_here.loaded.get(start, {})}
    return {name_in(file, folder): file_hash(file) for file in sorted(files) if file.is_file()}


def _starts(references: Iterable[str], suite: str, folder: Path) -> list[Path]:
    """The files that these references and the suite itself name."""
    paths = (Path(reference.partition("#")[0].partition(":")[0]) for reference in references)
    starts = {(folder / path).resolve() for path in paths if path.suffix == ".py"}
    if suite in _here.suites:
        starts.add(_here.suites[suite])
    return sorted(starts)


def _sources_in(folder: str) -> FileFinder:
    return FileFinder(folder, (SourceLoader, SOURCE_SUFFIXES))


def _from_sources(folder: Path) -> None:
    """Have everything below this folder imported from its source, whoever puts it on the path, from now on."""
    if not _here.folders:
        places = {*sys.path, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        places |= {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
        _here.installed = [os.path.realpath(place) for place in places]
        sys.path_hooks.insert(0, _own)
    home = os.path.realpath(folder)
    if home in _here.folders:
        return
    _here.folders.append(home)
    for place in list(sys.path_importer_cache):
        if _nearest(os.path.realpath(place), [home]) >= 0:
            del sys.path_importer_cache[place]


def _own(path: str) -> FileFinder:
    place = os.path.realpath(path)
    own = _nearest(place, _here.folders)
    if own < 0 or own < _nearest(place, _here.installed):
        message = "not a folder of the project's"
        raise ImportError(message)
    return _sources_in(path)


def _nearest(place: str, folders: list[str]) -> int:
    """How long the name of the nearest of these folders around a place is; -1 where none is around it."""
    around = [len(folder) for folder in folders if place == folder or place.startswith(folder.rstrip("/") + "/")]
    return max(around, default=-1)
