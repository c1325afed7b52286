"""Webs: conditions, the actions that bring them about, and what must hold before, read off many notations.

Tables, data, recipes, arrows, logs, letters and talk are read line by line. `the kiln is hot` and `kiln hot` are the
same, and so are `heat the kiln` and `heat kiln`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from msgspec import Struct, field

from proctor.agents.clerk.statements import cells_of

_PAIR = r"([a-z]+ [a-z]+)"
_ACTION = re.compile(
    rf"how do we get '{_PAIR}'\? A: (.+)$|^\[{_PAIR}\] <== ([a-z ]+?)(?:\s+\(|$)|^To have {_PAIR}, (.+)\.$"
)
_ARROW = re.compile(rf"^\[{_PAIR}\] --> \[{_PAIR}\]$")
_COMES_FIRST = re.compile(r"\bcomes? first\b|^That cannot be done before\b")
_ALREADY = re.compile(r"\balready\b|\(holds\)|\bpresent\b")
_NOBODY_HAS_TO = re.compile(rf"^{_PAIR} already, .* has to (.+)\.$")
_REACHED = re.compile(rf"^(try|kept)\s+'([^']+)': (?:ok, now|since then) {_PAIR}$")
_WANTING = re.compile(rf"^try\s+'([^']+)': refused for want of {_PAIR}$")
_RECIPE = re.compile(r"^([a-z]+-[a-z]+):(.*)$")
_SPOKEN = re.compile(r"(\w+) (\w+)(?: any time)? and (?:then )?it (?:is )?(\w+)$")
_DONE_BEFORE = re.compile(r"^and (\w+) that one (?:is )?(\w+) we did (\w+ \w+)\b")


class Web(Struct):
    """What depends on what."""

    actions: dict[str, str] = field(default_factory=dict)
    needs: dict[str, list[str]] = field(default_factory=dict)
    holds: set[str] = field(default_factory=set)

    def add(self, condition: str, action: str, needs: list[str], *, holds: bool = False) -> None:
        """Note a condition."""
        self.actions[condition] = action
        self.needs.setdefault(condition, []).extend(needs)
        if holds:
            self.holds.add(condition)

    def before(self, objective: str) -> list[str]:
        """The conditions to be brought about before an objective, each after what it needs itself."""
        order: list[str] = []
        waiting = [(objective, False)]
        seen: set[str] = set()
        while waiting:
            condition, ready = waiting.pop()
            if ready:
                order.append(condition)
            elif condition not in seen and condition not in self.holds:
                seen.add(condition)
                waiting.append((condition, True))
                waiting.extend((need, False) for need in reversed(self.needs.get(condition, [])))
        return order[:-1]


def read_web(text: str) -> Web:
    """The web that a text describes."""
    return _Reader().read(text)


def _plainly(line: str) -> str:
    line = re.sub(r"\b[Tt]he (\w+) is (\w+)", r"\1 \2", line)
    return re.sub(r"\b[Tt]he (?=\w)", "", line)


class _Reader:
    """Goes through a text line by line; each way of reading says whether the line was its own."""

    def __init__(self) -> None:
        self._web = Web()
        self._current = ""
        """The condition that was named last."""
        self._first: list[str] = []
        """What was said to come first, before it was said of what."""
        self._refused: dict[str, list[str]] = {}
        """What an action was refused for want of."""

    def read(self, text: str) -> Web:
        ways: tuple[Callable[[str], bool], ...] = (
            *(self._data, self._table, self._named, self._arrow, self._logged, self._recipe, self._spoken),
            *(self._first_of_all, self._already),
        )
        for line in map(_plainly, text.splitlines()):
            any(way(line) for way in ways)
        return self._web

    def _data(self, line: str) -> bool:
        """A record: a condition, its action, a list of what it needs, and whether it holds."""
        if not line.startswith("{"):
            return False
        try:
            values = list(json.loads(line).values())
        except (ValueError, RecursionError):
            return False
        texts = [value for value in values if isinstance(value, str)]
        needs = [value for value in values if isinstance(value, list)]
        if len(texts) == 2 and needs:
            self._web.add(texts[0], texts[1], needs[0], holds=True in values)
        return True

    def _table(self, line: str) -> bool:
        """A row of four cells, with the same in the same order."""
        cells = cells_of(line)
        if len(cells) != 4:
            return False
        needs = [need for need in cells[2].split(", ") if need != "-"]
        self._web.add(cells[0], cells[1], needs, holds=cells[3] == "yes")
        return True

    def _named(self, line: str) -> bool:
        action = _ACTION.search(line)
        if action is None:
            return False
        self._current, doing = (found for found in action.groups() if found)
        self._web.add(self._current, doing, [], holds=bool(_ALREADY.search(line)))
        return True

    def _arrow(self, line: str) -> bool:
        arrow = _ARROW.match(line)
        if arrow:
            self._web.needs.setdefault(arrow.group(2), []).append(arrow.group(1))
        return bool(arrow)

    def _logged(self, line: str) -> bool:
        wanting, reached = _WANTING.match(line), _REACHED.match(line)
        if wanting:
            self._refused.setdefault(wanting.group(1), []).append(wanting.group(2))
        if reached:
            how, doing, condition = reached.groups()
            self._web.add(condition, doing, self._refused.pop(doing, []), holds=how == "kept")
        return bool(wanting or reached)

    def _recipe(self, line: str) -> bool:
        """A condition with what it needs, and the action below it, behind a tab."""
        recipe = _RECIPE.match(line)
        if recipe:
            self._current = recipe.group(1).replace("-", " ")
            self._web.add(self._current, "", [need.replace("-", " ") for need in recipe.group(2).split()])
        elif line.startswith("\t"):
            self._web.add(self._current, line.rpartition("#")[2].strip(), [], holds=bool(_ALREADY.search(line)))
        return bool(recipe) or line.startswith("\t")

    def _spoken(self, line: str) -> bool:
        done, spoken = _DONE_BEFORE.match(line), _SPOKEN.search(line)
        if done:
            self._web.add(f"{done.group(1)} {done.group(2)}", done.group(3), [], holds=True)
        elif spoken:
            verb, thing, state = spoken.groups()
            self._web.add(f"{thing} {state}", f"{verb} {thing}", self._first)
            self._first = []
        elif line.startswith("once "):
            self._first = re.findall(rf"(?:once|also) {_PAIR}", line)
        else:
            return False
        return True

    def _first_of_all(self, line: str) -> bool:
        if not _COMES_FIRST.search(line):
            return False
        self._web.needs.setdefault(self._current, []).extend(re.findall(rf"(?:'|before |and ){_PAIR}", line))
        return True

    def _already(self, line: str) -> bool:
        idle = _NOBODY_HAS_TO.match(line)
        if idle:
            self._web.add(idle.group(1), idle.group(2), [], holds=True)
        elif _ALREADY.search(line):
            self._web.holds.add(self._current)
        return False
