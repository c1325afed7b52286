"""What becomes of a run's identity when the sources are changed: mutants made by hand and mutants made at random.

python -m tests.validity.identity      # tries all of them and prints the tables of docs/validity.md
"""

from __future__ import annotations

import ast
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Literal, NamedTuple

from proctor.engine.probing.identity import origin_of
from proctor.plugins.sources import source_files
from tests.validity.mutants import EVENTS, LOCK, MUTANTS, ORDERS, PIPELINE, SERVICE, TICKETS, TRACK, Mutant
from tests.validity.mutations import Mutation, mutations
from tests.validity.source_copy import SOURCES, Part, SourceCopy

Outcome = Literal["refused", "changed", "survived", "broken", "not importable"]
"""`refused`: because behaviour differs from the release; `broken`: freezing failed for another reason."""

BY_IDENTITY = "differ from its release"
"""What every refusal by a probe says, of a family or of the bench."""
SEED = 20260101
KINDS = ("comparison", "number", "text", "and/or", "negation")
PARTS = (TRACK, ORDERS, PIPELINE, LOCK, TICKETS, EVENTS, SERVICE)
OWN_PER_PART, SHARED_PER_PART = 5, 2
"""Mutants of files in the family's own folder, and of files it shares with others."""
DECIDING = ("suites", "worlds")
"""Packages of which mutants are made: they draw, show and judge. What lies below serves others as well."""
CHECKING = frozenset({"suites/kit/ceiling.py", "worlds/answers/formats.py", "worlds/answers/misses.py"})
"""Files of these packages that serve checks of families: no run uses them."""
CHECKS = frozenset({"attainable"})
"""Functions of families that serve the same checks."""


class Tried(NamedTuple):
    """What a change of the sources led to."""

    outcome: Outcome
    detail: str

    @property
    def noticed(self) -> bool:
        return self.outcome in ("refused", "changed")


class Generated(NamedTuple):
    """A change made at random to one of the files behind a family."""

    part: Part
    file: str
    own: bool
    """Whether the file lies in the family's own folder."""
    mutation: Mutation

    def described(self, source: str) -> str:
        return f"{self.file}:{self.mutation.line} ({self.part.label}) {self.mutation.described(source)}"


class Bench:
    """One copy of the sources, on which mutants are tried one after another."""

    def __init__(self, folder: Path) -> None:
        self.copy = SourceCopy(folder)
        self._unchanged: dict[Part, str] = {}

    def unchanged(self, part: Part) -> str:
        """The configuration hash of a part with the sources as they are."""
        if part not in self._unchanged:
            frozen = self.copy.freeze(part)
            assert frozen.config_hash is not None, frozen.refused
            self._unchanged[part] = frozen.config_hash
        return self._unchanged[part]

    def try_text(self, part: Part, file: str, text: str) -> Tried:
        """Freeze a part of a suite with another text in one file."""
        before = self.unchanged(part)
        with self.copy.edited(file, text):
            frozen = self.copy.freeze(part, file=file)
        if frozen.not_importable is not None:
            return Tried("not importable", frozen.not_importable)
        if frozen.refused is not None:
            return Tried("refused" if BY_IDENTITY in frozen.refused else "broken", frozen.refused)
        return Tried("survived" if frozen.config_hash == before else "changed", "")

    def try_mutant(self, mutant: Mutant) -> Tried:
        return self.try_text(mutant.part, mutant.file, mutant.of(self.copy.text(mutant.file)))

    def try_generated(self, generated: Generated) -> Tried:
        """Like the others; a survivor's detail is why it survived, as far as that can be told without reading it."""
        source = self.copy.text(generated.file)
        text = generated.mutation.of(source)
        tried = self.try_text(generated.part, generated.file, text)
        if tried.outcome != "survived":
            return tried
        line = generated.mutation.line
        if not _in_function(source, line):
            return Tried("survived", "a constant on which nothing that a probe records depends")
        with self.copy.edited(generated.file, text):
            frozen = self.copy.freeze(generated.part, file=generated.file, lines=(line,))
        if line in frozen.reached:
            return Tried("survived", "probes run it, and nothing they record depends on it")
        return Tried("survived", "no probe runs it")


def generated(parts: Iterable[Part] = PARTS, seed: int = SEED) -> Iterator[Generated]:
    """Mutants of the files behind each part's family, the kinds of change taking turns."""
    for part in parts:
        draw = random.Random(f"{seed}/{part.label}")
        sites: dict[tuple[bool, str], list[Generated]] = {}
        for file, own in _deciding_files(part).items():
            for mutation in mutations((SOURCES / file).read_text(encoding="utf-8"), without=CHECKS):
                sites.setdefault((own, mutation.kind), []).append(Generated(part, file, own, mutation))
        for own, count in ((True, OWN_PER_PART), (False, SHARED_PER_PART)):
            kinds = [kind for kind in KINDS if sites.get((own, kind))]
            draw.shuffle(kinds)
            for kind in islice(cycle(kinds), count):
                there = sites[own, kind]
                yield there.pop(draw.randrange(len(there)))


def _deciding_files(part: Part) -> dict[str, bool]:
    """The files behind a part's family that draw, show or judge, and whether they lie in its own folder."""
    modules = [origin_of(name).module for name in part.only]
    paths = source_files(modules)
    folders = {paths[module].parent for module in modules}
    files: dict[str, bool] = {}
    for path in sorted(paths.values()):
        file = path.relative_to(SOURCES)
        if path.suffix == ".py" and file.parts[0] in DECIDING and str(file) not in CHECKING:
            files[str(file)] = any(path.is_relative_to(folder) for folder in folders)
    return files


def _in_function(source: str, line: int) -> bool:
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.Lambda))
    return any(node.lineno <= line <= (node.end_lineno or node.lineno) for node in functions)


def main() -> None:
    """Try everything and print it."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        by_hand = [(mutant, bench.try_mutant(mutant)) for mutant in MUTANTS]
        at_random = [(one, bench.try_generated(one)) for one in generated()]
        described = [(one, one.described(bench.copy.text(one.file)), tried) for one, tried in at_random]
    print("| change | mutants | refused | hash changed | survived |\n| --- | ---: | ---: | ---: | ---: |")
    _print_counts((mutant.category, tried) for mutant, tried in by_hand)
    _print_counts((f"at random, {'own' if one.own else 'shared'} files", tried) for one, _, tried in described)
    for mutant, tried in by_hand:
        if not tried.noticed:
            print(f"- {mutant.category}: {mutant.what}: {mutant.survives or tried.detail or 'unexpected'}")
    for _, label, tried in described:
        if not tried.noticed:
            print(f"- at random: {label}: {tried.outcome}: {tried.detail}")


def _print_counts(tried: Iterable[tuple[str, Tried]]) -> None:
    counts: dict[str, Counter[Outcome]] = {}
    for name, one in tried:
        counts.setdefault(name, Counter())[one.outcome] += 1
    for name, count in counts.items():
        importable = count.total() - count["not importable"] - count["broken"]
        print(f"| {name} | {importable} | {count['refused']} | {count['changed']} | {count['survived']} |")


if __name__ == "__main__":
    main()
