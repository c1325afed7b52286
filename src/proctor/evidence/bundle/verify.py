"""Verifying a bundle: every digest computed again, every row compared, every byte accounted for.

What is wrong is reported, not raised. A file from a stranger is only read, never extracted; what it may cost is bounded
before it is incurred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from proctor.core.errors import ProctorError
from proctor.evidence.bundle import layout, report
from proctor.evidence.bundle.archive import first_name
from proctor.evidence.bundle.attached import check_attached_members
from proctor.evidence.bundle.check import Claims, RunCheck, pair_by_position
from proctor.evidence.bundle.declared import Declared, MakeOrder, Order
from proctor.evidence.bundle.digests import Digests
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import LIMITS, Limits, MadeWith, Manifest
from proctor.evidence.bundle.read import (
    Bundle,
    find_members,
    read_arms,
    read_declarations,
    read_manifest,
    read_stages,
)
from proctor.evidence.bundle.report import Damage, Findings, VerifyReport, short_text
from proctor.evidence.bundle.rows import RowsWriter, read_rows
from proctor.evidence.grammar.tasks import MakeTasks, Tasks
from proctor.evidence.grammar.tools import may_be_tools
from proctor.evidence.row import OUTCOMES, Arm, Row

_MOST_TOOLS = 64 * 2**20
"""Bytes of lists of tools that are kept while episodes are read."""


def verify_bundle(
    path: Path | str, *, plan: MakeOrder | None = None, tasks: MakeTasks | None = None, limits: Limits = LIMITS
) -> VerifyReport:
    """Verify a bundle.

    `plan` (usually `proctor.engine.plan.Plan`) makes the order of presentation, so that each row's arm can be derived
    from seed and suite too; `tasks` (usually `proctor.engine.tasks_again.TasksAgain`) makes the tasks again, where
    their families are here. The file is read in this process: one from a stranger is for `verify_apart`. A file that is
    missing or is no regular file is an `InputError`; anything else that is wrong is in the report.
    """
    with Source(Path(path)) as source:
        return examine(source, plan, limits, tasks)[0]


def examine(
    source: Source, plan: MakeOrder | None, limits: Limits, tasks: MakeTasks | None = None
) -> tuple[VerifyReport, Bundle | None]:
    """The report on an opened file, and the bundle in it if it could be read that far."""
    findings = Findings(report.BUNDLE_CHECKS)
    subject = str(source.path)
    opened = check_outside(source, limits, findings)
    if opened is None:
        return findings.report(subject, run=None, root=None, seal=None), None
    bundle, manifest = opened
    _BundleRun(bundle, manifest, findings).check(plan, tasks)
    check_attached_members(bundle, manifest, findings)
    expected = layout.statement(manifest, bundle.members[layout.MANIFEST].sha256)
    if sha256(expected).hexdigest() != bundle.members[layout.STATEMENT].sha256:
        findings.problem(report.STATEMENT, layout.STATEMENT, "is not about this manifest, root and seal")
    findings.done(report.STATEMENT, f"in-toto, about {layout.MANIFEST} and root{_and_attachments(manifest)}")
    return findings.report(subject, run=manifest.run, root=manifest.root, seal=manifest.seal), bundle


def check_outside(source: Source, limits: Limits, findings: Findings) -> tuple[Bundle, Manifest] | None:
    """The first two checks, archive and checksums: no byte changes without being found here."""
    if first_name(source) != layout.DECLARATIONS:
        findings.problem(report.ARCHIVE, source.path.name, "not a Proctor bundle")
        return None
    members, damage = find_members(source, limits)
    if damage is not None:
        findings.damage(report.ARCHIVE, damage)
    if layout.SUMS not in members:
        return None
    for member in members.values():
        if not member.intact:
            message = "its content does not match the checksum in its header"
            findings.problem(report.ARCHIVE, member.name, message)
    findings.done(report.ARCHIVE, f"{len(members)} members, {source.size} bytes, all accounted for")
    bundle = Bundle(source, members, limits)
    _check_sums(bundle, findings)
    try:
        manifest = read_manifest(bundle)
    except Damage as unreadable:
        findings.damage(report.CHECKSUMS, unreadable)
        return None
    _check_listing(bundle, manifest, findings)
    findings.done(report.CHECKSUMS, f"{len(members) - 1} members match their SHA-256")
    return bundle, manifest


def _check_sums(bundle: Bundle, findings: Findings) -> None:
    expected = layout.checksums(bundle.members.values())
    try:
        actual = bundle.data(layout.SUMS)
    except Damage as damage:
        findings.damage(report.CHECKSUMS, damage)
        return
    if actual == expected:
        return
    lines = set(actual.split(b"\n"))
    wrong = 0
    for line in expected.splitlines():
        if line not in lines:
            wrong += 1
            name = line[66:].decode()
            findings.problem(report.CHECKSUMS, name, f"its SHA-256 is not the one in {layout.SUMS}")
    if not wrong:
        gone = [line[66:].decode("ascii", "replace") for line in lines - set(expected.split(b"\n"))]
        missing = _may_be_gone(gone) and _without(actual, gone) == expected
        message = "has lines that belong to no member, or in another order"
        findings.problem(report.CHECKSUMS, layout.SUMS, message, missing=missing)


def _check_listing(bundle: Bundle, manifest: Manifest, findings: Findings) -> None:
    expected = layout.member_entries(bundle.members.values())
    if manifest.members == expected:
        return
    stated = {entry.name: entry for entry in manifest.members}
    wrong = [entry for entry in expected if stated.get(entry.name) != entry]
    for entry in wrong:
        findings.problem(report.CHECKSUMS, entry.name, "size or SHA-256 are not those in the manifest")
    if not wrong:
        here = {entry.name for entry in expected}
        gone = [name for name in stated if name not in here]
        left = tuple(entry for entry in manifest.members if entry.name in here)
        message = "lists members that are not there, or in another order"
        missing = _may_be_gone(gone) and left == expected
        findings.problem(report.CHECKSUMS, layout.MANIFEST, message, missing=missing)


def _may_be_gone(names: list[str]) -> bool:
    """Whether all of these are members without which the rest can still be read."""
    return bool(names) and all(name.startswith((f"{layout.CONTENTS}/", f"{layout.ATTACHMENTS}/")) for name in names)


def _without(sums: bytes, gone: list[str]) -> bytes:
    lines = sums.splitlines(keepends=True)
    return b"".join(line for line in lines if line[66:].rstrip(b"\n").decode("ascii", "replace") not in gone)


class _HashSink:
    """Keeps the hash of what is written, and nothing else."""

    closed = False

    def __init__(self) -> None:
        self.digest = sha256()
        self._size = 0

    def write(self, data: bytes) -> int:
        size = memoryview(data).nbytes
        self.digest.update(data)
        self._size += size
        return size

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        self.closed = True


class _BundleRun:
    """The run inside a bundle."""

    def __init__(self, bundle: Bundle, manifest: Manifest, findings: Findings) -> None:
        self._bundle = bundle
        self._manifest = manifest
        self._findings = findings
        self._digests = Digests()
        self._tools: dict[str, bytes] = {}
        self._tools_bytes = 0

    def check(self, plan: MakeOrder | None, make_tasks: MakeTasks | None) -> None:
        """Everything about declarations, episodes and digests."""
        bundle, manifest, findings = self._bundle, self._manifest, self._findings
        try:
            text = read_declarations(bundle)
            declared = Declared(text["frozen"], where=layout.DECLARATIONS)
            arms, stages = read_arms(bundle), read_stages(bundle)
            execution = bundle.document(layout.EXECUTION)
        except Damage as damage:
            findings.damage(report.CONFIGURATION, damage)
            return
        if not declared.frozen.rules.record_traces:
            message = "traces were not recorded (recordTraces: false), and a bundle without them cannot be verified"
            findings.problem(report.CONFIGURATION, layout.DECLARATIONS, message)
            return
        order = self._order(plan, declared)
        run = RunCheck(
            findings,
            _claims(manifest, execution),
            declared,
            stages,
            self._digests.use,
            self._tools.get,
            order,
            _tasks(make_tasks, declared) if order is not None else None,
        )
        run.configuration(arms, text["inputs"])
        if manifest.declarations != declared.sha256:
            message = "its `declarations` is not the SHA-256 of what was frozen"
            findings.problem(report.CONFIGURATION, layout.MANIFEST, message)
        try:
            self._episodes(run, arms)
        finally:
            self._digests.close()

    def _order(self, plan: MakeOrder | None, declared: Declared) -> Order | None:
        if plan is None or not 0 < declared.lifetimes <= self._bundle.limits.planned:
            return None
        try:
            return plan(declared.frozen)
        except (ProctorError, ArithmeticError, LookupError, MemoryError, ValueError) as error:
            message = f"no order of presentation follows from it ({short_text(str(error))})"
            self._findings.problem(report.CONFIGURATION, layout.DECLARATIONS, message)
            return None

    def _episodes(self, run: RunCheck, arms: list[Arm]) -> None:
        bundle, manifest, findings = self._bundle, self._manifest, self._findings
        here = MadeWith.here()
        bundle.repack = manifest.made_with.zstd == here.zstd
        self._contents()
        member = bundle.members[layout.ROWS]
        if findings.count(report.CHECKSUMS) and member.sha256 != _listed_hash(manifest, layout.ROWS):
            findings.problem(report.ROWS, layout.ROWS, "was not read, since its bytes are not those that were written")
            return
        sink = _HashSink() if manifest.made_with.pyarrow == here.pyarrow else None
        version = manifest.version
        rows: Iterable[Row] = read_rows(bundle.source, member, arms, count=manifest.stored, version=version)
        try:
            if sink is not None:
                rows = _copied(rows, RowsWriter(sink, arms, version))
            for row, trace in pair_by_position(rows, bundle.traces(manifest.config_hash, self._damaged)):
                run.episode(row, trace)
        except Damage as damage:
            findings.damage(report.ROWS, damage)
            return
        if sink is not None and sink.digest.hexdigest() != member.sha256:
            findings.problem(report.ARCHIVE, layout.ROWS, "is not written as its rows are")
        run.finish(self._digests.count)
        self._counts(run)

    def _damaged(self, damage: Damage) -> None:
        self._findings.damage(report.HEADS, damage)

    def _contents(self) -> None:
        def damaged(damage: Damage) -> None:
            self._findings.damage(report.CONTENTS, damage)

        for claimed, data in self._bundle.contents(damaged):
            digest = sha256(data).digest()
            if digest.hex() != claimed:
                self._findings.problem(
                    report.CONTENTS, f"content {short_text(claimed, 24)}", "does not have this SHA-256"
                )
            elif not self._digests.add(digest):
                self._findings.problem(report.CONTENTS, f"content {claimed[:12]}", "comes twice")
            elif may_be_tools(data) and self._tools_bytes + len(data) <= _MOST_TOOLS:
                self._tools[claimed] = bytes(data)
                self._tools_bytes += len(data)

    def _counts(self, run: RunCheck) -> None:
        digests, manifest, findings = self._digests, self._manifest, self._findings
        if digests.used != digests.count:
            message = f"{digests.count - digests.used} values are not referenced by any event"
            findings.problem(report.CONTENTS, layout.CONTENTS, message)
        elif not digests.in_order:
            findings.problem(report.CONTENTS, layout.CONTENTS, "values are not in order of first use")
        if manifest.contents != digests.count:
            message = f"says {manifest.contents} contents, there are {digests.count}"
            findings.problem(report.CONTENTS, layout.MANIFEST, message, missing=digests.count < manifest.contents)
        outcomes = {outcome: run.outcomes.get(outcome, 0) for outcome in OUTCOMES}
        if manifest.outcomes != outcomes:
            message = f"says that episodes ended {short_text(manifest.outcomes, 120)}, they ended {outcomes}"
            findings.problem(report.ROWS, layout.MANIFEST, message)


def _tasks(make: MakeTasks | None, declared: Declared) -> Tasks | None:
    """What makes the tasks again; None where it cannot be made here."""
    try:
        return None if make is None else make(declared.frozen)
    except (ProctorError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError):
        return None


def _and_attachments(manifest: Manifest) -> str:
    count = sum(layout.attachment_kind(entry.name) is not None for entry in manifest.members)
    return "" if not count else " and 1 attachment" if count == 1 else f" and {count} attachments"


def _listed_hash(manifest: Manifest, name: str) -> str | None:
    return next((entry.sha256 for entry in manifest.members if entry.name == name), None)


def _copied(rows: Iterable[Row], writer: RowsWriter) -> Iterator[Row]:
    """The same rows, written once more on the way."""
    for row in rows:
        writer.add(row)
        yield row
    writer.close()


def _claims(manifest: Manifest, execution: Any) -> Claims:
    return Claims(
        run=manifest.run,
        suite=manifest.suite,
        agent=manifest.agent,
        config_hash=manifest.config_hash,
        root=manifest.root,
        seal=manifest.seal,
        status=manifest.status,
        cut=manifest.cut,
        episodes=manifest.episodes,
        stored=manifest.stored,
        execution=execution,
    )
