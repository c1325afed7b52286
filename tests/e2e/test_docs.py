"""Docs cannot drift: what the tutorial and the how-to pages show is executed, in order, in an empty folder each.

- A ```console block is a list of `$ command` lines with what each prints. Every command is run by a shell and must end
  with 0, or with the code that a trailing `# exit N` states. A block after `<!-- not run: reason -->` is left alone.
- Shown output must be the real one, line after line. `…` stands for anything within a line, and alone on a line for
  any number of lines. Names of runs and digests may differ from the page's, but always in the same way: what is shown
  equal must be equal, and what is shown different must differ.
- A block whose first line is a comment that names a file (`# courier.py`) is written there before what follows it.
- `python` blocks compile, `yaml` blocks are what they claim to be, links to files and headings lead somewhere.

`python -m tests.e2e.test_docs [PAGE…]` writes real output in the place of what is shown; what `…` leaves out stays left
out. The text around it may speak of the old numbers: read it again.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from proctor.agents.process.wire import decode
from proctor.spec.project import Project
from proctor.spec.suite import Suite
from tests.e2e.command import ALONE
from tests.e2e.warm.started import make_program

DOCS = Path(__file__).parents[2] / "docs"
SMALL_MODEL = DOCS / "small-model.md"
EXECUTED = [DOCS / "tutorial.md", SMALL_MODEL, *sorted((DOCS / "how-to").glob("*.md"))]
GLOSSARY = DOCS / "glossary.md"
DESIGN = DOCS / "design" / "README.md"
LINKED = [
    DOCS.parent / "README.md",
    *(page for folder in (".", "how-to", "design") for page in sorted((DOCS / folder).glob("*.md"))),
]
SECONDS = 120

LEFT_OUT = "…"
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

    @property
    def executed(self) -> bool:
        """Whether its commands are run."""
        return self.language == "console" and not self.not_run


class Step(NamedTuple):
    """A command, the exit code it must have, and the output shown for it."""

    command: str
    code: int
    shown: list[str]
    lines: list[str]
    """The command as it stands on the page."""


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    fence, language, lines, at = "", "", list[str](), 0
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
    lines, shown = list[str](), list[str]()
    for line in block.lines:
        if lines and lines[-1].endswith("\\"):
            lines.append(line)
        elif line.startswith("$ "):
            if lines:
                yield step(lines, shown)
            lines, shown = [line], []
        else:
            assert lines, f"line {block.at}: output before any command"
            shown.append(line.rstrip())
    yield step(lines, shown)


def step(lines: list[str], shown: list[str]) -> Step:
    command = " ".join(line.removesuffix("\\").strip() for line in lines).removeprefix("$ ")
    code = EXIT.search(command)
    return Step(EXIT.sub("", command), int(code[1]) if code else 0, shown, lines)


@cache
def programs() -> Path:
    """A folder with the program `proctor`."""
    folder = Path(tempfile.mkdtemp(prefix="programs-"))
    atexit.register(shutil.rmtree, folder)
    make_program(folder)
    return folder


class Reader:
    """Somebody who does what a page says, in a folder of their own."""

    def __init__(self, page: Path, folder: Path) -> None:
        self._page = page
        self._folder = folder
        if page.name == SMALL_MODEL.name:
            # What it reads ships with it.
            (folder / "docs").symlink_to(DOCS)
        self._known: dict[str, str] = {}
        """What a name or digest on the page is called here."""
        self._env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PROCTOR_")},
            "PATH": os.pathsep.join([str(programs()), str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            "COLUMNS": "120",
            # Private keys belong outside a project, and never into the configuration of whoever runs the tests.
            "PROCTOR_KEY_FOLDER": str(folder.with_name(f"{folder.name}-keys")),
            "PYTHONUNBUFFERED": "1",
            "PYTEST_ADDOPTS": " ".join(ALONE),
        }

    def follow(self) -> None:
        """Everything on the page, from top to bottom."""
        for block in blocks(self._page):
            if block.file is not None:
                self.write(block)
            elif block.executed:
                for wanted in steps(block):
                    told = f"{self._page.name}:{block.at}: $ {wanted.command}\n"
                    real = self.do(wanted, told)
                    if wanted.shown:
                        self._compare(wanted.shown, real, told + "\n".join(real))

    def write(self, block: Block) -> None:
        """Make the file that a block says it is."""
        place = self._folder / str(block.file)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(block.text, encoding="utf-8")

    def do(self, wanted: Step, told: str) -> list[str]:
        """Run a command; the lines it prints."""
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
        assert "Traceback" not in output, told + output
        assert done.returncode == wanted.code, f"exit {done.returncode}, not {wanted.code}\n{told}{output}"
        real = [line.rstrip() for line in output.splitlines()]
        return [line for line in real if not PROGRESS.match(line)]

    def _compare(self, shown: list[str], real: list[str], told: str) -> None:
        at, skipping = 0, False
        for line in shown:
            if line.strip() == LEFT_OUT:
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
            if token[0] == LEFT_OUT:
                pattern += ".*"
            else:
                pattern += f"({TOKEN.pattern})"
                names.append(token[0])
            end = token.end()
        found = re.fullmatch(pattern + re.escape(line[end:]), real[at])
        if found is None:
            return False
        called = dict(zip(names, found.groups(), strict=True))
        known = {**called, **self._known}
        if any(known[name] != value for name, value in called.items()) or len(set(known.values())) < len(known):
            return False
        self._known = known
        return True


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Path, Future[None]]]:
    """Every page, being followed; two at a time, since most of the time goes into starting commands."""
    with ThreadPoolExecutor(2) as readers:
        started = {page: readers.submit(Reader(page, tmp_path_factory.mktemp(page.stem)).follow) for page in EXECUTED}
        yield started
        readers.shutdown(cancel_futures=True)


@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: page.stem)
def test_what_is_shown_is_what_happens(page: Path, followed: dict[Path, Future[None]]) -> None:
    followed[page].result()


@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: page.stem)
def test_python_compiles_and_declarations_parse(page: Path) -> None:
    for block in blocks(page):
        place = f"{page.name}:{block.at}"
        if block.language == "python":
            compile(block.text, place, "exec", flags=0x2000)  # top-level await, for fragments of a session
        if block.language == "yaml":
            data = yaml.safe_load(block.text)
            if block.file == "suite.yaml":
                Suite.parse(data, source=place)
            elif block.file == "proctor.yaml":
                Project.parse(data, source=place)


def test_every_root_of_the_small_model_is_that_of_evidence_beside_the_page() -> None:
    """Names may differ on other pages; what is published here is one set of runs and no other."""
    text = SMALL_MODEL.read_text(encoding="utf-8")
    manifests = []
    for path in sorted((DOCS / "evidence").glob("*.proctor")):
        with zipfile.ZipFile(path) as bundle:
            manifests.append(json.loads(bundle.read("manifest.json")))
    assert len(manifests) >= 4
    assert {one["root"] for one in manifests} <= set(re.findall(r"\b[0-9a-f]{64}\b", text))
    assert {one["run"] for one in manifests} == set(re.findall(r"\bbinding-[a-z]+-structured-[0-9a-f]{6}\b", text))
    assert sum(one["episodes"] for one in manifests if one["suite"].startswith("binding-sufficiency")) >= 2 * 780
    assert sum(one["episodes"] for one in manifests if one["suite"].startswith("binding-controls")) >= 2 * 480


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


def test_the_glossary_is_sorted_and_has_every_word_of_the_design() -> None:
    terms = re.findall(r"^\*\*([^*]+)\.\*\*", GLOSSARY.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert terms == sorted(terms, key=str.lower)
    table = DESIGN.read_text(encoding="utf-8").partition("## Words")[2]
    words = re.findall(r"^\| ([A-Z][^|]*) \|", table, flags=re.MULTILINE)
    assert len(words) > 30
    wanted = {part.strip().capitalize() for word in words for part in word.split(",")}
    assert wanted <= {term.capitalize() for term in terms}


def refreshed(shown: list[str], real: list[str]) -> list[str]:
    """Shown output, brought up to date: each part between what is left out becomes the real lines most like it."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    new, at = list[str](), 0
    for number, part in enumerate(parts):
        first, last = number == 0, number == len(parts) - 1
        start = at if first else nearest(part, real, at)
        end = len(real) if last and (part or first) else start + len(part)
        new += [] if first else [LEFT_OUT]
        new += [keep_left_out(old, line) for old, line in zip(part, real[start:end], strict=False)]
        new += real[start + len(part) : end]
        at = end
    return new


