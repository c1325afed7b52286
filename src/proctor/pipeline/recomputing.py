"""Verdicts worked out again, in a process that nothing of the project could have touched.

The rows of a run were written by a process that had loaded the project's families, and whatever else was installed or
on its path there. Code in such a process can replace the comparator, and every row is right then. So before the gate
decides, a fresh interpreter (no environment variables of Python's, no `site`, so no `.pth` file, no `sitecustomize`, no
user packages, and only Proctor and what it depends on to import) takes what the agent did from the record, lives it
again in a fresh world and compares every verdict and measure. Families that are scenarios and nothing else reach it as
data; code of the project's own is loaded only where it judges itself, and then as pinned (`pinned.py`), from sources.

What this cannot show: acts that the recording process made up. Who runs the bench has to be trusted with that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.errors import BenchError, InputError, IntegrityError
from proctor.core.hashing import content_hash
from proctor.evidence.store.contract import EvidenceStore
from proctor.plugins.own_sources import ApprovedSources, approve_only, approved
from proctor.spec.frozen import FrozenRun

SECONDS = 3600
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]) + sys.path; "
    "from proctor.pipeline.recomputing import main; main()"
)


class Recomputed(msgspec.Struct, frozen=True):
    """What living a run again showed."""

    episodes: int
    unclear: int
    """Episodes that came out otherwise, where honest evidence can."""
    first: str = ""
    """The first of them, in words; with further ones how many there are, and a digest of all."""


class _Request(msgspec.Struct, frozen=True):
    store: str
    run: str
    folder: str
    sets: dict[str, Any]
    """Families that are scenarios and nothing else: reference → the set."""
    approved: ApprovedSources | None
    """Which code of the project's own may be loaded."""


def recompute(store: EvidenceStore, run: str, folder: Path) -> Recomputed:
    """Every verdict of a run, worked out again in a clean process; refused where one does not follow from the acts."""
    frozen = store.frozen(store.run(run).number)
    request = _Request(store.location, run, str(folder.resolve()), _plain_sets(frozen, folder), approved())
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _BOOT, json.dumps(_import_path())],
        input=msgspec.json.encode(request),
        capture_output=True,
        check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LD_"))},
        timeout=SECONDS,
    )
    try:
        answer = msgspec.json.decode(done.stdout, type=dict[str, Any])
    except msgspec.DecodeError:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        message = f"the verdicts of run {run} could not be worked out again ({said[-1] if said else 'no answer'})"
        raise BenchError(message) from None
    if "refused" in answer:
        message = (
            f"the verdicts of run {run} cannot be worked out again by a clean process, which sees installed packages "
            f"and neither PYTHONPATH nor `.pth` files: {answer['refused']}"
        )
        raise InputError(message)
    if answer["forged"]:
        message = (
            f"{answer['forged']}; what is on record was not judged by this bench, and the gate does not decide on it"
        )
        raise IntegrityError(message, where=f"run {run}")
    return Recomputed(answer["episodes"], answer["unclear"], answer["first"])


def _plain_sets(frozen: FrozenRun, folder: Path) -> dict[str, Any]:
    from proctor.engine.names import load_family
    from proctor.suites.quality.family import ScenarioFamily

    sets = {}
    for one in frozen.families:
        if one.reference.partition(":")[0].endswith(".py"):
            family = load_family(one.reference, folder)
            if type(family) is ScenarioFamily:
                sets[one.reference] = jsonable(family.scenarios)
    return sets


def _import_path() -> list[str]:
    """Where Proctor and what it depends on lie; folders of installed packages, and no `.pth` file is followed."""
    own = Path(__file__).resolve().parents[2]
    return list(dict.fromkeys([str(own), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]))


def main() -> None:
    """Answer one request, in the clean process."""
    from proctor.core.errors import ProctorError

    request = msgspec.json.decode(sys.stdin.buffer.read(), type=_Request)
    approve_only(request.approved)
    try:
        answer = _answer(request)
    except ProctorError as error:
        answer = {"refused": " ".join(str(error).split())}
    sys.stdout.buffer.write(msgspec.json.encode(answer))


def _answer(request: _Request) -> dict[str, Any]:
    from proctor.engine.family import Family
    from proctor.engine.names import load_family
    from proctor.engine.reverifying import reverify
    from proctor.engine.stores import open_store
    from proctor.spec.scenario import ScenarioSet
    from proctor.suites.quality.family import ScenarioFamily

    families: dict[str, Family] = {}
    with open_store(request.store, create=False) as store:
        record = store.run(request.run)
        for one in store.frozen(record.number).families:
            family: Family
            if one.reference in request.sets:
                family = ScenarioFamily(ScenarioSet.parse(request.sets[one.reference], source=one.reference))
            else:
                family = load_family(one.reference, Path(request.folder))
            if family.spec != one.spec:
                message = f"family {one.spec.full_name} is not what it was in run {request.run}; run the suite again"
                raise InputError(message)
            families[one.reference] = family
        found = reverify(store, record, families)
    firm = next((one for one in found.mismatches if one.firm), None)
    unclear = [f"episode {one.position}: {one.what}" for one in found.mismatches if not one.firm]
    return {
        "episodes": found.episodes,
        "forged": "" if firm is None else f"episode {firm.position} of {firm.family}: {firm.what}",
        "unclear": len(unclear),
        "first": _in_words(unclear),
    }


def _in_words(unclear: list[str]) -> str:
    """The first of these; what an answer binds is these words, so they tell the others apart as well."""
    if len(unclear) < 2:
        return "".join(unclear)
    return f"{unclear[0]}, and {len(unclear) - 1} more; sha256 of all: {content_hash(unclear)}"
