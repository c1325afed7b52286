"""A fixed retrieval of candidate files from an issue's text and the repository's paths: what state is made from.

BM25 over the words of paths, with the issue as query, and a bonus for paths the issue names. It sees the issue and the
file list and never the reference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from msgspec import Struct

from proctor.suites.binding.swebench.paths import is_test

_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[a-z]+|[0-9]+")
_PATH = re.compile(r"[\w./-]+\.py\b")
_DOTTED = re.compile(r"\b[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)+")
_K1, _B = 1.2, 0.5
_NAMED = 12.0
"""What a path named outright is worth: more than any overlap of words."""
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "the and for with that this from not are was when have has but you can will init py in is it of to an be as on "
        "or if we my so no do by at",
    )
)


class Candidate(Struct, frozen=True):
    """A file with its score."""

    path: str
    score: float


def words(text: str) -> list[str]:
    """Lower-case words; `snake_case` and `CamelCase` are taken apart."""
    lowered = (word.lower() for word in _WORD.findall(text.replace("_", " ")))
    return [word for word in lowered if len(word) > 1 and word not in _COMMON]


class Retrieval:
    """Candidates within one repository at one commit. Tests are left out."""

    def __init__(self, tree: Sequence[str]) -> None:
        self.paths = tuple(path for path in tree if not is_test(path))
        self._words = [Counter(words(path.removesuffix(".py"))) for path in self.paths]
        self._lengths = [sum(counts.values()) for counts in self._words]
        # Paths may be too short to hold a word: no score then, and no division by nothing.
        self._mean = sum(self._lengths) / max(1, len(self._lengths)) or 1.0
        self._holders = Counter(word for counts in self._words for word in counts)

    def candidates(self, text: str, most: int) -> tuple[Candidate, ...]:
        """The best `most` files for a text, best first; equal scores by path."""
        query = Counter(words(text))
        named = _named(text)
        scored = [
            Candidate(path, self._score(number, query) + _NAMED * _is_named(path, named))
            for number, path in enumerate(self.paths)
        ]
        scored.sort(key=lambda candidate: (-candidate.score, candidate.path))
        return tuple(scored[:most])

    def _score(self, number: int, query: Counter[str]) -> float:
        counts, length = self._words[number], self._lengths[number]
        total, norm = 0.0, _K1 * (1.0 - _B + _B * length / self._mean)
        for word, count in counts.items():
            if word in query:
                rarity = log(1.0 + (len(self.paths) - self._holders[word] + 0.5) / (self._holders[word] + 0.5))
                # A word the issue repeats counts for more, and less so each time.
                total += rarity * count * (_K1 + 1.0) / (count + norm) * (1.0 + log(query[word]))
        return total


def _named(text: str) -> tuple[str, ...]:
    """Tails of paths the text names: files outright, and dotted names as modules."""
    files = [match.lstrip("./") for match in _PATH.findall(text)]
    modules: list[str] = []
    for dotted in _DOTTED.findall(text):
        pieces = dotted.split(".")
        modules += ["/".join(pieces[:size]) + ".py" for size in range(2, min(len(pieces), 7) + 1)]
    return tuple(dict.fromkeys((*files, *modules)))


def _is_named(path: str, named: Sequence[str]) -> bool:
    return any(path == tail or path.endswith(f"/{tail}") for tail in named)
