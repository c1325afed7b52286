"""A paper, the scans of it, and the register of companies."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.seeds import Stream
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.sensing.ocr_invoices.scanner import scanned
from proctor.suites.agency.sensing.ocr_invoices.texts import PASSES
from proctor.suites.kit.answers import verify_fields
from proctor.worlds.answers import Amount, Date, Object, Text
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

SHAPE = Object({"vendor": Text(), "amount": Amount(("EUR", "€")), "date": Date()})
REASONS = ("correct", "unreadable_answer", "wrong_vendor", "wrong_amount", "wrong_date", "several_wrong")


def scan_of(paper: str, per_mille: int, key: str, number: int) -> str:
    """One scan: a function of paper, rate of errors, key and number."""
    return scanned(paper, per_mille, Stream(bytes.fromhex(key)).child("scan", number))


def answer_of(instance: Instance) -> dict[str, Any]:
    """The right answer in the stated format."""
    hidden = instance.hidden
    return {"vendor": hidden["vendor"], "amount": hidden["cents"] / 100, "date": hidden["date"]}


class ScanWorld(BaseWorld):
    """Nothing in it changes; only the answer is judged."""

    @tool(effect="read")
    def scan(self, number: Annotated[int, Meta(ge=1, le=PASSES, description="Which scan, from 1.")]) -> dict[str, str]:
        """Show one of the scans of the invoice. Each erred in other places; scan 1 was shown at the start."""
        hidden = self.instance.hidden
        return {"text": scan_of(hidden["paper"], hidden["per_mille"], hidden["key"], number)}

    @tool(effect="read")
    def register(self) -> dict[str, list[str]]:
        """Show the register of companies again."""
        return {"register": self.instance.observation["register"]}

    def verify(self, submission: Submission) -> Verification:
        return verify_fields(submission.answer, answer_of(self.instance), SHAPE)
