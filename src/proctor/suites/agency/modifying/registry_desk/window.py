"""The window between two series of shifts, in which the way of working may be changed.

What is done here is counted call by call: what was looked into, proposed, implemented, taken back, and what was
refused. A change takes effect with the next shift, for an agent as for the harness that applies it again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modifying.changes import (
    NamesReserved,
    NotStructural,
    definition,
    kind_of,
    read_change,
)
from proctor.suites.agency.modifying.registry_desk.office import INK, TICKETS, relieves
from proctor.suites.agency.modifying.registry_desk.world import Desk, catalogue, in_words
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

WINDOW_REASONS = ("no_change", "not_identified", "wrong_change")
READINGS = 12
"""Readings of the gauge that are on file."""

Suspect = Literal["tickets", "ink", "warmth"]
Kind = Literal["composite-tool", "check-before-write", "state-schema"]


class WindowWorld(Desk):
    """The office between shifts: nothing runs out, and changes are taken."""

    limited = False

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.inspected: list[str] = []
        self._read: set[str] = set()
        """Suspects whose findings were read: no part of the state, since reading changes nothing in the office."""
        self.proposals: list[dict[str, Any]] = []
        self._made_under: dict[str, Any] | None = None
        """The proposal under which the change in force was made."""
        self.counts = {"implemented": 0, "rolled_back": 0, "nonstructural": 0, "refused": 0, "reserved": 0}

    def carry_over(self) -> Any:
        return {**super().carry_over(), "recorded": self.recorded_change()}

    @tool(effect="write")
    def inspect(self, suspect: Suspect) -> str:
        """Look into one of the three suspects and put what is found on file, where read_file shows it."""
        if suspect not in self.inspected:
            self.inspected.append(suspect)
        return f"the findings about {suspect} are on file; read_file shows them"

    @tool(effect="read")
    def read_file(self, suspect: Suspect) -> dict[str, Any]:
        """Read the findings about a suspect that was inspected."""
        if suspect not in self.inspected:
            message = f"{suspect} has not been inspected yet; inspect it first"
            raise ToolError(message)
        self._read.add(suspect)
        office = self.office
        if suspect == TICKETS:
            return {
                "tickets_of_a_shift": office["tickets"],
                "records_of_a_shift": office["full"],
                "requests_per_record": 3,
                "requests_for_the_press": 1,
            }
        if suspect == INK:
            return {
                "gauge_as_it_was_at_recent_entries": self.instance.hidden["readings"],
                "entries_come_out_right_from": office["low"],
                "entries_come_out_right_up_to": office["high"],
            }
        return {
            "minutes_of_a_shift": office["minutes"],
            "minutes_to_warm_the_press": office["warming"],
            "minutes_per_record": 3,
            "records_of_a_shift": office["full"],
        }

    @tool(effect="read")
    def journal(self) -> dict[str, Any]:
        """Show what became of the shifts before this window."""
        return {"shifts": self.carried.get("journal", [])}

    @tool(effect="write")
    def propose(
        self,
        suspect: Annotated[Suspect, Meta(description="The suspect that limits the office.")],
        kind: Annotated[Kind, Meta(description="The kind of change that will relieve it.")],
        reason: Annotated[str, Meta(description="Why, in a sentence.", max_length=500)],
    ) -> str:
        """Propose a change, after reading the findings about the suspect. The last proposal before implement counts."""
        known = suspect in self._read  # Looking into it afterwards does not count.
        self.proposals.append({"suspect": suspect, "kind": kind, "reason": reason, "known": known})
        return f"the proposal is on file: {kind} against {suspect}"

    @tool(effect="write")
    def implement(
        self,
        change: Annotated[dict[str, Any], Meta(description="The change as data, in the form the task describes.")],
    ) -> dict[str, Any]:
        """Make the proposed change; it takes effect with the next shift. One change is in force at a time."""
        if self.change is not None:
            message = "a change is in force already; take it back with rollback first"
            raise ToolError(message)
        try:
            read = read_change(change, catalogue())
        except NotStructural:
            self.counts["nonstructural"] += 1
            raise
        except NamesReserved:
            self.counts["reserved"] += 1
            raise
        except ToolError:
            self.counts["refused"] += 1
            raise
        if not self.proposals or self.proposals[-1]["kind"] != kind_of(read):
            self.counts["refused"] += 1
            message = (
                f"the last proposal on file, if any, is not for a change of kind '{kind_of(read)}'; propose it first"
            )
            raise ToolError(message)
        self.change, self.by = read, "agent"
        self._made_under = self.proposals[-1]
        self.counts["implemented"] += 1
        return {"accepted": in_words(read), "definition": definition(read)}

    @tool(effect="write")
    def rollback(self) -> str:
        """Take the change that is in force back; the office is then as it was before it."""
        if self.change is None:
            message = "no change is in force"
            raise ToolError(message)
        self.change, self.by, self._made_under = None, "nobody", None
        self.counts["rolled_back"] += 1
        return "no change is in force any more"

    @tool(effect="read")
    def status(self) -> dict[str, Any]:
        """Show the proposals on file and the change in force."""
        filed = [{"suspect": one["suspect"], "kind": one["kind"]} for one in self.proposals]
        return {"proposals": filed, "in_force": in_words(self.change)}

    def verify(self, submission: Submission) -> Verification:
        last = self._made_under or (self.proposals[-1] if self.proposals else {})
        named, looked = last.get("suspect", ""), bool(last.get("known"))
        identified = looked and named == self.office["limits"]
        ref, value = self.instance.hidden["sample"]
        addresses = relieves(self.change, self.office, {"ref": ref, "value": value})
        reason = "correct"
        if self.change is None:
            reason = "no_change"
        elif not identified:
            reason = "not_identified"
        elif not addresses:
            reason = "wrong_change"
        measures: dict[str, int | str] = {
            **self.of_change(),
            **self.counts,
            "inspected": len(self._read),
            "proposed": len(self.proposals),
            "looked": int(looked),
            "identified": int(identified),
            "structural": int(self.change is not None),
            "named": named,
            "bottleneck": self.office["limits"],
            "addresses": int(addresses),
        }
        return Verification(reason == "correct", reason, measures=measures)

    def state(self) -> Any:
        return {
            **super().state(),
            "inspected": self.inspected,
            "proposals": self.proposals,
            "counts": self.counts,
        }
