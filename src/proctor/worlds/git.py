"""A world with a real git repository: the files of `FileWorld`, and tools that run git on them.

The repository lies beside the working directory, not in it, and nothing named `.git` can be made in there: no tool of
the agent reaches its configuration, hooks or objects. Git is run with a fixed identity, dates from the logical clock,
no configuration but the one below, and with everything off that could start another program: hooks, pagers, editors,
external diffs, filters, credential helpers, file-system monitors, submodules, transports. The same calls give the same
commit ids everywhere.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from proctor.core.errors import NotEvaluable, ToolError
from proctor.spec.task import Instance
from proctor.worlds.files import FilePath, FileWorld, KiB
from proctor.worlds.paths import Directory
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

_SETTINGS: Final = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.symlinks=false",
    "core.autocrlf=false",
    "core.quotePath=false",
    "core.pager=cat",
    "core.editor=true",
    "core.askPass=",
    "core.sshCommand=false",
    "core.abbrev=10",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "credential.helper=",
    "protocol.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "diff.ignoreSubmodules=all",
    "status.submoduleSummary=false",
    "diff.renames=true",
    "advice.detachedHead=false",
    "safe.directory=*",
    "color.ui=false",
)
_INERT_DIFF: Final = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all")
_DATES: Final = "--date=format-local:%Y-%m-%dT%H:%M:%SZ"
_REVISION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./~^@-]{0,199}")
_BRANCH: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,99}")
_SECONDS: Final = 60
_PLAIN_MODES: Final = frozenset(("100644", "100755"))

Revision = Annotated[str, Meta(description="A commit id, a branch name, or HEAD with ~ and ^.")]


class GitWorld(FileWorld):
    """Files under version control. `lay` commits what it puts in place."""

    max_output_bytes: ClassVar[int] = 64 * KiB
    max_repository_bytes: ClassVar[int] = 32 * 1024 * KiB
    """Beyond this nothing is committed any more."""
    processor_seconds: ClassVar[float] = 20.0
    author: ClassVar[str] = "Agent"

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._repository = place.directory / "repository"
        self._nowhere = place.directory / "empty"
        if not self._repository.exists():
            self._nowhere.mkdir()
            self._git("init", "--quiet", "--template=", "--initial-branch=main")

    def populate(self, files: Mapping[str, str], message: str = "Start") -> None:
        """Put files in place and commit them; call it several times for a history."""
        super().populate(files)
        self._commit(message)

    @tool(effect="read")
    def git_status(self) -> str:
        """The current branch, and which files differ from the last commit (git status --short --branch)."""
        return self._shown("status", "--short", "--branch", "--untracked-files=all", "--ignore-submodules=all")

    @tool(effect="read")
    def git_diff(self, revision: Revision = "HEAD", path: FilePath = "/task") -> str:
        """The changes between a commit (the last one, if not said) and the files as they are; new files included."""
        commit, spec = self._commit_id(revision), self._pathspec(path)
        # New files only show in a diff once the index knows of them; a copy of it spares the real one.
        index = self._repository / "index.look"
        shutil.copyfile(self._repository / "index", index)
        self._git("add", "--all", "--intent-to-add", index=index)
        return self._shown("diff", *_INERT_DIFF, commit, "--", spec, index=index)

    @tool(effect="read")
    def git_log(self, limit: Annotated[int, Meta(ge=1, le=200)] = 20, path: FilePath = "/task") -> str:
        """The latest commits of the current branch: id, date, author and first line of the message."""
        form = "--format=%h %cd %an %s"
        return self._shown("log", _DATES, form, f"--max-count={limit}", "HEAD", "--", self._pathspec(path))

    @tool(effect="read")
    def git_show(self, revision: Revision = "HEAD") -> str:
        """One commit: id, author, date, message and its changes."""
        form = "--format=commit %h%nAuthor: %an%nDate: %cd%n%n%B"
        return self._shown("show", *_INERT_DIFF, _DATES, form, self._commit_id(revision))

    @tool(effect="read")
    def git_branches(self) -> list[str]:
        """The names of all branches; the current one is marked with a star."""
        return self._shown("branch", "--list", "--format=%(if)%(HEAD)%(then)* %(end)%(refname:short)").splitlines()

    @tool(effect="write")
    def git_commit(self, message: str) -> str:
        """Commit all changes, new and deleted files included; answers the commit's id."""
        return self._commit(message)

    @tool(effect="write")
    def git_branch(self, name: str, revision: Revision = "HEAD") -> str:
        """Make a branch at a commit (the last one, if not said) without switching to it."""
        if not _BRANCH.fullmatch(name):
            message = f"'{name}' is not a name for a branch"
            raise ToolError(message)
        self._git("branch", "--no-track", name, self._commit_id(revision))
        return f"made branch {name}"

    @tool(effect="write")
    def git_checkout(self, branch: str) -> str:
        """Switch to a branch; refused where uncommitted changes would be lost."""
        if not _BRANCH.fullmatch(branch):
            message = f"'{branch}' is not a branch"
            raise ToolError(message)
        self._check_arriving(f"refs/heads/{branch}", ".", leaving=set(_records(self._git("ls-files", "-z"))))
        self._changing("switch", "--no-guess", "--no-recurse-submodules", branch)
        return f"on branch {branch}"

    @tool(effect="write")
    def git_restore(self, path: FilePath, revision: Revision = "HEAD") -> str:
        """Bring a file or directory back to how it was in a commit (the last one, if not said)."""
        commit, spec = self._commit_id(revision), self._pathspec(path)
        self._check_arriving(commit, spec)
        self._changing("restore", f"--source={commit}", "--staged", "--worktree", "--", spec)
        return f"restored {self.files.shown(path)}"

    @tool(effect="write")
    def git_revert(self, revision: Revision) -> str:
        """Undo one earlier commit by a new one; refused where later changes stand against it."""
        commit = self._commit_id(revision)
        try:
            self._changing("revert", "--no-edit", commit)
        except ToolError:
            if (self._repository / "REVERT_HEAD").exists():
                self._changing("revert", "--abort")
            raise
        try:
            self._check_sizes({entry.path: entry.bytes for entry in self.files.walk()})
        except ToolError:
            # What was not committed before stays as it is. The index has to know the times the files have now.
            self._git("update-index", "-q", "--refresh")
            self._changing("reset", "--quiet", "--keep", "HEAD~1")
            raise
        return self._commit_id("HEAD")[:10]

    def canary(self) -> None:
        """What the files need, a repository still there that can be written beside, and a git that starts."""
        super().canary()
        with tempfile.TemporaryFile(dir=self._repository):
            pass
        done = subprocess.run([git_binary(), "version"], capture_output=True, env={}, check=False, timeout=_SECONDS)
        if done.returncode != 0:
            message = f"git does not start: status {done.returncode}"
            raise OSError(errno.EIO, message)

    def state(self) -> Any:
        """The files, the branches with their commits, and what is checked out."""
        branches = self._git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
        return {
            "files": super().state(),
            "head": (self._repository / "HEAD").read_text().strip(),
            "branches": dict(line.split(" ") for line in branches.splitlines()),
        }

    def state_mark(self) -> object:
        # Git writes files itself; where branches lie on the disk costs less than asking it.
        heads = self._repository / "refs" / "heads"
        loose = sorted((str(path), path.read_bytes()) for path in heads.rglob("*") if path.is_file())
        packed = self._repository / "packed-refs"
        named = (self._repository / "HEAD").read_bytes()
        return super().state(), named, loose, packed.read_bytes() if packed.exists() else b""

    def commit_files(self, revision: str = "HEAD") -> dict[str, bytes] | None:
        """For verifiers: the plain files of a commit, from its objects alone; None where there is no such commit.

        Attributes, filters and hooks have no say in it, unlike in a checkout or an archive.
        """
        try:
            listing = self._git("ls-tree", "-r", "-z", "--full-tree", self._commit_id(revision))
        except ToolError:
            return None
        entries = [(about.split(" "), path) for about, path in (line.split("\t", 1) for line in _records(listing))]
        plain = {path: identity for (mode, _, identity), path in entries if mode in _PLAIN_MODES}
        return dict(zip(plain, self._objects(list(plain.values())), strict=True))

    def export(self, revision: str, target: Path) -> bool:
        """For verifiers: write the files of a commit into a fresh directory; False where there is no such commit."""
        files = self.commit_files(revision)
        if files is None:
            return False
        target.mkdir()
        directory = Directory(target)
        for path, data in files.items():
            directory.write(path, data)
        return True

    def _commit(self, message: str) -> str:
        text = message.strip()
        if not text or "\0" in text:
            refusal = "a commit needs a message"
            raise ToolError(refusal)
        self._check_repository()
        self._git("add", "--all")
        if not self._git("status", "--porcelain", "--ignore-submodules=all").strip():
            refusal = "there is nothing to commit"
            raise ToolError(refusal)
        self._git("commit", "--quiet", "--no-verify", "--cleanup=strip", "--file=-", stdin=text)
        return self._commit_id("HEAD")[:10]

    def _check_arriving(self, commit: str, spec: str, leaving: Set[str] = frozenset()) -> None:
        """Refuse to bring files back that would go over a limit together with those that stay."""
        sizes = {entry.path: entry.bytes for entry in self.files.walk() if entry.path not in leaving}
        with suppress(ToolError):  # where there is no such commit or file, the call itself says so
            listing = self._git("ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", spec)
            for about, path in (line.split("\t", 1) for line in _records(listing)):
                size = about.split()[-1]
                sizes[path] = int(size) if size.isdigit() else 0
        self._check_sizes(sizes)

    def _check_repository(self) -> None:
        """Refuse to keep more history, before anything is changed."""
        kept = sum(path.lstat().st_size for path in self._repository.rglob("*"))
        if kept > self.max_repository_bytes:
            refusal = f"the repository may have at most {self.max_repository_bytes} bytes"
            raise ToolError(refusal)

    def _commit_id(self, revision: str) -> str:
        refusal = f"there is no commit '{revision}'"
        if not _REVISION.fullmatch(revision) or ".." in revision or "@{" in revision:
            raise ToolError(refusal)
        try:
            return self._git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}").strip()
        except ToolError:
            raise ToolError(refusal) from None

    def _objects(self, identities: list[str]) -> Iterator[bytes]:
        out = self._call(("cat-file", "--batch"), "\n".join([*identities, ""]).encode()).stdout
        position = 0
        for _ in identities:
            end = out.index(b"\n", position)
            size = int(out[position:end].split(b" ")[2])
            yield out[end + 1 : end + 1 + size]
            position = end + 1 + size + 1

    def _pathspec(self, path: str) -> str:
        return "/".join(self.files.parts(path)) or "."

    def _changing(self, *arguments: str) -> None:
        """Run git where it writes files, then put their times on the logical clock."""
        before = {entry.path: entry.modified_ns for entry in self.files.walk()}
        try:
            self._git(*arguments)
        finally:
            for entry in self.files.walk():
                if before.get(entry.path) != entry.modified_ns:
                    self.files.set_modified(entry)

    def _shown(self, *arguments: str, index: Path | None = None) -> str:
        text = self._git(*arguments, index=index)
        if len(text.encode()) <= self.max_output_bytes:
            return text
        kept = text.encode()[: self.max_output_bytes].decode(errors="ignore")
        return f"{kept}\n[only the first {self.max_output_bytes} bytes are shown]\n"

    def _git(self, *arguments: str, stdin: str = "", index: Path | None = None) -> str:
        done = self._call(arguments, stdin.encode(errors="replace"), index)
        if done.returncode != 0:
            text = done.stderr.decode(errors="replace").strip()
            for real in (self._repository, self.files.real, self._nowhere):
                text = text.replace(str(real), self.files.virtual)
            # Its words can be the agent's own, a path or a branch: whether the host is in trouble, the host is asked.
            self.canary()
            refusal = f"git: {text.removeprefix('fatal: ').removeprefix('error: ') or 'refused'}"
            raise ToolError(refusal)
        return done.stdout.decode(errors="replace")

    def _call(
        self, arguments: tuple[str, ...], stdin: bytes, index: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        with suppress(FileNotFoundError):
            # Git trusts a file's size and time unless it is newer than the index. Logical time may stand still between
            # two writes, so the index is made older than everything, and contents are compared.
            os.utime(index or self._repository / "index", (1, 1))
        try:
            return subprocess.run(
                [git_binary(), "--no-pager", "--literal-pathspecs", *settings, *arguments],
                input=stdin,
                capture_output=True,
                cwd=self.files.real,
                env=self._environment() | ({"GIT_INDEX_FILE": str(index)} if index else {}),
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.canary()
            for lock in self._repository.glob("*.lock"):
                lock.unlink()
            refusal = "git: this takes too long; make it smaller or narrower"
            raise ToolError(refusal) from None

    def _environment(self) -> dict[str, str]:
        email = f"{self.author.lower().replace(' ', '.')}@example.invalid"
        date = self.place.clock.now.strftime("%Y-%m-%dT%H:%M:%S+0000")
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self._nowhere),
            "XDG_CONFIG_HOME": str(self._nowhere),
            "LC_ALL": "C",
            "TZ": "UTC",
            "GIT_DIR": str(self._repository),
            "GIT_WORK_TREE": str(self.files.real),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_SYSTEM": "/dev/null",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_EDITOR": "true",
            "GIT_AUTHOR_NAME": self.author,
            "GIT_AUTHOR_EMAIL": email,
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": self.author,
            "GIT_COMMITTER_EMAIL": email,
            "GIT_COMMITTER_DATE": date,
        }


def _records(listing: str) -> list[str]:
    return [record for record in listing.split("\0") if record]


@cache
def git_binary() -> str:
    """The absolute path of git; raises `NotEvaluable` where there is none."""
    path = shutil.which("git")
    if path is None:
        message = "git is missing: install it (Debian, Ubuntu: apt-get install git) to run tasks with a repository"
        raise NotEvaluable(message)
    return path
