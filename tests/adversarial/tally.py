"""What an attacker brings home: how often it tried, and every time it got what it wanted."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Tally:
    """The attempts of one attacker; it held when nothing was obtained."""

    attempts: int
    obtained: tuple[str, ...] = ()
    """One sentence for each success of the attacker, with what it takes to see it again."""
    figures: dict[str, int] = field(default_factory=dict)
    """Counts worth printing beside: kinds of act, families, kills, refusals."""

    @property
    def held(self) -> bool:
        return self.attempts > 0 and not self.obtained
