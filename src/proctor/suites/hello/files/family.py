"""The family `files`: sort, rename and list real files.

Always: what to do with a file follows from its own lines, file names say nothing, and the whole folder must be right in
the end, down to the bytes of every paper.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.hello.files.world import REASONS, InboxWorld
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.word_file import read_words
from proctor.worlds.world import Place

Paper = dict[str, str]

WORDS = read_words(__file__)
_TEMPLATES = tuple(WORDS["goals"])
_INBOX = "/task/inbox"
_BUDGET = Budget(actions=150)
_FIELDS_PER_PAPER = 8
"""Kind, date, number and amount or status, each with the name of the file they were found in."""


class FilesFamily(JudgedByState):
    """Papers in an inbox."""

    spec = FamilySpec(
        id="files",
        title="Order in a folder",
        description="Invoices to be moved or renamed according to their contents, and a list to be written.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="Every paper is where it should be, unchanged; the list says what it should; there is no other file.",
        verification="The real files are opened and compared byte for byte; in the list, space at line ends is free.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "invoices": Knob(default=5, values=(3, 5, 8), description="Invoices in the inbox."),
            "others": Knob(default=1, values=(0, 1, 3), description="Papers of other kinds, which must stay."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "folder": {"type": "string"},
                "files": {"type": "array", "items": {"type": "string"}},
                "target": {"type": "string"},
                "index": {"type": "string"},
                "line": {"type": "string"},
            },
            "required": ["folder", "files", "target", "index", "line"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
        artifacts=True,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        invoices, others = knobs.get("invoices", 5), knobs.get("others", 1)
        template = stream.choice(_TEMPLATES)
        papers = _papers(stream, invoices, others)
        patterns = WORDS["patterns"][template]
        moves, expected = _outcome(template, papers)
        return Instance(
            template=template,
            goal=stream.choice(WORDS["goals"][template]).format(**patterns)
            + WORDS["placeholders"][template]
            + WORDS["form"],
            answer_format=WORDS["answer_format"],
            observation={"folder": _INBOX, "files": sorted(papers), **patterns},
            hidden={
                "files": {f"{_INBOX}/{name}": _text(paper) for name, paper in papers.items()},
                "moves": moves,
                "expected": expected,
                "index": patterns["index"],
            },
            knobs={"invoices": invoices, "others": others},
            budget=_BUDGET,
            strict_actions=len(papers) + len(moves) + 3,
        )

    def world(self, instance: Instance, place: Place) -> InboxWorld:
        return InboxWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """One search for a colon shows every line of every paper; then each move and the list cost a call."""
        writes = len(instance.hidden["moves"]) + 1
        fields = len(instance.hidden["files"]) * _FIELDS_PER_PAPER
        return Policy(instance, deliveries).settle_then_write(fields, writes, seen=0, keep=2 * writes + 2)


def _papers(stream: Stream, invoices: int, others: int) -> dict[str, Paper]:
    """Papers by file name, invoices and others in mixed order."""
    count = invoices + others
    names = [f"scan-{number:04d}.txt" for number in _different(stream, 1, 9999, count)]
    numbers = _different(stream, 10_000, 99_999, count)
    kinds = ["invoice"] * invoices + [stream.choice(WORDS["other_kinds"]) for _ in range(others)]
    # At least one paid and one open invoice, so that none of the questions is empty.
    statuses = ["paid", "open"] + [stream.choice(("paid", "open")) for _ in range(count - 2)]
    papers = {
        name: {
            "Kind": kind,
            "Number": str(number),
            "Supplier": stream.choice(WORDS["suppliers"]),
            "Date": f"{stream.integer(2021, 2025)}-{stream.integer(1, 12):02d}-{stream.integer(1, 28):02d}",
            "Amount": f"{stream.integer(10, 2500)}.{stream.below(100):02d}",
            "Status": status,
        }
        for name, number, kind, status in zip(names, numbers, kinds, statuses, strict=True)
    }
    return dict(sorted(papers.items()))


def _different(stream: Stream, low: int, high: int, count: int) -> list[int]:
    numbers: dict[int, None] = {}
    while len(numbers) < count:
        numbers[stream.integer(low, high)] = None
    return list(numbers)


def _text(paper: Paper) -> str:
    return "".join(f"{name}: {value}\n" for name, value in paper.items())


def _outcome(template: str, papers: dict[str, Paper]) -> tuple[list[list[str]], dict[str, str]]:
    """The moves to be made, and every file there should be in the end."""
    patterns = WORDS["patterns"][template]
    moves: list[list[str]] = []
    lines: list[str] = []
    cents = 0
    expected: dict[str, str] = {}
    for name, paper in papers.items():
        path = f"{_INBOX}/{name}"
        words = {
            "name": name,
            "year": paper["Date"][:4],
            "date": paper["Date"],
            "number": paper["Number"],
            "amount": paper["Amount"],
        }
        invoice = paper["Kind"] == "invoice"
        still_open = template == "unpaid" and paper["Status"] == "open"
        if invoice and not still_open:
            target = patterns["target"].format(**words)
            moves.append([path, target])
            path = target
        if invoice and (still_open or template != "unpaid"):
            lines.append(patterns["line"].format(**words))
            cents += int(paper["Amount"].replace(".", ""))
        expected[path] = _text(paper)
    lines.sort()
    if template == "unpaid":
        lines.append(f"total,{cents // 100}.{cents % 100:02d}")
    expected[patterns["index"]] = "".join(f"{line}\n" for line in lines)
    return moves, expected


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    hidden = instance.hidden
    await call_with_retry(session, "list_files", path=_INBOX)
    for source, target in hidden["moves"]:
        await call_with_retry(session, "read_file", path=source)
        await call_with_retry(session, "move_file", source=source, target=target)
    await call_with_retry(session, "write_file", path=hidden["index"], text=hidden["expected"][hidden["index"]])
    return Submission("done", confidence=1.0)


family = FilesFamily()
