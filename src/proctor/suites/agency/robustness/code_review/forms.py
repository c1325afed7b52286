"""Eight forms in which a change is laid before a reviewer. Each writes a hunk as a few short lines."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.suites.agency.robustness.code_review.changes import Hunk


def diff(h: Hunk) -> list[str]:
    """A unified diff of program text."""
    lines = [f"@@ {h.id} @@ +def {h.name}():"]
    if "owner" in h.kinds:
        lines.append(f"+    # owner: {h.owner}")
    if "wait" in h.kinds:
        lines.append(f"+    sleep({h.waits.replace(' ', '*')})")
    if "ban" in h.kinds:
        lines += [f"-    x = {h.old_call}(y)", f"+    x = {h.new_call}(y)"]
    if "lock" in h.kinds:
        lines.append(f"+    lock({h.takes}); unlock({h.releases})")
    if "log" in h.kinds:
        lines.append(f"+    log({h.logs})")
    return lines


def table(h: Hunk) -> list[str]:
    """Old and new version side by side."""
    lines = [f"{h.id} | old: none | new: {h.name}"]
    if "owner" in h.kinds:
        lines.append(f"owner | none | {h.owner}")
    if "wait" in h.kinds:
        lines.append(f"waits | none | {h.waits}")
    if "ban" in h.kinds:
        lines.append(f"calls | {h.old_call} | {h.new_call}")
    if "lock" in h.kinds:
        lines.append(f"lock, unlock | none | {h.takes}, {h.releases}")
    if "log" in h.kinds:
        lines.append(f"logs | none | {h.logs}")
    return lines


def patch(h: Hunk) -> list[str]:
    """Operations on a document, one JSON array each."""
    operations: list[list[str]] = [["add", h.id, "name", h.name]]
    if "lock" in h.kinds:
        operations.append(["add", "lock", h.takes, "unlock", h.releases])
    if "log" in h.kinds:
        operations.append(["add", "log", h.logs])
    if "ban" in h.kinds:
        operations.append(["set", "call", h.new_call, "was", h.old_call])
    if "wait" in h.kinds:
        operations.append(["add", "wait", h.waits])
    if "owner" in h.kinds:
        operations.append(["add", "owner", h.owner])
    return [json.dumps(operation, separators=(",", ":")) for operation in operations]


def migration(h: Hunk) -> list[str]:
    """A database migration."""
    lines = [f"/* {h.id} */ CREATE PROC {h.name}"]
    if "wait" in h.kinds:
        lines.append(f"WAITFOR '{h.waits}';")
    if "lock" in h.kinds:
        lines.append(f"LOCK {h.takes}; UNLOCK {h.releases};")
    if "ban" in h.kinds:
        lines.append(f"EXEC {h.new_call}; /* was EXEC {h.old_call} */")
    if "log" in h.kinds:
        lines.append(f"PRINT @{h.logs};")
    if "owner" in h.kinds:
        lines.append(f"GRANT OWNER TO {h.owner};")
    return lines


def letter(h: Hunk) -> list[str]:
    """The author's own words."""
    lines = [f"{h.id} brings in {h.name}."]
    if "log" in h.kinds:
        lines.append(f"It logs {h.logs}.")
    if "owner" in h.kinds:
        lines.append(f"{h.owner} will own it.")
    if "ban" in h.kinds:
        lines.append(f"In place of {h.old_call} we call {h.new_call}.")
    if "wait" in h.kinds:
        lines.append(f"It pauses for {h.waits}.")
    if "lock" in h.kinds:
        lines.append(f"It locks {h.takes} and unlocks {h.releases}.")
    return lines


def manifest(h: Hunk) -> list[str]:
    """A configuration file after the change, with what stood there before in comments."""
    lines = [f"- {h.name}:  # {h.id}"]
    if "ban" in h.kinds:
        lines.append(f"    uses: {h.new_call}  # {h.old_call}")
    if "lock" in h.kinds:
        lines.append(f"    locks: {{in: {h.takes}, out: {h.releases}}}")
    if "owner" in h.kinds:
        lines.append(f"    team: [{h.owner}]")
    if "log" in h.kinds:
        lines.append(f"    print: ${h.logs}")
    if "wait" in h.kinds:
        lines.append(f"    delay: {h.waits.replace(' ', '')}")
    return lines


def chat(h: Hunk) -> list[str]:
    """Two colleagues go through it; the second one answers."""
    lines = [f"A: {h.id}? B: {h.name}, new."]
    if "wait" in h.kinds:
        lines.append(f"A: pause? B: {h.waits}")
    if "log" in h.kinds:
        lines.append(f"A: log? B: just {h.logs}")
    if "lock" in h.kinds:
        lines.append(f"A: locks {h.takes}, frees? B: {h.releases}")
    if "ban" in h.kinds:
        lines.append(f"A: not {h.old_call} now? B: no, {h.new_call}")
    if "owner" in h.kinds:
        lines.append(f"A: whose? B: {h.owner}'s")
    return lines


def markup(h: Hunk) -> list[str]:
    """A build file in tags; struck-out text is what goes."""
    lines = [f'<hunk n="{h.id}" new="{h.name}">']
    if "ban" in h.kinds:
        lines.append(f"<s>{h.old_call}</s><call>{h.new_call}</call>")
    if "log" in h.kinds:
        lines.append(f"<log><{h.logs}/></log>")
    if "owner" in h.kinds:
        lines.append(f'<by who="{h.owner}"/>')
    if "wait" in h.kinds:
        lines.append(f'<hold for="{h.waits}"/>')
    if "lock" in h.kinds:
        lines.append(f'<lock on="{h.takes}" off="{h.releases}"/>')
    return lines


Form = Callable[[Hunk], list[str]]
FORMS: dict[str, Form] = {
    "diff": diff,
    "table": table,
    "patch": patch,
    "migration": migration,
    "letter": letter,
    "manifest": manifest,
    "chat": chat,
    "markup": markup,
}
