"""An opened bundle: its members found and hashed, its documents read, its records streamed. Nothing is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from proctor.core.canonical import encode
from proctor.core.texts import is_line
from proctor.evidence.attachments import Attachment
from proctor.evidence.bundle import layout
from proctor.evidence.bundle.archive import Member, walk
from proctor.evidence.bundle.blocks import ContentHead, Record, TraceHead, pack, records, unpack
from proctor.evidence.bundle.digests import digest_bytes
from proctor.evidence.bundle.documents import read_json
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import Manifest
from proctor.evidence.bundle.report import Damage, short_text
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.plain import OF_RUN, RUN_NAME, odd_in_arm
from proctor.evidence.row import Arm
from proctor.evidence.store.contract import StoredStage
from proctor.evidence.store.schema import RUN_SHIFT

_Kind = TypeVar("_Kind")


class Bundle:
    """A bundle with all its members in their order. Reading damaged ones raises `Damage`, which names the place."""

    def __init__(self, source: Source, members: dict[str, Member], limits: layout.Limits) -> None:
        self.source = source
        self.members = members
        self.limits = limits
        self.repack = False
        """Whether blocks are packed again and compared while they are read."""
        self._unpacked = 0

    def data(self, name: str) -> bytes:
        """The bytes of a small member."""
        member = self.members[name]
        if member.size > self.limits.document_bytes:
            raise Damage(f"has {member.size} bytes, which is refused", where=name)
        return self.source.read(member.start, member.size)

    def document(self, name: str) -> Any:
        """The value in a JSON member."""
        return read_json(self.data(name), where=name)

    def restart(self) -> None:
        """Begin another pass: what was unpacked before no longer counts."""
        self._unpacked = 0

    def blocks(self, folder: str) -> Iterator[Member]:
        """The blocks in a folder, in order."""
        for name, member in self.members.items():
            if name.startswith(f"{folder}/"):
                yield member

    def records(self, member: Member) -> Iterator[Record]:
        """The records of one block."""
        left = self.limits.unpacked(self.source.size) - self._unpacked
        packed = self.source.read(member.start, member.size)
        data = unpack(packed, where=member.name, most=left)
        self._unpacked += len(data)
        if self.repack and pack(data) != packed:
            raise Damage("is not packed as its records are", where=member.name)
        yield from records(data, where=member.name)

    def contents(self, damaged: Callable[[Damage], None]) -> Iterator[tuple[str, memoryview]]:
        """(SHA-256 as claimed, value) of everything stored by content."""
        for member in self.blocks(layout.CONTENTS):
            try:
                for head, data in self.records(member):
                    if not isinstance(head, ContentHead):
                        raise Damage("a record that is no content", where=member.name)
                    yield head.sha256, data
            except Damage as damage:
                damaged(damage)

    def traces(self, config_hash: str, damaged: Callable[[Damage], None]) -> Iterator[Trace]:
        """The episodes, each read to its end. After damage the next block is tried."""
        current: Trace | None = None
        where = layout.EVENTS
        for member in self.blocks(layout.EVENTS):
            where = member.name
            try:
                for head, data in self.records(member):
                    if isinstance(head, ContentHead) or not 0 <= head.position < 1 << RUN_SHIFT:
                        raise Damage("a record that belongs to no episode", where=where)
                    if current is not None and (current.position != head.position or not isinstance(head, TraceHead)):
                        raise Damage(f"the events of episode {current.position} do not end", where=where)
                    current = current or Trace(config_hash, head.position)
                    if not isinstance(head, TraceHead):
                        current.unreproducible = bytes(data)
                        continue
                    current.feed(bytes(data))
                    if not head.more:
                        current.finish()
                        yield current
                        current = None
            except Damage as damage:
                damaged(damage)
                current = None
        if current is not None:
            damaged(Damage(f"the events of episode {current.position} do not end", where=where))


def read_attachments(bundle: Bundle) -> list[Attachment]:
    """The documents beside the run, in their order; for a bundle that was verified."""
    return [
        Attachment(layout.attachment_kind(member.name) or "", member.sha256, bundle.data(member.name))
        for member in bundle.blocks(layout.ATTACHMENTS)
    ]


def find_members(source: Source, limits: layout.Limits) -> tuple[dict[str, Member], Damage | None]:
    """The members of a file that begins like a bundle, and what is wrong with the archive that holds them.

    Without damage all are there, in their only possible order. With damage those before it are given.
    """
    members: dict[str, Member] = {}
    last: str | None = None
    try:
        for member in walk(source, limits.members):
            if not layout.may_follow(last, member.name):
                expected = " or ".join(layout.allowed_next(last)) or "nothing"
                message = f"{short_text(member.name)} is at the position of {expected}"
                raise Damage(message, where=f"member header, byte {member.offset}")
            if member.name in members:
                raise Damage(f"{member.name} comes twice", where=f"member header, byte {member.offset}")
            last = member.name
            members[last] = member
        if last != layout.SUMS:
            raise Damage(f"ends without {layout.allowed_next(last)[-1]}", where="archive")
    except Damage as damage:
        return members, damage
    return members, None


def _whole(value: Any, kind: type[_Kind]) -> _Kind:
    """The value as one of this kind, of which nothing is left out and nothing added."""
    read = msgspec.convert(value, kind)
    if encode(read) != encode(value):
        message = "a key is missing, or there is one too many"
        raise msgspec.ValidationError(message)
    return read


def read_manifest(bundle: Bundle) -> Manifest:
    """`manifest.json`; `Damage` when it is not one."""
    where = layout.MANIFEST
    value = bundle.document(where)
    stated = (value.get("format"), value.get("version")) if isinstance(value, dict) else (None, None)
    if stated not in [(layout.FORMAT, version) for version in layout.READ_VERSIONS]:
        ours = f"{layout.FORMAT} {' and '.join(map(str, layout.READ_VERSIONS))}"
        raise Damage(f"has the format {short_text(stated)}, this Proctor reads {ours}; upgrade Proctor", where=where)
    try:
        manifest = _whole(value, Manifest)
    except msgspec.ValidationError as error:
        raise Damage(f"does not have the fields of a manifest ({short_text(str(error), 120)})", where=where) from None
    if not all(map(digest_bytes, (manifest.config_hash, manifest.declarations, manifest.root, manifest.seal))):
        raise Damage("a digest in it is not 64 hex digits", where=where)
    if not RUN_NAME.match(manifest.run):
        raise Damage(f"{short_text(manifest.run)} cannot be the name of a run", where=where)
    for what, fits in OF_RUN.items():
        # The name is called `run` here; digests were looked at.
        value = getattr(manifest, what, None)
        if value is not None and not fits(value):
            raise Damage(f"{short_text(value)} is no {what} that Proctor writes", where=where)
    return manifest


def read_stages(bundle: Bundle) -> list[StoredStage]:
    """`stages.json`."""
    try:
        stages = _whole(bundle.document(layout.STAGES), list[StoredStage])
    except msgspec.ValidationError as error:
        raise Damage(f"is not a list of stages ({short_text(str(error), 120)})", where=layout.STAGES) from None
    for one in stages:
        if not is_line(one.stage):
            raise Damage(f"{short_text(one.stage)} is no stage that Proctor writes", where=layout.STAGES)
    return stages


def read_arms(bundle: Bundle) -> list[Arm]:
    """`arms.json`."""
    try:
        arms = _whole(bundle.document(layout.ARMS), list[Arm])
    except msgspec.ValidationError as error:
        raise Damage(f"is not a list of arms ({short_text(str(error), 120)})", where=layout.ARMS) from None
    for arm in arms:
        if (column := odd_in_arm(arm)) is not None:
            problem = f"has an arm whose {column} is none that Proctor writes ({short_text(getattr(arm, column))})"
            raise Damage(problem, where=layout.ARMS)
    return arms


def read_declarations(bundle: Bundle) -> dict[str, Any]:
    """`declarations.json`: `frozen` and `inputs`."""
    value = bundle.document(layout.DECLARATIONS)
    if not isinstance(value, dict) or set(value) != {"frozen", "inputs"} or not isinstance(value["frozen"], dict):
        raise Damage("does not have exactly `frozen` and `inputs`", where=layout.DECLARATIONS)
    return value
