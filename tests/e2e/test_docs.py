"""Docs cannot drift: what the tutorial and the how-to pages show is executed, in order, in an empty folder each.

- A ```console block is a list of `$ command` lines with what each prints. Every command is run by a shell and must end
  with 0, or with the code that a trailing `# exit N` states. A block after `<!-- not run: reason -->` is left alone.
- Shown output must be the real one, line after line. `…` stands for anything within a line, and alone on a line for
  any number of lines. Names of runs and digests may differ from the page's, but always in the same way: what is shown
  equal must be equal.
- A block whose first line is a comment that names a file (`# courier.py`) is written there before what follows it.
- `python` blocks compile, `yaml` blocks are what they claim to be, links to files and headings lead somewhere.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from proctor.agents.process.wire import decode
from proctor.spec.project import Project
from proctor.spec.suite import Suite

DOCS = Path(__file__).parents[2] / "docs"
EXECUTED = [DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md"))]
LINKED = [DOCS / "README.md", *EXECUTED]
SECONDS = 120

FENCE = re.compile(r"^(`{3,})(\w*)$")
NOT_RUN = re.compile(r"^<!-- not run: \S.* -->$")
NAMED_FILE = re.compile(r"^# ([\w./-]+\.\w+)$")
EXIT = re.compile(r"\s+# exit (\d+)$")
PROGRESS = re.compile(r"^\d+/\d+ episodes · ")
TOKEN = re.compile(r"…|\b[0-9a-f]{64}\b|\b[0-9a-f]{12}\b|\b[a-z][a-z0-9-]*-[0-9a-f]{6}\b")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Block(NamedTuple):
    """A fenced block: its language, its lines, and where it starts."""

    language: str
    lines: list[str]
    at: int
    not_run: bool

    @property
    def file(self) -> str | None:
        """The file this block says it is."""
        found = NAMED_FILE.match(self.lines[0]) if self.lines else None
        return found[1] if found else None

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Step(NamedTuple):
    """A command, the exit code it must have, and the output shown for it."""

    command: str
    code: int
    shown: list[str]


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    fence, language, lines, at = "", "", [], 0
    before = ""
    not_run = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        found = FENCE.match(line)
        if not fence and found:
            fence, language, lines, at = found[1], found[2], [], number
            not_run = bool(NOT_RUN.match(before))
        elif fence and line == fence:
            yield Block(language, lines, at, not_run)
            fence = ""
        elif fence:
            lines.append(line)
        if line.strip():
            before = line
    assert not fence, f"{page.name}:{at}: this block has no end"


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def steps(block: Block) -> Iterator[Step]:
    """The commands of a console block. A backslash at the end of a line continues it."""
    command, shown = "", list[str]()
    for line in block.lines:
        if command.endswith("\\"):
            command = f"{command[:-1]}{line.strip()}"
        elif line.startswith("$ "):
            if command:
                yield step(command, shown)
            command, shown = line[2:], []
        else:
            assert command, f"line {block.at}: output before any command"
            shown.append(line.rstrip())
    yield step(command, shown)


def step(command: str, shown: list[str]) -> Step:
    code = EXIT.search(command)
    return Step(EXIT.sub("", command), int(code[1]) if code else 0, shown)


class Reader:
    """Somebody who does what a page says, in a folder of their own."""

    def __init__(self, page: Path, folder: Path) -> None:
        self._page = page
        self._folder = folder
        self._known: dict[str, str] = {}
        """What a name or digest on the page is called here."""
        self._env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PROCTOR_")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "COLUMNS": "120",
            "PYTHONUNBUFFERED": "1",
        }

    def follow(self) -> None:
        """Everything on the page, from top to bottom."""
        for block in blocks(self._page):
            if block.file is not None:
                place = self._folder / block.file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(block.text, encoding="utf-8")
            elif block.language == "console" and not block.not_run:
                for wanted in steps(block):
                    self._do(wanted, f"{self._page.name}:{block.at}")

    def _do(self, wanted: Step, place: str) -> None:
        command = TOKEN.sub(lambda found: self._known.get(found[0], found[0]), wanted.command)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        output = done.stdout.replace(str(self._folder), "FOLDER")
        told = f"{place}: $ {wanted.command}\n{output}"
        assert "Traceback" not in output, told
        assert done.returncode == wanted.code, f"exit {done.returncode}, not {wanted.code}\n{told}"
        if wanted.shown:
            real = [line.rstrip() for line in output.splitlines()]
            self._compare(wanted.shown, [line for line in real if not PROGRESS.match(line)], told)

    def _compare(self, shown: list[str], real: list[str], told: str) -> None:
        at, skipping = 0, False
        for line in shown:
            if line.strip() == "…":
                skipping = True
                continue
            found = next((i for i in range(at, len(real) if skipping else at + 1) if self._same(line, real, i)), None)
            assert found is not None, f"shown, but not printed here: {line!r}\n{told}"
            at, skipping = found + 1, False
        assert skipping or at == len(real), f"printed, but not shown: {real[at]!r}\n{told}"

    def _same(self, line: str, real: list[str], at: int) -> bool:
        """Whether a shown line is the real one; what it calls differently is remembered."""
        if at >= len(real):
            return False
        pattern, names, end = "", list[str](), 0
        for token in TOKEN.finditer(line):
            pattern += re.escape(line[end : token.start()])
            if token[0] == "…":
                pattern += ".*"
            else:
                pattern += f"({TOKEN.pattern})"
                names.append(token[0])
            end = token.end()
        found = re.fullmatch(pattern + re.escape(line[end:]), real[at])
        if found is None:
            return False
        called = dict(zip(names, found.groups(), strict=True))
        if any(self._known.get(name, value) != value for name, value in called.items()):
            return False
        self._known.update(called)
        return True


@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: page.stem)
def test_what_is_shown_is_what_happens(page: Path, tmp_path: Path) -> None:
    Reader(page, tmp_path).follow()


@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: page.stem)
def test_python_compiles_and_declarations_parse(page: Path) -> None:
    for block in blocks(page):
        place = f"{page.name}:{block.at}"
        if block.language == "python":
            compile(block.text, place, "exec", flags=0x2000)  # top-level await, for fragments of a session
        if block.language == "yaml":
            data = yaml.safe_load(block.text)
            if isinstance(data, dict) and "entries" in data:
                Suite.parse(data, source=place)
            elif isinstance(data, dict) and "system" in data:
                Project.parse(data, source=place)
            else:
                assert not (block.file or "").endswith(("suite.yaml", "proctor.yaml")), f"{place}: neither of the two"


def test_few_blocks_are_left_alone() -> None:
    consoles = [block for page in EXECUTED for block in blocks(page) if block.language == "console"]
    assert sum(block.not_run for block in consoles) <= len(consoles) / 10


def test_the_shown_conversation_is_one(tmp_path: Path) -> None:
    """The agent on the page says its part of the transcript when it is told the bench's part."""
    page = DOCS / "how-to" / "your-agent.md"
    (transcript,) = (block.lines for block in blocks(page) if block.language == "jsonl")
    sides = [line.split(" ", 1) for line in transcript]
    told = [json.loads(text) for arrow, text in sides if arrow == "→"]
    said = [json.loads(text) for arrow, text in sides if arrow == "←"]
    assert {message["type"] for message in told} == {"task", "observation", "result"}
    for message in said:
        decode(json.dumps(message).encode())
    (agent,) = (block for block in blocks(page) if block.file == "walker.py")
    (tmp_path / "walker.py").write_text(agent.text, encoding="utf-8")
    done = subprocess.run(
        [shutil.which("python3") or sys.executable, "walker.py"],
        cwd=tmp_path,
        input="".join(f"{json.dumps(message)}\n" for message in told),
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == said


def slug(heading: str) -> str:
    """The anchor a heading gets where Markdown is shown."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", prose(file), flags=re.MULTILINE)
            assert anchor in map(slug, headings), f"{page.name}: {target}"
