"""A scenario made ready to be lived many times: everything that does not depend on the agent is worked out once.

A case belongs to the bench: it holds the oracle. What agents may see of it is chosen by whoever makes the instance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import Any

from msgspec import Struct, ValidationError, convert

from proctor.core.canonical import canonical, chainable, encode
from proctor.core.clock import parse_timestamp
from proctor.core.errors import InputError
from proctor.evidence.measures import DECISION, TAG
from proctor.spec.scenario import Scenario
from proctor.worlds.decision.arguments import arguments_type
from proctor.worlds.decision.harm import Harm

ACT, ESCALATE, REFUSE = "act", "escalate", "refuse"
"""The tools that end a case; the first carries an action out."""
APPROVED = "approved"
NOTHING: dict[str, Any] = {}


class RequiredGate(Struct, frozen=True):
    """One decision point: a gate that has to be gone through."""

    type: str
    level: str
    before: str | None
    needs_verdict: bool
    """Whether somebody has to say yes; collecting evidence needs nobody, unless an approver is scripted for it."""


class Case:
    """One scenario, compiled."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.coordinate = scenario.coordinate
        self.sources: dict[str, Any] = scenario.sources
        self.category = scenario.category
        self.handoff = scenario.handoff
        self.safety: dict[str, str] = dict(scenario.safety)
        self.harm = Harm(scenario, lambda action, arguments: self.argument_error(action, arguments) is None)
        self.expected = scenario.expected.key
        self.acceptable = frozenset({self.expected, *(action.key for action in scenario.acceptable)})
        self.approvals: dict[tuple[str, str], tuple[str, ...]] = {
            (approval.type, approval.level): approval.answers for approval in scenario.approvals
        }
        self.gates = tuple(
            RequiredGate(
                gate.type,
                gate.level,
                gate.before,
                gate.type != "evidence_collection" or (gate.type, gate.level) in self.approvals,
            )
            for gate in scenario.gates
        )
        proven = scenario.evidence_schema
        self.claims = {claim.id: claim.source for claim in proven.claims} if proven else None
        """Required claims: id → source; None where no bundle is asked for."""
        self.since: datetime = parse_timestamp(scenario.valid.since)
        self.until: datetime = parse_timestamp(scenario.valid.until)
        self.hash = scenario.content_hash
        self.decision_id = f"D-{self.hash[:10]}"
        """What agents call the case: tells nothing of scenario, template or place in the set."""
        if self.handoff is not None:
            missing = [name for name in self.handoff.needs if name not in self.sources]
            if missing:
                message = f"scenario '{scenario.id}': its hand-off needs '{missing[0]}', and no source has that name"
                raise InputError(message)

    @cached_property
    def constant(self) -> dict[str, int | str]:
        """The measures that are the same whatever an agent does."""
        scenario = self.scenario
        return {
            TAG: DECISION,
            "scenario": scenario.id,
            "hash": self.hash[:16],
            "category": scenario.category,
            "coordinate": scenario.coordinate,
            "level": scenario.level.value,
            "reach": scenario.reach,
            "weight": repr(scenario.weight),
            "adversarial": scenario.adversarial_kind or "",
            "provenance": scenario.provenance.kind,
            "gates": len(self.gates),
            "evidence": int(self.claims is not None),
        }

    @cached_property
    def hidden(self) -> dict[str, Any]:
        """What an instance hides and commits to: the oracle, and the hash of everything, what may be seen included."""
        hidden = self.scenario.model_dump(mode="json", by_alias=True, exclude={"actions", "context"})
        data: dict[str, Any] = chainable({**hidden, "content": self.hash})
        return data

    @cached_property
    def _types(self) -> dict[str, Any]:
        return {name: arguments_type(name, schema) for name, schema in self.scenario.actions.items()}

    def argument_error(self, action: str, arguments: dict[str, Any]) -> str | None:
        """Why these arguments cannot be used with an action of the domain; None when they can."""
        try:
            convert(arguments, self._types[action])
        except ValidationError as error:
            return str(error)
        except UnicodeEncodeError:
            return "Expected text of whole characters, got a lone surrogate"
        return None

    def is_another_act(self, action: str, arguments: dict[str, Any], ended: bytes | None) -> bool:
        """Whether this would be one more act of a case that is over: other than what ended it and what is right.

        `ended` is the key of what ended it; None: it was handed over. Doing the same once more is a retry; what could
        not be carried out at all does no harm.
        """
        if action not in self.scenario.actions:
            return False
        try:
            key = action_key(action, arguments)
        except (InputError, RecursionError):
            return False
        return key not in self.acceptable and key != ended and self.argument_error(action, arguments) is None

    def tried_wrongly(self, tool: str, arguments: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The acts in a call that was refused: `act` in another spelling or with a field too many, or an action called
        as if it were a tool. They were tried all the same.
        """
        called, actions = tool.strip().casefold(), self.scenario.actions
        if called == ACT:
            named, given = arguments.get("action"), arguments.get("args")
            names = [named] if isinstance(named, str) else _named(actions, arguments)
        else:
            names, given = [name for name in actions if name.casefold() == called], arguments
        return [(name, given if isinstance(given, dict) else NOTHING) for name in names]

    def is_stale(self, now: datetime) -> bool:
        """Whether it does not hold at this moment."""
        return not self.since <= now < self.until


def action_key(name: str, arguments: dict[str, Any]) -> bytes:
    """What makes two actions the same: `Action.key` without making an `Action`."""
    return canonical([name, arguments])


def _named(actions: Iterable[str], value: Any) -> list[str]:
    """The actions whose names occur in a value as whole words."""
    said = encode(chainable(value)).decode()
    return [name for name in actions if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said, re.IGNORECASE)]
