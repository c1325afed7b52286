"""Sites at which one strategy each can be run, once; seasons are simulated from the site's own seed."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modeling.strategy_choice.markets import SHAPES, Site, Strategy, reward, season
from proctor.suites.agency.modeling.strategy_choice.texts import NEEDED_PERCENT, ROUNDS
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

_SLIPS = {shape: f"chose_{shape}" for shape in SHAPES}
"""The one poor choice, by the shape of its earnings."""
REASONS = ("correct", "nothing_executed", "missing_site", *_SLIPS.values(), "unlucky", "several_poor")


class SeasonWorld(TextWorld):
    """Which strategy was run at which site, and what it earned."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        sites = msgspec.convert(instance.hidden["sites"], list[Site])
        self._sites = {one.name.lower(): one for one in sites}
        self._run: dict[str, Strategy] = {}
        self._seasons: dict[str, list[int]] = {}

    @tool(effect="write")
    def execute(
        self,
        site: Annotated[str, Meta(max_length=80, description="The site, as the text names it.")],
        strategy: Annotated[str, Meta(max_length=80, description="One of the three strategies of that site.")],
    ) -> dict[str, Any]:
        """Run a strategy at a site for the whole season and show what it earned. Each site can be decided once."""
        key = site.strip().lower()
        known = self._sites.get(key)
        if known is None:
            message = f"there is no site '{site[:40]}'"
            raise ToolError(message)
        chosen = {one.name: one for one in known.strategies}.get(strategy.strip().lower())
        if chosen is None:
            message = f"site {known.name} has no strategy '{strategy[:40]}'"
            raise ToolError(message)
        before = self._run.setdefault(key, chosen)
        if before is not chosen:
            message = f"site {known.name} was decided before: the {before.name} was run there"
            raise ToolError(message)
        return {
            "site": known.name,
            "strategy": chosen.name,
            "rounds": ROUNDS,
            "earned": reward(chosen, self._season(key)),
        }

    def _season(self, key: str) -> list[int]:
        if key not in self._seasons:
            self._seasons[key] = season(self._sites[key])
        return self._seasons[key]

    def state(self) -> Any:
        return [[key, chosen.name] for key, chosen in self._run.items()]

    def verify(self, submission: Submission) -> Verification:
        reason = self._verdict()
        return Verification(reason == "correct", reason)

    def _verdict(self) -> str:
        if not self._run:
            return "nothing_executed"
        if len(self._run) < len(self._sites):
            return "missing_site"
        poor = [chosen for key, chosen in self._run.items() if not self._enough(key, chosen)]
        if not poor:
            return "correct"
        if len(poor) > 1:
            return "several_poor"
        return "unlucky" if poor[0].best else _SLIPS[poor[0].shape]

    def _enough(self, key: str, chosen: Strategy) -> bool:
        """Whether a strategy earns at least 80 % of what the best of the three earns in the very same rounds."""
        came_up = self._season(key)
        optimum = max(reward(strategy, came_up) for strategy in self._sites[key].strategies)
        return 100 * reward(chosen, came_up) >= NEEDED_PERCENT * optimum
