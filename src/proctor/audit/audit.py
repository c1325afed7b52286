"""An audit: what was published is held against its evidence, and a determination is given with its reasons.

Everything is done on a private copy in a temporary folder; the auditor's own stores and projects play no part in a
reading. Nothing that a bundle names is run: families are loaded by name from what is installed, files only from a
folder that the auditor gave, an agent only where it is built in or the auditor named it.
"""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from pathlib import Path

from proctor.audit.determination import (
    REHASHED,
    Check,
    Determination,
    determine,
    earlier_determinations,
)
from proctor.audit.of_acts import rerun_check, reverify_check
from proctor.audit.of_files import File, documents_check, evidence_check, signature_check
from proctor.audit.of_runs import (
    Run,
    artifacts_check,
    criteria_check,
    published_check,
    read_all,
    reading_check,
    series_check,
)
from proctor.audit.published import Published, read_published
from proctor.audit.request import Request
from proctor.core.errors import InputError, ProctorError
from proctor.engine.checking import ORDER
from proctor.engine.frozen_families import families_here
from proctor.engine.stores import open_store
from proctor.evidence.bundle import import_bundle
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.contract import EvidenceStore
from proctor.pipeline.keys import Keyring

_FURTHER = ("artifacts", "criteria", "series", "reading", "published", "reverify", "rerun")
ACTED = (
    "Whether the agent really did what is on record shows only where it acts again (--rerun N), or where its tasks "
    "could not be known before (a preregistration with a hidden seed)."
)


def audit(request: Request) -> Determination:
    """The determination on these bundles. Refuses only what cannot be asked; whatever is wrong is in the answer."""
    published = [read_published(path) for path in request.reports]
    files = [File.read(path) for path in request.bundles]
    _require_different(files)
    if request.signed_by is not None and Keyring(request.project).public(request.signed_by) is None:
        message = (
            f"--signed-by {request.signed_by}: there is no {Keyring(request.project).folder.name}/"
            f"{request.signed_by}.pub here; put the public key there that its owner gave you"
        )
        raise InputError(message)
    checks = [evidence_check(files), documents_check(files)]
    declared: dict[str, str | None] = {}
    further: list[Check] = []
    if checks[0].state == "ok":
        with tempfile.TemporaryDirectory(prefix="proctor-audit-") as folder:
            further = _of_runs(Path(folder), files, request, published, declared)
    else:
        why = "not possible with evidence that does not verify"
        further = [Check(name, "not possible", why) for name in _FURTHER]
    signature, vouched = signature_check(files, request.project, request.signed_by, declared)
    checks.insert(1, signature)
    checks += further
    checks += _earlier(files, Keyring(request.project))
    return determine(
        [file.subject for file in files], checks, _limits(checks, vouched), f"proctor {version('proctor')}"
    )


def _require_different(files: list[File]) -> None:
    seen: dict[str, File] = {}
    for file in files:
        run = file.report.run
        if run is not None and run in seen:
            message = f"{file.path} and {seen[run].path} are both of run {run}; give each run once"
            raise InputError(message)
        if run is not None:
            seen[run] = file


def _of_runs(
    folder: Path, files: list[File], request: Request, published: list[Published], declared: dict[str, str | None]
) -> list[Check]:
    with open_store(str(folder / "audit.db"), create=True) as store:
        try:
            runs = _imported(store, files, request)
        except ProctorError as error:
            detail = f"cannot be read as a run: {' '.join(str(error).split())}"
            return [
                Check("reading", "insufficient", detail),
                *(Check(name, "not possible", "the runs cannot be read") for name in _FURTHER if name != "reading"),
            ]
        for run in runs:
            declared[run.evidence.run] = getattr(run.evidence.frozen.evaluation, "key", None)
        project = folder / "project"
        project.mkdir()
        readings = read_all(runs, store, project)
        return [
            artifacts_check(store, runs),
            criteria_check(runs),
            series_check(runs, request.preregistration),
            reading_check(runs, readings),
            published_check(store, runs, readings, published, project),
            reverify_check(store, runs, request),
            rerun_check(store, runs, request),
        ]


def _imported(store: EvidenceStore, files: list[File], request: Request) -> list[Run]:
    names = [(file, import_bundle(file.path, store, plan=ORDER, apart=True)) for file in files]
    runs = []
    for file, name in names:
        evidence = evidence_of(store, name)
        if (evidence.run, evidence.root) != (name, file.report.root):
            # A run can be called `latest`, or like the beginning of another: it must not be taken for that one.
            message = f"{file.path.name}: its run is called {name}, which stands for another run here"
            raise InputError(message)
        runs.append(Run(file.path.name, evidence, families_here(evidence.frozen, request.families)))
    return runs


def _earlier(files: list[File], keyring: Keyring) -> list[Check]:
    """What audits before this one found: shown, and not believed."""
    roots = [file.report.root for file in files if file.report.root is not None]
    found = []
    for file in files:
        for one in earlier_determinations(file.documents, roots):
            who = "unsigned" if one.signer is None else f"signed with {one.signer.key[:60]!a}"
            known = "" if one.signer is None or keyring.knows(one.signer) else ", a key that nobody here knows"
            found.append(f"{one.name}: {one.determination[:60]}, {who}{known}")
    return [Check("earlier audits", "ok", "; ".join(found))] if found else []


def _limits(checks: list[Check], vouched: bool) -> list[str]:
    """What this audit could not have found."""
    states = {check.name: check.state for check in checks}
    limits = []
    if not vouched and states.get("reverify") != "ok":
        limits.append(REHASHED)
    elif not vouched:
        limits.append(
            "What people rated, and what was published elsewhere, cannot be carried out again: without a signature "
            "with a known key an exchanged document would not show."
        )
    if states.get("rerun") != "ok":
        limits.append(ACTED)
    return limits
