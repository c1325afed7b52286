"""The family `data-pipeline` (B.5.4, E4): from sources to a result file, through tools that fail.

Always: every step is ordered in goal or material, a step that broke off half-way says so and can be looked at, and only
the exported Parquet file is judged, by its data quality.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView, ToolResult
from proctor.suites.agency.acting.data_pipeline.sources import (
    Order,
    fact_columns,
    fact_rows,
    order,
    register_columns,
    register_rows,
    result,
)
from proctor.suites.agency.acting.data_pipeline.texts import ANSWER_FORMAT, GOALS, STATES, STEPS, SUBJECTS, Subject
from proctor.suites.agency.acting.data_pipeline.world import REASONS, DataPipelineWorld
from proctor.suites.agency.acting.forms import CORRECTIONS, TEMPLATES, Fact, Part, compose, corrected, facts_of, head
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import MAX_ATTEMPTS, call_with_retry
from proctor.suites.kit.text_world import MATERIAL_SCHEMA
from proctor.suites.kit.words import day
from proctor.worlds.world import Place

_BUDGET = Budget(actions=45)
_WRITES = 10
"""Two ingests, four cleaning steps, join, product, aggregate, export."""
_ORDERED = 7
"""Facts that the material orders."""


class DataPipelineFamily(JudgedByState):
    """Orders for a result file."""

    spec = FamilySpec(
        id="data-pipeline",
        title="A data pipeline with failing tools",
        description="Ingest, clean, join, aggregate and export; some steps break off half-way and must be taken up.",
        environment=EnvironmentClass(kind=EnvironmentKind.STOCHASTIC),
        evidences=("E4",),
        criterion="The one result file has the ordered name, schema and rows, without duplicates, and right values.",
        verification="The Parquet file is opened and read: schema, duplicate groups, row count, total, every value.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "rows": Knob(default=36, values=(20, 36, 80), description="Rows of the larger source."),
            "breaks": Knob(default=2, values=(0, 1, 2, 3), description="Steps that break off half-way once."),
        },
        observation_schema=MATERIAL_SCHEMA,
        answer_schema={"type": "string"},
        artifacts=True,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        count, breaks = knobs.get("rows", 36), knobs.get("breaks", 2)
        template, subject = stream.choice(TEMPLATES), stream.choice(SUBJECTS)
        ordered = order(stream, subject)
        parts = _parts(stream, subject, ordered)
        about = head(stream, subject.title, f"P-{stream.integer(100, 999)}", day(stream))
        goal = stream.choice(GOALS).format(title=subject.title)
        # Streams of their own: more rows leave order and material as they are.
        register = register_rows(stream.child("register"), subject)
        facts = fact_rows(stream.child("rows"), subject, register, count)
        rows = result(subject, ordered, facts, register)
        return Instance(
            template=template,
            goal=goal
            + STEPS.format(
                facts=subject.facts,
                fact_columns=", ".join(fact_columns(subject)),
                fact_rows=count,
                register=subject.register,
                register_columns=", ".join(register_columns(subject)),
                register_rows=len(register),
                code=subject.code,
                factor=subject.factor,
                correct=CORRECTIONS,
            ),
            answer_format=ANSWER_FORMAT,
            observation={"material": compose(template, about, parts, stream)},
            hidden={
                "sources": {subject.facts: facts, subject.register: register},
                "breaks": _breaks(stream.child("breaks"), subject, count, len(register), len(rows), breaks),
                "subject": SUBJECTS.index(subject),
                "order": [ordered.state, ordered.measure, ordered.missing, ordered.how],
                "expected": {"file": ordered.file, "group": ordered.group, "column": ordered.column, "rows": rows},
                "facts": facts_of(parts),
            },
            knobs={"rows": count, "breaks": breaks},
            budget=_BUDGET,
            strict_actions=_WRITES + 2 * breaks + 4,
        )

    def world(self, instance: Instance, place: Place) -> DataPipelineWorld:
        return DataPipelineWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Ten steps; each that breaks off costs a look and a second call."""
        policy = Policy(instance, deliveries)
        breaks = instance.knobs["breaks"]
        try:
            known = policy.settle(_ORDERED, keep=2 * (_WRITES + 2 * breaks))
            policy.call("write", times=_WRITES + breaks)
            known = all([known, *(policy.settle(1, seen=0, keep=4) for _ in range(breaks))])
        except OutOfCalls:
            return False
        return known


