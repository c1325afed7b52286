"""The candidate files of version 2.0: every path of a repository, ranked by how well an issue's text speaks of it.

It sees the issue and the file list and never the reference. A path is spoken of by words (those of the file's own name
count for more than those of its folders, those of the issue's first line for more than the rest), by a path in the
text that ends like it or that it ends like (as tracebacks write them), by a dotted name or an import that leads to it
or into its folder, and by an identifier that is its name written together. Documentation, examples, translations and
the like count for less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log

from msgspec import Struct

from proctor.suites.binding.swebench.paths import is_test
from proctor.suites.binding.swebench.retrieval import Candidate

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PATH = re.compile(r"[\w./\\-]+\.py\b")
_DOTTED = re.compile(r"\b[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)+")
_IMPORT = re.compile(r"^[>\s.]*from\s+([\w.]+)\s+import\s+\(?([\w, *]+)", re.MULTILINE)
_IDENTIFIER = re.compile(r"\b\w{3,}\b")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "the and for with that this from not are was when have has but you can will init py in is it of to an be as on "
        "or if we my so no do by at",
    )
)
_ENDINGS = (("ies", "y"), ("ing", ""), ("ers", "er"), ("es", "e"), ("ed", ""), ("s", ""))
_SHORTEST_STEM = 4
_ASIDE = frozenset(
    re.findall(
        r"\w+",
        "docs doc examples example benchmarks bench galleries tutorials locale migrations asv_bench scripts "
        "build_tools extras release bin",
    )
)
"""Folders of what is written about a project or around it."""
_DEEPEST = 8
"""Pieces of a dotted name that are followed."""

# Set once by one pass of coordinate search over every other issue of SWE-bench Lite, and judged on the rest.
_TITLE = 2.0
_OWN_NAME, _FOLDERS = 0.75, 1.0
_PATH_NAMED, _TAIL_NAMED = 6.0, 4.8
_MODULE_NAMED, _STEM_NAMED, _PACKAGE_NAMED, _WRITTEN_TOGETHER = 3.0, 1.0, 1.0, 2.0
_ASIDE_COUNTS, _THIN_COUNTS = 0.8, 0.7


class _Path(Struct, frozen=True):
    """A path taken apart; the same parts recur in every commit of a project, so they are kept."""

    pieces: tuple[str, ...]
    """Folders and module, without `__init__`."""
    own: tuple[str, ...]
    """Words of the module's name."""
    folders: tuple[str, ...]
    together: str
    weight: float


@lru_cache(maxsize=1 << 16)
def _taken_apart(path: str) -> _Path:
    pieces = path.removesuffix(".py").split("/")
    thin = pieces[-1] == "__init__" or path == "setup.py"
    if pieces[-1] == "__init__" and len(pieces) > 1:
        pieces = pieces[:-1]
    folders = path.split("/")[:-1]
    weight = _ASIDE_COUNTS if _ASIDE.intersection(piece.lower() for piece in folders) else 1.0
    return _Path(
        pieces=tuple(pieces),
        own=tuple(dict.fromkeys(words(pieces[-1]))),
        folders=tuple(dict.fromkeys(word for folder in folders for word in words(folder))),
        together=pieces[-1].lower().replace("_", ""),
        weight=weight * (_THIN_COUNTS if thin else 1.0),
    )


def words(text: str) -> list[str]:
    """Lower-case words without their endings; `snake_case` and `CamelCase` are taken apart."""
    lowered = (word.lower() for word in _WORD.findall(text.replace("_", " ")))
    return [_stem(word) for word in lowered if len(word) > 1 and word not in _COMMON]


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)] + instead
    return word


class _Spoken(Struct, frozen=True):
    """What an issue's text speaks of."""

    words: Mapping[str, float]
    """Each word with what it counts."""
    paths: tuple[str, ...]
    modules: frozenset[str]
    """Beginnings of dotted names and imports, with slashes."""
    together: frozenset[str]
    """Identifiers in lower case, written together."""


def _spoken(text: str) -> _Spoken:
    title = set(words(text.partition("\n")[0]))
    counts = Counter(words(text))
    return _Spoken(
        words={word: 1.0 + log(count) + _TITLE * (word in title) for word, count in counts.items()},
        paths=tuple(dict.fromkeys(match.replace("\\", "/").lstrip("./") for match in _PATH.findall(text))),
        modules=frozenset(_beginnings([*_DOTTED.findall(text), *_imported(text)])),
        together=frozenset(name.lower().replace("_", "") for name in _IDENTIFIER.findall(text)),
    )


def _imported(text: str) -> Iterable[str]:
    for module, names in _IMPORT.findall(text):
        for name in names.split(","):
            yield f"{module}.{name.strip()}" if name.strip() not in ("", "*") else module


def _beginnings(dotted: Iterable[str]) -> Iterable[str]:
    for name in dotted:
        pieces = name.split(".")
        for size in range(1, min(len(pieces), _DEEPEST) + 1):
            yield "/".join(pieces[:size])


class Ranking:
    """Candidates within one repository at one commit. Tests are left out."""

    def __init__(self, tree: Sequence[str]) -> None:
        self.paths = tuple(path for path in tree if not is_test(path))
        self._parts = [_taken_apart(path) for path in self.paths]
        self._holders = Counter(word for parts in self._parts for word in {*parts.own, *parts.folders})

    def candidates(self, text: str, most: int) -> tuple[Candidate, ...]:
        """The best files for this text, best first; equal scores by path."""
        spoken = _spoken(text)
        known = [word for word in spoken.words if word in self._holders]
        worth = {word: spoken.words[word] * self._rarity(word) for word in known}
        scored = [
            Candidate(path, _score(path, parts, spoken, worth))
            for path, parts in zip(self.paths, self._parts, strict=True)
        ]
        scored.sort(key=lambda candidate: (-candidate.score, candidate.path))
        return tuple(scored[:most])

    def _rarity(self, word: str) -> float:
        return log(1.0 + (len(self.paths) - self._holders[word] + 0.5) / (self._holders[word] + 0.5))


def _score(path: str, parts: _Path, spoken: _Spoken, worth: Mapping[str, float]) -> float:
    own = sum(worth.get(word, 0.0) for word in parts.own)
    folders = sum(worth.get(word, 0.0) for word in parts.folders)
    total = _OWN_NAME * own / (2.0 + len(parts.own)) + _FOLDERS * folders / (1.0 + len(parts.folders))
    total += _named(path, spoken.paths) + _led_to(parts.pieces, spoken.modules)
    if len(parts.together) > 3 and parts.together in spoken.together:
        total += _WRITTEN_TOGETHER
    return total * parts.weight


def _named(path: str, named: Sequence[str]) -> float:
    """What a path is worth that the text names, in full or by its end."""
    for said in named:
        if said == path or said.endswith(f"/{path}"):
            return _PATH_NAMED
        if path.endswith(f"/{said}"):
            return _TAIL_NAMED
    return 0.0


def _led_to(pieces: tuple[str, ...], modules: frozenset[str]) -> float:
    """What dotted names and imports are worth that lead to a module, and to the folder it lies in."""
    worth = 0.0
    if any("/".join(pieces[start:]) in modules for start in range(len(pieces) - 1)):
        worth = _MODULE_NAMED
    elif pieces[-1] in modules:
        worth = _STEM_NAMED
    for size in range(len(pieces) - 1, 1, -1):
        if "/".join(pieces[:size]) in modules:
            return worth + _PACKAGE_NAMED * size
    return worth
