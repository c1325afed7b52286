"""A real repository with a production branch, and a verifier that runs a CI of its own on what was deployed.

What the agent left is executed in one fresh sandbox only, and judged by its outputs on inputs it never saw. Files that
look like hooks or CI are data to the verifier.
"""

from __future__ import annotations

import json
from typing import Any

from proctor.core.errors import ToolError
from proctor.core.hashing import sha256_hex
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.acting.code_deployment.texts import CI
from proctor.suites.kit.text_world import MaterialWorld
from proctor.worlds.files import FileWorld
from proctor.worlds.git import GitWorld, Revision
from proctor.worlds.shell import run_pristine
from proctor.worlds.tool import tool
from proctor.worlds.watch import Limits
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_deployed",
    "wrong_version",
    "wrong_changes",
    "other_change",
    "no_way_back",
    "ci_crashed",
    "wrong_prices",
    "missing_artifact",
)
PRODUCTION = "production"
_LIMITS = Limits(seconds=5.0, cpu=5.0)


class DeploymentWorld(MaterialWorld, GitWorld):
    """The repository of one service."""

    offered = (
        "read_file",
        "write_file",
        "append_file",
        "git_status",
        "git_diff",
        "git_log",
        "git_branches",
        "git_branch",
        "git_commit",
        "git_restore",
        "deploy",
        "rollback",
        "show_material",
    )
    author = "Release"

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        # What `lay` and `git branch` do, in half as many processes.
        FileWorld.populate(self, {f"/task/{path}": text for path, text in instance.hidden["files"].items()})
        self._git("add", "--all")
        self._git("commit", "--quiet", "--no-verify", "--message=In production")
        self._deployed = [self._tip("main")]
        (self._repository / "refs" / "heads" / PRODUCTION).write_text(f"{self._deployed[0]}\n")
        self._left: dict[str, bytes] = {}

    @tool(effect="write")
    def deploy(self, revision: Revision = "main") -> str:
        """Put a commit (the last one of main, if not said) into production: the branch `production` moves there."""
        commit = self._commit_id(revision)
        self._move(commit)
        self._deployed.append(commit)
        return f"production is at {commit[:10]}"

    @tool(effect="write")
    def rollback(self) -> str:
        """Undo the last deployment: production goes back to the commit that was there before it."""
        if len(self._deployed) < 2:
            message = "nothing was deployed yet"
            raise ToolError(message)
        self._deployed.pop()
        self._move(self._deployed[-1])
        return f"production is back at {self._deployed[-1][:10]}"

    @tool(effect="write")
    def git_branch(self, name: str, revision: Revision = "HEAD") -> str:
        """Make a branch at a commit (the last one of main, if not said) without switching to it."""
        return super().git_branch(name, revision)

    def _move(self, commit: str) -> None:
        self._git("branch", "--force", "--no-track", PRODUCTION, commit)

    def _tip(self, branch: str) -> str:
        """The commit of a branch, read from git's own file for it; empty where there is none."""
        path = self._repository / "refs" / "heads" / branch
        return path.read_text().strip() if path.is_file() else ""

    def verify(self, submission: Submission) -> Verification:
        if self._tip(PRODUCTION) == self._deployed[0]:
            return Verification(False, "nothing_deployed")
        self._left = self.commit_files(PRODUCTION) or {}
        reason = self._tree() or self._way_back() or self._prices()
        left = tuple((path, sha256_hex(data)) for path, data in sorted(self._left.items()))
        return Verification(reason == "", reason or "correct", artifacts=left)

    def artifact(self, name: str) -> bytes | None:
        return self._left.get(name)

    def _tree(self) -> str:
        """What is wrong with the deployed files, apart from what they calculate."""
        hidden, left = self.instance.hidden, {path: _text(data) for path, data in self._left.items()}
        before: dict[str, str] = hidden["files"]
        if left.get("VERSION", "").strip() != hidden["version"]:
            return "wrong_version"
        if _lines(left.get("CHANGES.md", "")) != [*_lines(before["CHANGES.md"]), hidden["line"]]:
            return "wrong_changes"
        free = {"VERSION", "CHANGES.md", hidden["module"]}
        untouched = {path: text for path, text in before.items() if path not in free}
        if {path: text for path, text in left.items() if path not in free} != untouched:
            return "other_change"
        return ""

    def _way_back(self) -> str:
        return "" if self._tip(self.instance.hidden["way_back"]) == self._deployed[0] else "no_way_back"

    def _prices(self) -> str:
        hidden = self.instance.hidden
        module = self._left.get(hidden["module"])
        if module is None:
            return "other_change"
        ended = run_pristine(
            {hidden["module"]: module},
            ["{python}", "-I", "-S", "/check/ci.py"],
            check={"ci.py": CI},
            stdin="\n".join(
                [hidden["module"], *(f"{units} {category}" for units, category in hidden["inputs"])]
            ).encode(),
            limits=_LIMITS,
        )
        prices = _parsed(ended.stdout) if ended.ok else None
        if prices is None:
            return "ci_crashed"
        # 340.0 and True are no prices in cents.
        whole = all(type(price) is int for price in prices)
        return "" if whole and prices == hidden["prices"] else "wrong_prices"


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def _parsed(text: str) -> list[Any] | None:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, list) else None
