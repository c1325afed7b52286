from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import pytest
from msgspec import Meta

from proctor.agents import human
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.typed import Call, Command, Mistyped, read_answer, read_line, usage
from proctor.core.errors import InputError, ToolError
from proctor.spec.task import Budget, Submission, ToolSpec
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class Cellar(BaseWorld):
    @tool(effect="read")
    def open_box(self, number: Annotated[int, Meta(ge=1, description="Which box.")]) -> str:
        """Open a box and see what is inside."""
        if number > 3:
            message = "there are three boxes"
            raise ToolError(message)
        return f"box {number} holds a lamp"

    @tool(effect="write")
    def label(self, box: str, text: str = "", loud: bool = False) -> None:
        """Put a label on a box."""


class Terminal:
    """A person who types from a list."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.printed: list[str] = []

    def write(self, text: str) -> None:
        self.printed.append(text)

    def read(self, prompt: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    @property
    def text(self) -> str:
        return "\n".join(self.printed)


def play(bench: type[Bench], *lines: str, limits: Budget | None = None) -> tuple[Submission, str, Bench]:
    terminal = Terminal(*lines)
    episode = bench(Cellar, goal="Find the lamp.", answer_format="A box number.", shown={"boxes": 3}, limits=limits)
    submission = episode.run(human.Human(terminal.write, terminal.read))
    return submission, terminal.text, episode


def test_the_person_sees_the_task(bench: type[Bench]) -> None:
    _, text, _ = play(bench, "quit")
    for part in (
        "Find the lamp.",
        "A box number.",
        "open_box number=<integer>",
        "Which box.",
        "boxes: 3",
        "Open a box",
    ):
        assert part in text


@pytest.mark.parametrize("line", ['open_box {"number": 2}', "open_box number=2", "open_box 2", "call open_box 2"])
def test_ways_to_call(line: str, bench: type[Bench]) -> None:
    submission, text, episode = play(bench, line, "answer 2", "0.9")
    assert "box 2 holds a lamp" in text
    assert submission == Submission(2, 0.9)
    assert episode.session.misfits == 0


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("opn_box 2", "did you mean 'open_box'?"),
        ("zzz", "type 'help'"),
        ("open_box {number: 2}", "not valid JSON"),
        ("open_box number=two", "'number' should be an integer"),
        ("open_box two", "'number' should be an integer"),
        ('label box="a', "quotation mark"),
        ("label box=a colour=red", "not one of its arguments"),
        ("open_box 9", "Error: there are three boxes"),
        ("open_box", "Error: arguments of 'open_box' do not fit"),
        ("answer", "Write the answer after the word"),
        ("say", "Write what to say"),
        ("help", "hand in and finish"),
        ("?", "hand in and finish"),
        ("tools", "only reads"),
        ("budget", "Left: 5 tool calls"),
        ("say hello", "Noted."),
        ('label box=a text="two words" loud=True', "Done."),
        ("", "type 'help'"),
    ],
)
def test_replies(line: str, reply: str, bench: type[Bench]) -> None:
    submission, text, _ = play(bench, line, "quit", limits=Budget(actions=5))
    assert reply in text
    assert submission.answer is None


def test_look_shows_everything_again(bench: type[Bench]) -> None:
    _, text, _ = play(bench, "open_box 1", "look", "quit")
    assert text.count("boxes: 3") == 2
    assert "Call 1 gave" in text


def test_a_limit_leaves_the_answer(bench: type[Bench]) -> None:
    submission, text, _ = play(bench, "open_box 1", "open_box 2", 'answer {"box": 1}', "", limits=Budget(actions=1))
    assert "You can still answer" in text
    assert submission == Submission({"box": 1})


def test_leaving_hands_in_nothing(bench: type[Bench]) -> None:
    submission, text, _ = play(bench)
    assert submission == Submission()
    assert "You left" in text


def test_confidence_is_asked_until_it_makes_sense(bench: type[Bench]) -> None:
    submission, text, _ = play(bench, "answer the first box", "very", "7", "80%")
    assert submission == Submission("the first box", 0.8)
    assert text.count("certain") == 2


def test_budget_without_limits() -> None:
    assert human.describe_budget(Budget()) == "Nothing is limited."


def test_on_a_console_brackets_are_not_markup(bench: type[Bench]) -> None:
    class Console:
        def __init__(self) -> None:
            self.markup: list[bool] = []

        def print(self, *objects: Any, markup: bool, highlight: bool) -> None:
            self.markup.append(markup)

        def input(self, prompt: str, *, markup: bool) -> str:
            self.markup.append(markup)
            return "quit"

    console = Console()
    bench(Cellar, goal="Find [bold] lamps.").run(human.Human.on(console))
    assert not any(console.markup)


def test_reading_lines(bench: type[Bench]) -> None:
    tools = bench(Cellar, goal="x").task.tools
    assert read_line("ANSWER  a b ", tools) == Command("answer", "a b")
    assert read_line("exit", tools) == Command("quit")
    assert read_line("label box=a=b", tools) == Call("label", {"box": "a=b"})
    assert read_line("label 'x = y'", tools) == Call("label", {"box": "x = y"})
    assert usage(tools[1]) == "label box=<string> [text=<string>] [loud=<boolean>]"
    with pytest.raises(Mistyped):
        read_line("label wrong=1", tools)


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"enum": ["heat", "cool", "off"]}, "heat|cool|off"),
        ({"enum": [1, 2, 3]}, "1|2|3"),
        ({"anyOf": [{"enum": ["left", "right"]}, {"type": "null"}]}, "left|right"),
        ({"enum": [f"choice number {number}" for number in range(9)]}, "string"),
    ],
)
def test_few_choices_are_written_out(schema: dict[str, Any], shown: str) -> None:
    turn = ToolSpec("turn", "Turn it.", {"properties": {"way": schema}, "required": ["way"]}, "write")
    assert usage(turn) == f"turn way=<{shown}>"


def test_answers_are_json_where_they_can_be() -> None:
    assert read_answer("[1, 2]") == [1, 2]
    assert read_answer("12 lamps") == "12 lamps"


def test_the_kind_lives_on_real_time(context: AgentContext) -> None:
    assert not human.kind.trusted
    assert isinstance(human.kind.open(AgentString.parse("human"), context), human.Human)
    with pytest.raises(InputError):
        human.kind.open(AgentString.parse("human:me"), context)
