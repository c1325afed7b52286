"""A queue to read about; a wrong list is named after the rule whose neglect gives it."""

from __future__ import annotations

import msgspec

from proctor.suites.agency.prioritising.choice_family import COUNT, UNKNOWN, ChoiceWorld
from proctor.suites.agency.prioritising.priority_rules.queue import LAPSES, Request, Rules, lapses

REASONS = ("correct", "unreadable_answer", UNKNOWN, COUNT, "wrong_order", "wrong_selection", *LAPSES)


class QueueWorld(ChoiceWorld):
    """`requests` and `rules` in hidden are the whole queue."""

    def fault(self, given: tuple[str, ...], expected: tuple[str, ...]) -> str:
        requests = msgspec.convert(self.instance.hidden["requests"], tuple[Request, ...])
        rules = msgspec.convert(self.instance.hidden["rules"], Rules)
        for name, codes in lapses(requests, rules).items():
            if given == tuple(code.lower() for code in codes):
                return name
        if not {request.code.lower() for request in requests}.issuperset(given):
            return UNKNOWN
        if sorted(given) == sorted(expected):
            return "wrong_order"
        return COUNT if len(given) != len(expected) else "wrong_selection"