def _breaks(stream: Stream, subject: Subject, facts: int, register: int, groups: int, count: int) -> dict[str, int]:
    """Which first calls break off, and after how many rows."""
    breaks = {
        f"ingest {subject.facts}": stream.integer(facts // 4, facts - 4),
        "export": stream.integer(1, max(1, groups - 1)),
        f"ingest {subject.register}": stream.integer(2, register - 2),
    }
    return dict(list(breaks.items())[:count])


def _parts(stream: Stream, subject: Subject, ordered: Order) -> list[Part]:
    missing = "row left out" if ordered.missing is None else f"counted as {ordered.missing}"
    source = Part(
        f"the source {subject.facts}",
        (
            Fact("state to be left out", ordered.state),
            Fact("measure", ordered.measure),
            Fact("rule for a missing measure", missing),
        ),
    )
    wanted = Part(
        "the result",
        (
            Fact("column to group by", ordered.group),
            Fact("way of aggregating", ordered.how),
            Fact("name of the aggregate column", ordered.column),
            Fact("file name", ordered.file),
        ),
    )
    earlier = {
        (source.name, "state to be left out"): stream.choice(STATES),
        (source.name, "measure"): stream.choice(subject.measures),
        (source.name, "rule for a missing measure"): f"counted as {stream.integer(31, 60)}",
        (wanted.name, "column to group by"): stream.choice(subject.groups),
        (wanted.name, "file name"): f"{subject.facts}_{stream.integer(100, 999)}",
    }
    chosen = stream.sample(tuple(earlier), 3)
    return corrected([source, wanted], {index: earlier[index] for index in chosen})


async def _ingest(session: Session, source: str) -> None:
    """Ingest a source, and take it up where it broke off."""
    first, answered = 1, False
    for _ in range(MAX_ATTEMPTS):
        taken: ToolResult = await session.call("ingest", source=source, first_row=first)
        answered = taken.ok
        if answered:
            return
        if "connection while rows" in (taken.error or ""):
            shown = await call_with_retry(session, "tables")
            first = 1 + sum(table["rows"] for table in shown.value["staged"] if table["table"] == source)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    hidden = instance.hidden
    subject, expected = SUBJECTS[hidden["subject"]], hidden["expected"]
    state, measure, missing, how = hidden["order"]
    facts, register, code = subject.facts, subject.register, subject.code
    await _ingest(session, facts)
    await _ingest(session, register)
    await call_with_retry(session, "normalise", table=facts, column=code)
    await call_with_retry(session, "drop_rows", table=facts, column="state", value=state)
    if missing is None:
        await call_with_retry(session, "drop_rows", table=facts, column=measure, value="")
    else:
        await call_with_retry(session, "fill_missing", table=facts, column=measure, value=missing)
    await call_with_retry(session, "keep_latest", table=register, key=code, by="edition")
    await call_with_retry(session, "join", left=facts, right=register, column=code, target="joined")
    await call_with_retry(session, "multiply", table="joined", column=measure, by=subject.factor, target="product")
    await call_with_retry(
        session,
        "aggregate",
        table="joined",
        group_by=expected["group"],
        column="product",
        how=how,
        column_name=expected["column"],
        target="result",
    )
    await call_with_retry(session, "export", table="result", file_name=expected["file"])
    return Submission("done", confidence=1.0)


family = DataPipelineFamily()
