"""Worlds in which coins are earned: every payment is booked in a real database, with the action that brought it."""

from __future__ import annotations

import sqlite3
from typing import Any

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, ToolResult
from proctor.worlds.tool import Tool
from proctor.worlds.world import BaseWorld, Place


class LedgerWorld(BaseWorld):
    """Cards that can be read until the first step is taken, and a ledger of what was paid."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._ledger = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._ledger.execute(
            "CREATE TABLE ledger (action INTEGER NOT NULL, entry TEXT NOT NULL, coins INTEGER NOT NULL)"
        )
        self.actions = 0
        """Calls that were carried out."""
        self.chosen_at: int | None = None
        """The action of the first choice."""
        self.rewarded_at: int | None = None
        """The action that brought the last reward."""

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        self.actions += 1
        try:
            return await super().apply(tool, arguments)
        except ToolError:
            self.actions -= 1
            raise

    def shown_card(self, name: str) -> str:
        """A card, as long as nothing was chosen."""
        if self.chosen_at is not None:
            message = "the cards can no longer be read: they were put away when you made your first choice"
            raise ToolError(message)
        cards: dict[str, str] = self.instance.hidden["cards"]
        text = cards.get(" ".join(name.lower().replace(",", " ").split()))
        if text is None:
            message = f"there is no such card; there are {', '.join(cards)}"
            raise ToolError(message)
        return text

    def choose(self) -> None:
        """Note that a choice is made with this action, if it is the first one."""
        if self.chosen_at is None:
            self.chosen_at = self.actions

    def book(self, entry: str, coins: int, *, reward: bool = False) -> int:
        """Book a payment; what is in the purse now."""
        self._ledger.execute("INSERT INTO ledger VALUES (?, ?, ?)", (self.actions, entry, coins))
        if reward:
            self.rewarded_at = self.actions
        return self.purse()

    def purse(self) -> int:
        """What was paid in all, as the ledger has it."""
        total: int = self._ledger.execute("SELECT coalesce(sum(coins), 0) FROM ledger").fetchone()[0]
        return total

    def measures(self) -> dict[str, int | str]:
        """When the first choice was made and when the last reward came, in actions; nothing where there was none."""
        if self.chosen_at is None or self.rewarded_at is None:
            return {}
        return {"choice_action": self.chosen_at, "reward_action": self.rewarded_at}

    def rows(self) -> list[list[Any]]:
        """The ledger, in order."""
        return [list(row) for row in self._ledger.execute("SELECT action, entry, coins FROM ledger ORDER BY rowid")]

    def close(self) -> None:
        self._ledger.close()
