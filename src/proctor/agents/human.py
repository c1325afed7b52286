"""A person as an agent: shows the task in the terminal and lets them type tool calls and an answer.

Reading a line blocks, and lives on real time; the person is alone in their process, so nobody else is kept waiting.
Printing and prompting are callables, so that tests type from a list and `proctor play` uses what terminal it likes.
The person sees exactly what any agent sees: TaskView, observations and budget.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from typing import Any, Protocol

from proctor.agents.contract import Agent, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.plain import refuse_details
from proctor.agents.typed import Call, Command, Mistyped, read_answer, read_line, usage
from proctor.core.errors import LimitReached
from proctor.spec.task import Budget, Submission, TaskView, ToolResult, ToolSpec

WIDTH = 100

HELP = """\
  <tool> name=value …     call a tool; quote values with spaces: text="two words"
  <tool> {"name": …}      the same with JSON arguments: for lists, and for texts of several lines (\\n)
  tools                   the tools and how to call them
  look                    the task and everything you were shown, again
  budget                  what you may still spend
  say <text>              leave a remark in the record
  answer <text or JSON>   hand in and finish
  quit                    give up; counts as no answer"""


class Console(Protocol):
    """What is needed of a rich console, without importing rich."""

    def print(self, *objects: Any, markup: bool, highlight: bool) -> None:
        """Print without reading square brackets as markup."""
        ...

    def input(self, prompt: str, *, markup: bool) -> str:
        """Ask for a line."""
        ...


class Human:
    """Lets a person live one episode after another."""

    def __init__(self, write: Callable[[str], None] = print, read: Callable[[str], str] = input) -> None:
        self._write = write
        self._read = read

    @classmethod
    def on(cls, console: Console) -> Human:
        """A person at a rich console."""
        return cls(
            lambda text: console.print(text, markup=False, highlight=False),
            lambda prompt: console.input(prompt, markup=False),
        )

    async def run(self, task: TaskView, session: Session) -> Submission:
        self._introduce(task, session)
        while True:
            try:
                order = read_line(self._read("\n> "), task.tools)
                if isinstance(order, Call):
                    await self._call(order, session)
                elif order.word == "answer":
                    return self._hand_in(order.rest, task)
                elif order.word == "quit":
                    self._write("You gave up; nothing was submitted.")
                    return Submission()
                else:
                    self._obey(order, task, session)
            except Mistyped as mistake:
                self._write(str(mistake))
            except (EOFError, KeyboardInterrupt):
                self._write("\nYou left; nothing is handed in.")
                return Submission()
            except LimitReached as limit:
                self._write(f"No: {limit}. You can still answer.")

    def _introduce(self, task: TaskView, session: Session) -> None:
        self._write(_heading("Task"))
        self._write(_wrapped(task.goal))
        self._write(_heading("Answer format"))
        self._write(_wrapped(task.answer_format))
        self._write(_heading("Tools"))
        self._write(describe_tools(task))
        for observation in session.observations:
            self._write(_heading("You see" if observation.call is None else f"Call {observation.call + 1} gave"))
            self._write(show_fields(observation.fields))
        self._write(_heading("Budget"))
        self._write(describe_budget(session.budget))
        self._write("Type 'help' for what you can do.")

    def _obey(self, order: Command, task: TaskView, session: Session) -> None:
        if order.word == "help":
            self._write(HELP)
        elif order.word == "tools":
            self._write(describe_tools(task))
        elif order.word == "budget":
            self._write(describe_budget(session.budget))
        elif order.word == "look":
            self._introduce(task, session)
        elif not order.rest:
            message = "Write what to say after the word, e.g. say the file is missing."
            raise Mistyped(message)
        else:
            session.say(order.rest)
            self._write("Noted.")

    async def _call(self, order: Call, session: Session) -> None:
        before = len(session.observations)
        result = await session.call(order.tool, **order.arguments)
        self._write(describe_result(result))
        for observation in session.observations[before:]:
            if observation.call is None:
                self._write(show_fields(observation.fields))

    def _hand_in(self, text: str, task: TaskView) -> Submission:
        if not text:
            message = f"Write the answer after the word. The format is: {task.answer_format}"
            raise Mistyped(message)
        return Submission(read_answer(text), self._confidence())

    def _confidence(self) -> float | None:
        while True:
            try:
                text = self._read("How sure are you, from 0 to 1? (Enter to skip) ").strip()
            except EOFError:
                # The answer was given; that no confidence follows does not take it back.
                return None
            if not text:
                return None
            try:
                value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
            except ValueError:
                value = -1.0
            if 0 <= value <= 1:
                return value
            self._write("A number from 0 (a guess) to 1 (certain), please.")


def describe_tools(task: TaskView) -> str:
    """The tools, one paragraph each."""
    return "\n".join(_describe_tool(tool) for tool in task.tools) or "None: answer from what you see."


def _describe_tool(tool: ToolSpec) -> str:
    lines = [f"{usage(tool)}   ({'changes things' if tool.effect == 'write' else 'only reads'})"]
    lines.append(textwrap.indent(_wrapped(tool.description), "    "))
    for name, schema in tool.parameters.get("properties", {}).items():
        if schema.get("description"):
            lines.append(f"      {name}: {schema['description']}")
    return "\n".join(lines)


def describe_budget(budget: Budget) -> str:
    """What is left, in words."""
    left = [
        (budget.actions, "tool calls"),
        (budget.queries, "calls of reading tools"),
        (budget.retries, "retries of a failed call"),
        (budget.milliseconds, "milliseconds"),
        (budget.tokens, "tokens"),
    ]
    known = [f"{amount} {what}" for amount, what in left if amount is not None]
    return f"Left: {', '.join(known)}." if known else "Nothing is limited."


def describe_result(result: ToolResult) -> str:
    """What a call gave back."""
    if not result.ok:
        return f"Error: {result.error}"
    return "Done." if result.value is None else show_value(result.value)


def show_fields(fields: dict[str, Any]) -> str:
    """An observation, one field after the other."""
    blocks = []
    for name, value in fields.items():
        text = show_value(value)
        blocks.append(f"{name}:\n{textwrap.indent(text, '  ')}" if "\n" in text else f"{name}: {text}")
    return "\n".join(blocks) or "Nothing."


def show_value(value: Any) -> str:
    """Text as it is; anything else as indented JSON."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _heading(title: str) -> str:
    return f"\n── {title} {'─' * max(0, 60 - len(title))}"


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH, replace_whitespace=False) for line in text.splitlines())


def _open(text: AgentString, context: AgentContext) -> Agent:
    refuse_details(text)
    return Human()


kind = AgentKind(
    name="human",
    description="A person at the terminal, by way of `proctor play`.",
    open=_open,
    waits=False,
    label="a person",
    preflight=False,
    check=lambda text, context: refuse_details(text),
)
