"""The dataset as it lies in a folder: issues and the file list of each issue's repository.

`issues.jsonl[.gz]` has instance_id, repo, base_commit, problem_statement and patch (the reference, for the scorer
alone); `trees.jsonl[.gz]` has instance_id and py, every Python path of the repository at that commit. Proctor ships
neither: the records belong to their authors.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, file_hash
from proctor.suites.binding.swebench.paths import is_test
from proctor.suites.binding.swebench.ranking import Ranking
from proctor.suites.binding.swebench.retrieval import Candidate, Retrieval

_CHANGED = re.compile(r"^\+\+\+ b/(.+)$", re.MULTILINE)


class Issue(Struct, frozen=True):
    """One record."""

    id: str
    repo: str
    text: str
    reference: tuple[str, ...]
    """The implementation files of the tree that the reference patch changes. The scorer's."""
    tree: frozenset[str]


class Edition(Struct, frozen=True):
    """How a version of the family makes what it shows of a dataset."""

    family: str
    """The family's name."""
    retrieval: type[Retrieval] | type[Ranking]
    candidates: int
    """Files that retrieval puts before an agent."""
    cue: str
    """The fields in which a cue, a habit and advice are shown: a model reads their names."""
    habit: str
    advice: str


FIRST = Edition("swebench-localisation", Retrieval, 20, cue="x-cue", habit="x-prior", advice="x-repair")
SECOND = Edition("issue-localisation", Ranking, 40, cue="x-remark", habit="x-elsewhere", advice="x-advice")
"""Of suite 2.0: a better list of candidates, and no field whose name says what it is there for."""


class Dataset:
    """All issues of a folder, in the order of the file."""

    def __init__(self, folder: Path, edition: Edition = SECOND) -> None:
        self.edition = edition
        issues, trees = _file(folder, "issues"), _file(folder, "trees")
        self.digest = content_hash([file_hash(issues), file_hash(trees)])
        listed = _trees(trees)
        needed = ("repo", "problem_statement", "patch")
        self.issues = tuple(_issue(record, listed, issues) for record in _records(issues, needed))
        if len({issue.id for issue in self.issues}) < len(self.issues):
            message = f"{issues}: an instance_id occurs twice; every issue has to be there once"
            raise InputError(message)
        if len(self.issues) < 2:
            message = f"{issues}: {len(self.issues)} issues; give two or more, since each is also shown another's notes"
            raise InputError(message)

    @cached_property
    def repositories(self) -> dict[str, tuple[int, ...]]:
        """The places of each repository's issues."""
        by_repository: dict[str, list[int]] = {}
        for index, issue in enumerate(self.issues):
            by_repository.setdefault(issue.repo, []).append(index)
        return {repo: tuple(indices) for repo, indices in by_repository.items()}

    def elsewhere(self, repo: str) -> frozenset[str]:
        """Every path that a repository other than this one has."""
        if repo not in self._elsewhere:
            others = (issue.tree for issue in self.issues if issue.repo != repo)
            self._elsewhere[repo] = frozenset().union(*others)
        return self._elsewhere[repo]

    @cached_property
    def _elsewhere(self) -> dict[str, frozenset[str]]:
        return {}

    def candidates(self, index: int) -> tuple[Candidate, ...]:
        """The fixed retrieval for one issue; kept, since an issue is lived many times."""
        if index not in self._candidates:
            issue = self.issues[index]
            ranked = self.edition.retrieval(sorted(issue.tree))
            self._candidates[index] = ranked.candidates(issue.text, self.edition.candidates)
        return self._candidates[index]

    @cached_property
    def _candidates(self) -> dict[int, tuple[Candidate, ...]]:
        return {}


def _trees(path: Path) -> dict[str, frozenset[str]]:
    """The file list of each issue's repository."""
    trees: dict[str, frozenset[str]] = {}
    for tree in _records(path, ()):
        name, files = tree["instance_id"], tree.get("py")
        if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
            message = f"{path}: the record of '{name}' has no list of paths under py; it needs every Python path"
            raise InputError(message)
        if name in trees:
            message = f"{path}: '{name}' has two file lists; every issue has to have one"
            raise InputError(message)
        trees[name] = frozenset(files)
    return trees


def _issue(record: dict[str, Any], trees: dict[str, frozenset[str]], source: Path) -> Issue:
    name = record["instance_id"]
    if name not in trees:
        message = f"{source}: issue '{name}' has no file list; trees.jsonl needs a record with its instance_id"
        raise InputError(message)
    tree = trees[name]
    # A file that a patch creates is none that could be located.
    changed = tuple(path for path in _CHANGED.findall(record["patch"]) if path in tree and not is_test(path))
    if not changed:
        message = (
            f"{source}: nothing of issue '{name}' can be located: no implementation file of its list is changed by its "
            "patch; leave the issue out"
        )
        raise InputError(message)
    return Issue(name, record["repo"], record["problem_statement"], changed, tree)


def _file(folder: Path, stem: str) -> Path:
    for name in (f"{stem}.jsonl.gz", f"{stem}.jsonl"):
        if (folder / name).is_file():
            return folder / name
    message = f"{folder}: there is no {stem}.jsonl or {stem}.jsonl.gz; a dataset folder holds issues and trees"
    raise InputError(message)


def _records(path: Path, needed: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        try:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                record = json.loads(line)
                wanted = ("instance_id", *needed)
                lacking = [
                    name for name in wanted if not isinstance(record, dict) or not isinstance(record.get(name), str)
                ]
                if lacking:
                    message = f"{path}, line {number}: no text under {', '.join(lacking)}; each record needs it"
                    raise InputError(message)
                yield record
        except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError, RecursionError, zlib.error) as error:
            message = f"{path}: cannot be read as JSON lines ({error})"
            raise InputError(message) from None
