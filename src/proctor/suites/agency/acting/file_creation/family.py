"""The family `file-creation` (B.5.1, E1): one call of create_file, with a name and a content composed by rules.

Always: rules and facts are stated in full, each piece of name and content follows from the facts alone, one fact at
least was corrected, and the file that lies there in the end is compared piece by piece.
"""

from __future__ import annotations

from datetime import timedelta

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.acting.file_creation.rules import CONTENT_RULES, NAME_RULES, RUNNING, Item, Record, Rule
from proctor.suites.agency.acting.file_creation.texts import ANSWER_FORMAT, GOALS, RULES, TRADES, Trade
from proctor.suites.agency.acting.file_creation.world import REASONS, FolderWorld
from proctor.suites.agency.acting.forms import CORRECTIONS, TEMPLATES, Fact, Part, compose, corrected, facts_of, head
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import MATERIAL_AND_FILES_SCHEMA
from proctor.suites.kit.words import TOWNS, company, day, long_date
from proctor.worlds.world import Place

_BUDGET = Budget(actions=20)
_NAME_PARTS = 2
_ENDINGS = ("txt", "rec", "note", "dat")


class FileCreationFamily(JudgedByState):
    """Records to be put on file."""

    spec = FamilySpec(
        id="file-creation",
        title="A file created in one call",
        description="Name and content of a file are composed from a record by stated rules, and the file is created.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("E1",),
        criterion="The folder holds exactly one new file, with the right name and the right lines.",
        verification="The real folder is listed and the new file's bytes are read; only space at line ends is free.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "items": Knob(default=3, values=(2, 3, 5), description="Items in the record."),
            "lines": Knob(default=4, values=(2, 4, 6), description="Lines the file has."),
        },
        observation_schema=MATERIAL_AND_FILES_SCHEMA,
        answer_schema={"type": "string"},
        artifacts=True,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        count, lines = knobs.get("items", 3), knobs.get("lines", 4)
        template, trade = stream.choice(TEMPLATES), stream.choice(TRADES)
        record = _record(stream, trade, count)
        files = _older(stream, trade, record)
        naming = [*stream.sample(NAME_RULES, _NAME_PARTS), RUNNING]
        filling = stream.sample(tuple(CONTENT_RULES), lines)
        mark, ending = stream.choice("-_+"), stream.choice(_ENDINGS)
        parts = _parts(stream, trade, record)
        about = head(stream, trade.title, f"R-{stream.integer(100, 999)}", record.day + timedelta(days=3))
        words = _words(trade)
        rules = RULES.format(
            prefix=trade.prefix,
            pieces=len(naming),
            mark=mark,
            ending=ending,
            name="\n".join(f"- {rule.text.format(**words)}" for rule in naming),
            count=len(filling),
            content="\n".join(f"- {word}: {CONTENT_RULES[word].text.format(**words)}" for word in filling),
            correct=CORRECTIONS,
        )
        content = "".join(f"{word}: {CONTENT_RULES[word].make(record)}\n" for word in filling)
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(whole=trade.whole) + rules,
            answer_format=ANSWER_FORMAT,
            observation={"material": compose(template, about, parts, stream), "files": files},
            hidden={
                "expected": {"name": _name(trade, naming, record, mark, ending), "content": content},
                "facts": facts_of(parts),
            },
            knobs={"items": count, "lines": lines},
            budget=_BUDGET,
            strict_actions=3,
        )

    def world(self, instance: Instance, place: Place) -> FolderWorld:
        return FolderWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Each line rests on a fact of each item, or so; then one call."""
        return Policy(instance, deliveries).settle_then_write(
            instance.knobs["items"] * instance.knobs["lines"], 1, keep=4
        )


def _record(stream: Stream, trade: Trade, count: int) -> Record:
    quantities, weights = stream.sample(range(2, 60), count), stream.sample(range(3, 90), count)
    articles = stream.sample(trade.articles, count)
    return Record(
        number=stream.integer(1000, 99_999),
        sender=company(stream),
        place=stream.choice(TOWNS),
        carrier=company(stream),
        day=day(stream, last=280),
        items=tuple(Item(*item) for item in zip(articles, quantities, weights, strict=True)),
        latest=stream.integer(7, 420),
    )


def _older(stream: Stream, trade: Trade, record: Record) -> list[str]:
    """Names of files that are there already; their order tells nothing about their numbers."""
    numbers = [record.latest, *stream.sample(range(1, record.latest), 3)]
    letters = stream.sample("abcdefg", len(numbers))
    return sorted(f"{trade.prefix}-{letter}-{n:03d}.old" for letter, n in zip(letters, numbers, strict=True))


def _name(trade: Trade, naming: list[Rule], record: Record, mark: str, ending: str) -> str:
    return mark.join([trade.prefix, *(rule.make(record) for rule in naming)]) + f".{ending}"


def _words(trade: Trade) -> dict[str, str]:
    names = ("number", "sender", "place", "day", "carrier", "item", "article", "weight")
    return {name: getattr(trade, name) for name in names}


def _parts(stream: Stream, trade: Trade, record: Record) -> list[Part]:
    whole = Part(
        trade.whole,
        (
            Fact(trade.number, str(record.number)),
            Fact(trade.sender, record.sender),
            Fact(trade.place, record.place),
            Fact(trade.day, long_date(record.day)),
            Fact(trade.carrier, record.carrier),
        ),
    )
    items = [
        Part(
            f"{trade.item} {number}",
            (
                Fact(trade.article, item.article),
                Fact("quantity", str(item.quantity)),
                Fact(trade.weight, str(item.weight)),
            ),
        )
        for number, item in enumerate(record.items, 1)
    ]
    changed = stream.choice(items).name
    earlier = {
        (trade.whole, trade.number): str(stream.integer(1000, 99_999)),
        (trade.whole, trade.day): long_date(record.day + timedelta(days=stream.integer(1, 9))),
        (changed, "quantity"): str(stream.integer(60, 99)),
        (changed, trade.weight): str(stream.integer(90, 120)),
    }
    chosen = stream.sample(tuple(earlier), 2)
    return corrected([whole, *items], {index: earlier[index] for index in chosen})


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    expected = instance.hidden["expected"]
    await call_with_retry(session, "create_file", name=expected["name"], content=expected["content"])
    return Submission("done", confidence=1.0)


family = FileCreationFamily()
