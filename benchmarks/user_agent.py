"""A user's agent for the families of `families.py`, to be run by `python:` in a confined process of its own."""

from __future__ import annotations

from proctor import Session, Submission, TaskView


class Clerk:
    """Hands in the number it is shown, or looks up every record and attaches the note that it calls for."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        shown = session.observations[0].fields
        for key in shown.get("keys", []):
            record = await session.call("look_up", key=key)
            await session.call("amend", key=key, note=record.value.partition(":")[0])
        return Submission(shown.get("number"))


make = Clerk
