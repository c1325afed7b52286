"""Verifying a run where it lies, in a store."""

from __future__ import annotations

import json
from hashlib import sha256

from proctor.core.canonical import canonical
from proctor.core.errors import IntegrityError, StoreError
from proctor.evidence.bundle import report
from proctor.evidence.bundle.attached import check_attachments
from proctor.evidence.bundle.check import Claims, RunCheck
from proctor.evidence.bundle.declared import Declared, MakeOrder
from proctor.evidence.bundle.digests import Digests, digest_bytes
from proctor.evidence.bundle.report import Damage, Findings, VerifyReport
from proctor.evidence.bundle.stored import finished_run
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.grammar.tasks import MakeTasks
from proctor.evidence.grammar.tools import may_be_tools
from proctor.evidence.store.contract import EvidenceStore, RunRecord, StoredEpisode


def verify_run(
    store: EvidenceStore, number: int, *, plan: MakeOrder | None = None, tasks: MakeTasks | None = None
) -> VerifyReport:
    """Verify a finished run in a store; see `verify_bundle` for `plan` and `tasks`.

    A number that is not there and a run that is not finished are an `InputError`; damage is in the report.
    """
    record = finished_run(store, number, "verified")
    findings = Findings(report.RUN_CHECKS)
    try:
        _check(store, record, findings, plan, tasks)
    except StoreError as error:
        findings.problem(report.HEADS, f"store {store.location}", str(error).removeprefix(f"store {store.location}: "))
    except IntegrityError as damage:
        findings.damage(report.CONFIGURATION, damage)
    return findings.report(f"{store.location}, run {record.name}", run=record.name, root=record.root, seal=record.seal)


def _check(
    store: EvidenceStore,
    record: RunRecord,
    findings: Findings,
    plan: MakeOrder | None,
    make_tasks: MakeTasks | None,
) -> None:
    text = store.declared(record.number)
    try:
        frozen, inputs = json.loads(text.frozen), json.loads(text.inputs)
        canonical([frozen, inputs, record.execution])
    except (ValueError, TypeError, RecursionError) as error:
        raise Damage(f"cannot be read ({error})", where="declarations") from None
    if not digest_bytes(record.config_hash):
        raise Damage("is not 64 hex digits", where="config_hash")
    declared = Declared(frozen, where="declarations")
    traced = declared.frozen.rules.record_traces
    contents = _Contents(store, findings)
    run = RunCheck(
        findings,
        _claims(record),
        declared,
        store.stages(record.number),
        contents.use,
        contents.tools,
        None if plan is None else plan(declared.frozen),
        None if make_tasks is None else make_tasks(declared.frozen),
    )
    run.configuration(store.arms(record.number), inputs)
    try:
        for episode in store.episodes(record.number):
            if isinstance(episode, IntegrityError):
                findings.damage(report.ROWS, episode)
            else:
                trace = _trace(record.config_hash, episode, findings) if traced else None
                run.episode(episode.row, trace)
        run.finish(contents.known.count)
    finally:
        contents.known.close()
    check_attachments(store.attachments(record.number), findings)


def _trace(config_hash: str, episode: StoredEpisode, findings: Findings) -> Trace | None:
    trace = Trace(config_hash, episode.row.position)
    try:
        for piece in episode.pieces:
            trace.feed(piece)
    except IntegrityError as damage:
        findings.damage(report.HEADS, damage)
        return None
    trace.finish()
    trace.unreproducible = episode.row.aside
    return trace


class _Contents:
    """Looks values up in the store; each is hashed once."""

    def tools(self, name: str) -> bytes | None:
        """The bytes of a list of tools; None where there is none."""
        try:
            data = self._store.content(name) if digest_bytes(name) else None
        except IntegrityError:
            return None
        return data if data is not None and may_be_tools(data) else None

    def __init__(self, store: EvidenceStore, findings: Findings) -> None:
        self._store = store
        self._findings = findings
        self.known = Digests()

    def use(self, digest: bytes) -> bool:
        """Whether the value is there. One that is there and damaged is a problem of its own."""
        if self.known.use(digest):
            return True
        name = digest.hex()
        try:
            data = self._store.content(name)
        except IntegrityError as damage:
            self._findings.damage(report.CONTENTS, damage)
            data = None
        else:
            if data is None:
                return False
            if sha256(data).digest() != digest:
                self._findings.problem(report.CONTENTS, f"content {name[:12]}", "does not have this SHA-256")
        self.known.add(digest)
        return self.known.use(digest)


def _claims(record: RunRecord) -> Claims:
    return Claims(
        run=record.name,
        suite=record.suite,
        agent=record.agent,
        config_hash=record.config_hash,
        root=record.root or "",
        seal=record.seal or "",
        status=record.status,
        cut=record.cut,
        episodes=record.episodes,
        stored=None,
        execution=record.execution,
    )
