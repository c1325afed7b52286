"""Do the tests of the binding instrument notice when its meaning changes? Mutants made by hand and at random.

    python -m tests.validity.binding_bench [SEED [COUNT]]      # tries them and prints the table of docs/validity.md

A mutant is one change to one file, and is killed if a test fails, if the tests do not end, or if they can no longer be
imported. What is changed, declared before any was tried: comparisons, `and` and `or`, whole and decimal numbers, truth
values and results of predicates, below `instruments/binding` and in what it uses of `stats`. Not changed, since no
reader of a number could tell: texts, annotations, decorators, keywords of classes, `strict=`, tolerances of rounding
below 1e-6, and how much is worked on or kept at once (`_BLOCK`, `_LARGEST_TABLE`).

The golden record of a whole run is not among the tests: it would notice any other number, and not know which is right.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from tests.validity.binding_mutants import EQUIVALENT, INSTRUMENT, LOCALISATION
from tests.validity.forked_tests import ForkedTests, Outcome, Ran
from tests.validity.mutations import DECIMAL, KINDS, TRUTH, Mutation, mutations
from tests.validity.source_copy import REPOSITORY, SOURCES, SourceCopy, module_name

SEED, COUNT = 20260101, 100
CHANGED = KINDS - {"text"} | {DECIMAL, TRUTH}
USED_OF_STATS: dict[str, frozenset[str]] = {
    "stats/agreement.py": frozenset({"raw_agreement", "fleiss_kappa", "_fleiss_without_each"}),
    "stats/bootstrap.py": frozenset(),
    "stats/differences.py": frozenset(
        {"newcombe", "newcombe_paired", "welch", "prediction_test", "_Contrast", "_tested", "_constant"}
    ),
    "stats/entropy.py": frozenset({"entropy"}),
    "stats/intervals.py": frozenset({"proportion", "rate_ceiling", "counts_by_cluster", "_LARGEST_TABLE"}),
    "stats/mixed.py": frozenset(),
    "stats/paired.py": frozenset({"mcnemar", "wilcoxon", "holm", "_BLOCK"}),
    "stats/resampling.py": frozenset({"_BLOCK"}),
    "stats/semantic.py": frozenset({"_BLOCK"}),
}
"""Files of `stats` that the instrument computes with, and what in them it does not use or is of no meaning."""
_OF_INSTRUMENT = ("tests/unit/instruments/binding", "tests/golden")
_OF_STUDY = "tests/unit/instruments/predictive"
_OF_STATS = "tests/unit/stats"


class Drawn(NamedTuple):
    """A change at one place of one file."""

    file: str
    mutation: Mutation

    def described(self, source: str) -> str:
        line = source.splitlines()[self.mutation.line - 1].strip()
        return f"{self.file}:{self.mutation.line} {self.mutation.described(source)} in `{line}`"

    def equivalent(self, source: str) -> bool:
        """Whether it is listed as one that no input can tell."""
        line = self.mutation.of(source).splitlines()[self.mutation.line - 1].strip()
        return any((one.file, one.line) == (self.file, line) for one in EQUIVALENT)


class Bench:
    """One copy of the sources, on which mutants are tried one after another. A context manager."""

    def __init__(self, folder: Path) -> None:
        self.copy = SourceCopy(folder)
        self._tests = ForkedTests(REPOSITORY, self.copy.package.parent)

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tests.__exit__(kind, error, trace)

    def unchanged(self) -> Ran:
        """All tests with the sources as they are."""
        changed = [*instrument_files(), LOCALISATION]
        return self._tests.run(sorted({name for file in changed for part in tried_on(file) for name in part}))

    def try_text(self, file: str, text: str) -> Ran:
        """The tests of one file with another text of it."""
        assert text != self.copy.text(file), f"{file} is as it was"
        naming, beside = tried_on(file)
        with self.copy.edited(file, text):
            ran = self._tests.run(naming) if naming else Ran("passed", "")
            if ran.outcome == "passed":
                ran = self._tests.run(beside)
        assert ran.outcome != "broken", ran.said
        return ran

    def try_drawn(self, drawn: Drawn) -> Ran:
        return self.try_text(drawn.file, drawn.mutation.of(self.copy.text(drawn.file)))


def instrument_files() -> list[str]:
    """The files that are changed."""
    own = sorted((SOURCES / INSTRUMENT).glob("*.py"))
    return [*(path.relative_to(SOURCES).as_posix() for path in own), *USED_OF_STATS]


def drawn(seed: int = SEED, count: int = COUNT) -> list[Drawn]:
    """So many of all places, each as likely as any other.

    A place is drawn by what it says and not by its number: after a change of the sources most mutants are those of
    before.
    """
    ranked = sorted((sha256(f"{seed}/{place}".encode()).digest(), one) for place, one in _places())
    return sorted(one for _, one in ranked[:count])


def _places() -> Iterator[tuple[str, Drawn]]:
    for file in instrument_files():
        source = (SOURCES / file).read_text(encoding="utf-8")
        lines = source.splitlines()
        seen: Counter[str] = Counter()
        without = USED_OF_STATS.get(file, frozenset[str]())
        for mutation in mutations(source, without=without, kinds=CHANGED, declarations=False):
            place = f"{file}/{mutation.kind}/{lines[mutation.line - 1].strip()}"
            seen[place] += 1
            yield f"{place}/{seen[place]}", Drawn(file, mutation)


def tried_on(file: str) -> tuple[list[str], list[str]]:
    """The test files that a change of this file is tried on: those that name its module, and all others after them."""
    folders: tuple[str, ...] = _OF_INSTRUMENT
    if file.startswith("stats/"):
        folders = (_OF_STATS, *_OF_INSTRUMENT)
    elif file == LOCALISATION:
        folders = (_OF_STUDY,)
    listed = [path for folder in folders for path in sorted((REPOSITORY / folder).glob("test_*.py"))]
    naming = [path for path in listed if _names(path, module_name(file))]
    # Of the statistics only tests that name the module are asked; golden tests are those of published tables.
    beside = [
        path
        for path in listed
        if path not in naming and path.parent != REPOSITORY / _OF_STATS and path.name != "test_readings.py"
    ]
    named, others = ([path.relative_to(REPOSITORY).as_posix() for path in part] for part in (naming, beside))
    return named, others


def _names(path: Path, module: str) -> bool:
    package, _, name = module.rpartition(".")
    source = path.read_text(encoding="utf-8")
    direct = rf"\b{re.escape(module)}\b"
    return re.search(rf"{direct}|from {re.escape(package)} import [^\n]*\b{name}\b", source) is not None


def killed(outcome: Outcome) -> bool:
    """Whether the change was noticed."""
    return outcome != "passed"


def main(arguments: Sequence[str]) -> None:
    """Try everything and print it."""
    seed = int(arguments[0]) if arguments else SEED
    count = int(arguments[1]) if len(arguments) > 1 else COUNT
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder)) as bench:
        for one in drawn(seed, count):
            ran = bench.try_drawn(one)
            source = bench.copy.text(one.file)
            mark = "killed" if killed(ran.outcome) else "equivalent" if one.equivalent(source) else "SURVIVED"
            counts.setdefault(one.mutation.kind, Counter())[mark] += 1
            print(f"{mark}: {one.described(source)}: {ran.outcome}: {ran.said}", flush=True)
    print("| change | mutants | killed | no input can tell | survived |\n| --- | ---: | ---: | ---: | ---: |")
    counts["all"] = sum(counts.values(), Counter())
    for kind, of_kind in sorted(counts.items()):
        columns = (of_kind.total(), of_kind["killed"], of_kind["equivalent"], of_kind["SURVIVED"])
        print(f"| {kind} | {' | '.join(map(str, columns))} |")


if __name__ == "__main__":
    main(sys.argv[1:])
