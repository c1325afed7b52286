"""The family `file-sorting` (B.4.2, D2): a sequence of moves that puts ten files where the rules want them.

Always: ten files; each has one right path; some lie in places that belong to others, a few of them in a ring that only
a detour opens; the moves allowed are the fewest possible and two more; nothing happens but what is done.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.deciding.file_sorting.papers import (
    Paper,
    Rule,
    drawn_papers,
    drawn_rules,
    laid,
    places,
)
from proctor.suites.agency.deciding.file_sorting.texts import ANSWER_FORMAT, GOALS, ORDERS, PROPERTIES, RULES, WORDING
from proctor.suites.agency.deciding.file_sorting.world import REASONS, TreeWorld
from proctor.suites.agency.deciding.forms import FORMS, written
from proctor.suites.agency.deciding.frames import frame
from proctor.suites.agency.deciding.material import Row, Section
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import firm
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_ORDERS = tuple(ORDERS)
_SPARE = 2
"""Moves beyond the fewest possible."""
_BUDGET = Budget(actions=60)
_CARD = "Document: {id}\nKind: {kind}\nOffice: {office}\nDate: {date}\nSize: {kb} kB\nStatus: {status}"


class FileSortingFamily(JudgedByState):
    """Folders in a mess."""

    spec = FamilySpec(
        id="file-sorting",
        title="Sorting ten files",
        description="Ten files with properties, ranked sorting rules, numbered names, and few moves to get there.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("D2",),
        criterion="In the end each of the ten files lies at its path and there is no other file.",
        verification="The tree in its final state is compared, path by path and content by content, with the target.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "rings": Knob(
                default=1, values=(0, 1, 2), description="Groups of files that lie in each other's places in a ring."
            ),
            "rules": Knob(default=3, values=(2, 3, 4), description="Sorting rules besides the one for the rest."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        rings, count = draw.knobs.get("rings", 1), draw.knobs.get("rules", 3)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        about = frame(stream, f"the shared folders of {firm(stream)}")
        papers = drawn_papers(stream)
        rules = drawn_rules(stream, papers, count)
        order = stream.choice(_ORDERS)
        targets = places(papers, rules, order)
        start = laid(stream, papers, targets, rings)
        sheet = written(template, _sections(papers, start.paths, rules, order), WORDING, about)
        contents = [_CARD.format(**paper._asdict()) for paper in papers]
        moves = len(start.moves) + _SPARE
        return Instance(
            template=template,
            goal=goal + RULES.format(moves=moves),
            answer_format=ANSWER_FORMAT,
            observation={"text": sheet.text, "passages": len(passages(sheet.lines))},
            hidden={
                "files": dict(zip(start.paths, contents, strict=True)),
                "expected": dict(zip(targets, contents, strict=True)),
                "plan": [list(move) for move in start.moves],
                "moves": moves,
                "facts": sheet.facts,
            },
            knobs={"rings": rings, "rules": count},
            budget=_BUDGET,
            strict_actions=len(start.moves) + 3,
        )

    def world(self, instance: Instance, place: Place) -> TreeWorld:
        return TreeWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The text has to be known for certain; then every move costs a call."""
        moves = len(instance.hidden["plan"])
        return Policy(instance, deliveries).settle_then_write(len(instance.hidden["facts"]), moves, keep=2 * moves)


def _sections(papers: list[Paper], paths: list[str], rules: list[Rule], order: str) -> list[Section]:
    files = [
        Row(
            "file",
            {
                "path": path,
                "document": paper.id,
                "kind": paper.kind,
                "office": paper.office,
                "date": paper.date,
                "kb": str(paper.kb),
                "status": paper.status,
            },
        )
        for paper, path in sorted(zip(papers, paths, strict=True), key=lambda pair: pair[1])
    ]
    ranked = [
        Row(
            rule.test,
            {
                "rank": str(rank),
                "property": PROPERTIES[rule.test],
                "value": rule.value or "-",
                "folder": rule.folder,
            },
        )
        for rank, rule in enumerate(rules, 1)
    ]
    return [
        Section("files", files),
        Section("rules", ranked),
        Section("numbering", [Row("numbering", {"order": order})]),
    ]


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for source, target in instance.hidden["plan"]:
        await call_with_retry(session, "move_file", source=source, target=target)
    return Submission("done", confidence=1.0)


family = FileSortingFamily()
