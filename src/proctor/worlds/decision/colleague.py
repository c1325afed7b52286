"""The receiving side of a hand-off: another agent, in a session of its own, that knows the record and nothing else.

The engine plans one episode per scenario, so the second agent is scripted: an honest colleague who is told what the
scenario says, is given the record that was handed over, and works with exactly what stands in it. It never sees the
case, its sources or its oracle, cannot ask what a value should have been, and begins with the first record it can work
with. So what it does in the end depends on the record alone: one that was dropped leaves the work undone, a false one
makes it do the wrong thing.
"""

from __future__ import annotations

from typing import Any

from proctor.spec.scenario import Handoff


class Colleague:
    """One colleague in one session. `worked_with` is what it did its part of the work on; None: it never could."""

    def __init__(self, handoff: Handoff) -> None:
        self.coordinate = handoff.to
        self.told = handoff.context
        self._needs = handoff.needs
        self.worked_with: dict[str, Any] | None = None
        self.log: list[dict[str, Any]] = []
        """What it did, under its own coordinate."""

    def receive(self, record: dict[str, Any]) -> dict[str, Any]:
        """Take a record; its answer to the sender."""
        if self.worked_with is not None:
            return self._say(False, "I am already at work with the record you sent first.")
        missing = [name for name in self._needs if name not in record]
        if missing:
            return self._say(False, f"I cannot work with this record: it lacks {', '.join(missing)}.")
        self.worked_with = {name: record[name] for name in self._needs}
        return self._say(True, "Taken over. I work with what the record says.")

    def _say(self, accepted: bool, answer: str) -> dict[str, Any]:
        self.log.append({"coordinate": self.coordinate, "accepted": accepted, "answer": answer})
        return {"accepted": accepted, "answer": answer, "from": self.coordinate}
