"""The settings that episodes are held against, made once per arm, step and list of tools."""

from __future__ import annotations

from collections.abc import Callable

from proctor.evidence.bundle.declared import Declared, DeclaredArm
from proctor.evidence.events import EpisodeOpened
from proctor.evidence.grammar.setting import Setting
from proctor.evidence.grammar.tools import effects_of
from proctor.evidence.kinds import PLAIN, kind_named, records_models
from proctor.evidence.row import counts_columns
from proctor.spec.actions import declared_actions


class Settings:
    """Those of one run."""

    def __init__(self, declared: Declared, tools: Callable[[str], bytes | None]) -> None:
        self._frozen = declared.frozen
        self._tools = tools
        self._regimes = self._frozen.suite.all_regimes
        self._conditions = self._frozen.suite.all_conditions
        self._actions = declared_actions(self._frozen.system)
        self._effects: dict[str, dict[str, str] | None] = {}
        self._known: dict[tuple[int, int, str], Setting] = {}

    def effects(self, digest: str) -> dict[str, str] | None:
        """Read or write by tool, of a list of tools named by its digest; None where it cannot be read."""
        if digest not in self._effects:
            if len(self._effects) > 10_000:
                self._effects.clear()
            data = self._tools(digest)
            self._effects[digest] = None if data is None else effects_of(data)
        return self._effects[digest]

    def of(self, arm: DeclaredArm, step: int, opened: EpisodeOpened | None) -> Setting:
        """The setting of an episode."""
        tools = "" if opened is None else opened.tools
        key = (arm.arm.index, step, tools)
        if key not in self._known:
            if len(self._known) > 10_000:
                self._known.clear()
            spec, frozen = arm.family.spec, self._frozen
            limits, baseline, regime = frozen.rules.limits, arm.entry.baseline, self._regimes[arm.regime(step)]
            agent = frozen.system.baselines.get(baseline, frozen.agent) if baseline else frozen.agent
            self._known[key] = Setting(
                reasons=frozenset(spec.reasons),
                leaves_artifacts=spec.artifacts,
                regime=regime,
                condition=self._conditions[arm.arm.condition],
                memory=arm.memory_before(step),
                call_tokens=self._frozen.rules.limits.call_tokens is not None,
                effects=None if opened is None else self.effects(tools),
                declared_actions=self._actions,
                counted=counts_columns(frozen.bench),
                plain=kind_named(agent) in PLAIN,
                asks_models=records_models(agent, declared=bool(frozen.system.models)),
                run_limited=limits.run_tokens is not None or limits.run_cost is not None,
                baseline=baseline is not None,
                # Where the regime's clock is real, a declared cap may end it earlier.
                real_seconds=0.0 if regime.compute.clock == "real" else limits.net_seconds,
            )
        return self._known[key]
