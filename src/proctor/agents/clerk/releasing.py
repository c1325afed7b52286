"""Releasing: brings changed prices into production, with a version, an entry in the list of changes and a way back.

The goal names the paths, the version and the branch; the dossier has the values, the day and the ticket. Calls are few,
so that nothing is read twice; what was not carried out is tried again.
"""

from __future__ import annotations

import re

from msgspec import Struct

from proctor.agents.clerk.composing import as_day
from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.dossier import read_dossier
from proctor.agents.clerk.pricing import reprice
from proctor.spec.task import ToolSpec

_PATH = re.compile(r"`(/[\w./-]+)`")
_BRANCH = re.compile(r"\ba branch `([\w./-]+)`")
_VERSION = re.compile(r"\b(?:release|version) (\d+\.\d+\.\d+)\b", re.IGNORECASE)
_ENTRY = re.compile(r"`([^`]*\bVERSION\b[^`]*)`")


class Release(Struct, frozen=True):
    """What is released, as the goal says."""

    version: str
    code: str
    version_file: str
    changes_file: str
    entry: str
    branch: str

    @classmethod
    def read(cls, goal: str) -> Release | None:
        """The release that a goal describes; None where something is missing."""
        version, branch, entry = (
            _VERSION.search(goal),
            _BRANCH.search(goal),
            _ENTRY.search(goal.replace("/VERSION", "")),
        )
        paths = _PATH.findall(goal)
        found = [[path for path in paths if re.search(end, path)] for end in (r"\.py$", r"/VERSION$", r"\.md$")]
        if version is None or branch is None or entry is None or not all(found):
            return None
        code, version_file, changes_file = (of_kind[0] for of_kind in found)
        return cls(version.group(1), code, version_file, changes_file, entry.group(1), branch.group(1))


class Tools(Struct, frozen=True):
    """The tools of a release, in the order of their use."""

    read: ToolSpec
    branch: ToolSpec
    write: ToolSpec
    append: ToolSpec
    commit: ToolSpec
    deploy: ToolSpec


def _tools(desk: Desk) -> Tools | None:
    named = [desk.tool(word) for word in ("read", "branch", "write", "append", "commit", "deploy")]
    tools = [tool for tool in named if tool]
    return Tools(*tools) if len(tools) == len(named) else None


def fits(desk: Desk) -> bool:
    """The goal describes a release, and there are tools to make it."""
    return Release.read(desk.task.goal) is not None and _tools(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Read the code, change it, note the change, commit, deploy; nothing is written before all of it is understood."""
    release, tools = Release.read(desk.task.goal), _tools(desk)
    if release is None or tools is None:
        return None
    dossier = max((read_dossier(text) for text in desk.texts()), key=len, default={})
    about = next((part for name, part in dossier.items() if release.version in name), {})
    prices = next((part for name, part in dossier.items() if release.version not in name), {})
    day = as_day(next((value for label, value in about.items() if label.startswith("day")), ""))
    source = await desk.call(tools.read, **{required(tools.read)[0]: release.code})
    code = reprice(str(source.value), prices) if source.ok else None
    if day is None or code is None:
        return Finding("done", 0.05)
    words = {"VERSION": release.version, "YYYY-MM-DD": day.isoformat(), "TICKET": about.get("ticket", "")}
    entry = re.sub("|".join(words), lambda match: words[match.group()], release.entry)
    steps = (
        (tools.branch, (release.branch,)),
        (tools.write, (release.code, code)),
        (tools.write, (release.version_file, f"{release.version}\n")),
        (tools.append, (release.changes_file, f"{entry}\n")),
        (tools.commit, (f"Release {release.version}",)),
        (tools.deploy, ()),
    )
    for tool, arguments in steps:
        result = await desk.call(tool, **dict(zip(required(tool), arguments, strict=True)))
        if not result.ok:
            return Finding("done", 0.05)
    return Finding("done", 0.85)
