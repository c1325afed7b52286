"""Verifying the documents beside a run: each has the SHA-256 by which it is known, and they are not too many."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.evidence.attachments import KIND, Attachment, attachment_name
from proctor.evidence.bundle import layout, report
from proctor.evidence.bundle.layout import Manifest
from proctor.evidence.bundle.read import Bundle
from proctor.evidence.bundle.report import Findings, short_text

_LISTED = 5
"""Documents named in the detail of the check."""


def check_attachments(attachments: Sequence[Attachment], findings: Findings) -> None:
    """Those of a run in a store."""
    for one in attachments:
        if not one.intact or not KIND.match(one.kind):
            message = "its content does not have the SHA-256 that was recorded for it"
            findings.problem(report.ATTACHMENTS, short_text(one.name), message if not one.intact else "no such kind")
    _done(findings, [one.name for one in attachments])


def check_attached_members(bundle: Bundle, manifest: Manifest, findings: Findings) -> None:
    """Those of a bundle, whose other checksums were compared before."""
    members = list(bundle.blocks(layout.ATTACHMENTS))
    limits = bundle.limits
    names: list[str] = []
    for member in members:
        kind = layout.attachment_kind(member.name) or ""
        names.append(attachment_name(kind, member.sha256))
        if layout.attachment_member(kind, member.sha256) != member.name:
            message = "its content does not have the SHA-256 that its name begins with"
            findings.problem(report.ATTACHMENTS, member.name, message)
        if not 0 < member.size <= limits.attachment_bytes:
            findings.problem(report.ATTACHMENTS, member.name, f"has {member.size} bytes, which is refused")
    size = sum(member.size for member in members)
    if len(members) > limits.attachments or size > limits.attached_bytes:
        message = f"{len(members)} attachments of {size} bytes are more than a bundle may have"
        findings.problem(report.ATTACHMENTS, layout.ATTACHMENTS, message)
    if members and manifest.version < layout.FORMAT_VERSION:
        message = f"a bundle of format {manifest.version} has no attachments"
        findings.problem(report.ATTACHMENTS, layout.MANIFEST, message)
    _done(findings, names)


def _done(findings: Findings, names: list[str]) -> None:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    count = "1 document" if len(names) == 1 else f"{len(names)} documents"
    listed = f"{count} beside the run, outside its root: {', '.join(names[:_LISTED])}{more}"
    findings.done(report.ATTACHMENTS, listed if names else "none")