def nearest(part: list[str], real: list[str], at: int) -> int:
    """Where in the real lines, from `at` on, something most like a part begins."""

    def likeness(start: int) -> float:
        pairs = zip(part, real[start : start + len(part)], strict=False)
        return sum(SequenceMatcher(None, old, new).ratio() for old, new in pairs)

    return max(range(at, max(at, len(real) - len(part)) + 1), key=likeness)


def keep_left_out(old: str, new: str) -> str:
    """The new line, or the old one with the new names and digests if it leaves something out and still fits."""
    parts = TOKEN.split(old)
    tokens = TOKEN.findall(old)
    pattern = re.escape(parts[0])
    for token, part in zip(tokens, parts[1:], strict=True):
        pattern += (".*" if token == LEFT_OUT else f"({TOKEN.pattern})") + re.escape(part)
    found = re.fullmatch(pattern, new)
    if LEFT_OUT not in tokens or found is None:
        return new
    named = iter(found.groups())
    return TOKEN.sub(lambda token: LEFT_OUT if token[0] == LEFT_OUT else next(named), old)


def refresh(page: Path) -> None:
    """Write real output into a page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    edits: list[tuple[Block, list[str]]] = []
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        project.mkdir()
        reader = Reader(page, project)
        for block in blocks(page):
            if block.file is not None:
                reader.write(block)
            elif block.executed:
                new = list[str]()
                for wanted in steps(block):
                    real = reader.do(wanted, f"{page.name}:{block.at}: $ {wanted.command}\n")
                    new += [*wanted.lines, *(refreshed(wanted.shown, real) if wanted.shown else ())]
                edits.append((block, new))
    for block, new in reversed(edits):
        lines[block.at : block.at + len(block.lines)] = new
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for named in sys.argv[1:] or EXECUTED:
        refresh(Path(named))
