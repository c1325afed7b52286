from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.agents import clerk
from proctor.agents.clerk.sorting import filled
from proctor.core.errors import ToolError
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class Shelf(BaseWorld):
    """Documents in a dict, as the first observation has them."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.papers: dict[str, str] = dict(self.instance.observation)

    def observe(self) -> dict[str, Any]:
        return {}

    @tool(effect="read")
    def list_papers(self, path: str = "/") -> list[str]:
        """List a folder."""
        return [name for name in self.papers if name.startswith(path)]

    @tool(effect="read")
    def read_paper(self, path: str) -> str:
        """Read a paper."""
        return self.papers[path]

    @tool(effect="write")
    def write_paper(self, path: str, text: str) -> str:
        """Write a paper."""
        self.papers[path] = text
        return "ok"

    @tool(effect="write")
    def append_paper(self, path: str, text: str) -> str:
        """Add to a paper."""
        self.papers[path] += text
        return "ok"

    @tool(effect="write")
    def move_paper(self, source: str, target: str) -> str:
        """Move a paper."""
        self.papers[target] = self.papers.pop(source)
        return "ok"

    @tool(effect="write")
    def delete_paper(self, path: str) -> str:
        """Delete a paper."""
        del self.papers[path]
        return "ok"


def left(episode: Bench) -> dict[str, str]:
    episode.run(clerk.Clerk())
    assert isinstance(episode.world, Shelf)
    return episode.world.papers


class TestFiling:
    def test_instructions_in_order(self, bench: type[Bench]) -> None:
        goal = (
            'Create a file new.txt with the text "hello". Copy new.txt to backup/new.txt. '
            "Move notes/a.txt to archive/. Append the line 'more' to new.txt. Delete old.txt."
        )
        episode = bench(Shelf, goal=goal, answer_format="The word done.", shown={"old.txt": "", "notes/a.txt": "a"})
        assert left(episode) == {"new.txt": "hellomore", "backup/new.txt": "hello", "archive/a.txt": "a"}


class TestSorting:
    LETTERS = {  # noqa: RUF012
        "/in/1.txt": "Kind: letter\nDate: 2024-05-06\nPages: 2.50\nState: read\n",
        "/in/2.txt": "Kind: letter\nDate: 2023-01-02\nPages: 1.25\nState: new\n",
        "/in/3.txt": "Kind: memo\nDate: 2023-01-02\nPages: 1.00\nState: read\n",
    }
    RULE = " It is a letter if its line `Kind` says letter."

    def test_by_pattern(self, bench: type[Bench]) -> None:
        goal = "Move each letter of `/in` to `/out/{year}/{name}`, then write `/out/all.txt` with a line `{date}` each."
        papers = left(bench(Shelf, goal=goal + self.RULE, shown=self.LETTERS))
        assert set(papers) == {"/out/2024/1.txt", "/out/2023/2.txt", "/in/3.txt", "/out/all.txt"}
        assert papers["/out/all.txt"] == "2023-01-02\n2024-05-06\n"

    def test_some_moved_the_others_listed_with_a_sum(self, bench: type[Bench]) -> None:
        goal = (
            "Move the letters in `/in` whose line `State` says read to `/out/{name}`. Then write `/out/all.csv` with "
            "one line `{name},{pages}` for each letter that is new, and `total,` with the sum of their pages."
        )
        papers = left(bench(Shelf, goal=goal + self.RULE, shown=self.LETTERS))
        assert set(papers) == {"/out/1.txt", "/in/2.txt", "/in/3.txt", "/out/all.csv"}
        assert papers["/out/all.csv"] == "2.txt,1.25\ntotal,1.25\n"

    def test_unknown_placeholders_stay(self) -> None:
        assert filled("{name}-{colour}", {"path": "/in/a.txt"}) == "a.txt-{colour}"


class Mill(BaseWorld):
    """Sacks to be weighed, ground and stored; the first storing of each is refused once."""

    SACKS: dict[int, dict[str, Any]] = {  # noqa: RUF012
        4: {"sack": 4, "grain": [1, 2], "next": 7, "state": "dry"},
        7: {"sack": 7, "grain": [3], "next": 0, "state": "wet"},
    }

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stored: dict[str, list[int]] = {}
        self.tried: set[str] = set()

    @tool(effect="read")
    def weigh(self, sack: int) -> dict[str, Any]:
        """Weigh one sack."""
        return self.SACKS[sack]

    @tool(effect="read")
    def grind(self, grain: list[int]) -> dict[str, Any]:
        """Grind grain."""
        return {"flour": [2 * size for size in grain]}

    @tool(effect="write")
    def store(self, label: str, flour: list[int]) -> str:
        """Store flour under a label."""
        if label not in self.tried:
            self.tried.add(label)
            message = "the store is busy, try again"
            raise ToolError(message)
        self.stored[label] = flour
        return "stored"


class TestErrands:
    STEPS = " For each sack: weigh it, grind its `grain` and store the flour with the label mill-SACK."

    @pytest.mark.parametrize(
        ("goal", "stored"),
        [
            ("Bring sacks 4 and 7 into the store.", {"mill-4": [2, 4], "mill-7": [6]}),
            ("Bring in all sacks from sack 4 on; each names the `next`.", {"mill-4": [2, 4], "mill-7": [6]}),
            ("Of sacks 4 and 7, bring in those whose `state` is dry.", {"mill-4": [2, 4]}),
            ("Bring in sacks 4 and 7, except those whose `state` is dry.", {"mill-7": [6]}),
        ],
    )
    def test_each_thing_through_every_tool(self, goal: str, stored: dict[str, Any], bench: type[Bench]) -> None:
        episode = bench(Mill, goal=goal + self.STEPS, answer_format="The word stored.")
        submission = episode.run(clerk.Clerk())
        assert isinstance(episode.world, Mill)
        assert episode.world.stored == stored
        assert submission.answer == "stored"
        assert submission.confidence == 0.9
