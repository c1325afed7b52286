"""Whether replies could be read at all: said before any score, since what could not be read counts as wrong.

A model that mostly answers in prose has low scores for that reason alone, and Conditions that change how well it keeps
to the format differ for that reason alone. So where a declared limit is passed no claim about binding is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from proctor.instruments.binding.audits import Audit, AuditStatus, parse_errors, unmapped, unmapped_rows
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.gate import PARSE_LIMIT, UNMAPPED_LIMIT
from proctor.instruments.binding.reading import Claim
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.versions import withhold
from proctor.spec.condition import Condition


class Interface(Struct, frozen=True, kw_only=True):
    """What became of the replies of a run."""

    parse: Share
    """Replies that could not be read."""
    unmapped: Share
    """Replies whose action is no code."""
    by_condition: dict[str, Share]
    """Unmapped, Condition by Condition."""

    @property
    def failed(self) -> bool:
        """Whether a declared limit is reached."""
        return _rate(self.parse) >= PARSE_LIMIT or _rate(self.unmapped) >= UNMAPPED_LIMIT

    @property
    def sentence(self) -> str:
        """What has to be known before any score is looked at; empty where replies could be read."""
        if not self.failed:
            return ""
        unread = f"; {_words(self.parse)} are not the object that was asked for" if self.parse.k else ""
        said = (
            f"Interface not passed: {_words(self.unmapped)} replies name no action{unread}, where less than "
            f"{_percent(UNMAPPED_LIMIT)} are allowed"
        )
        if not self.unmapped.k:
            return f"{said}. Every action could still be told; no claim about binding is made."
        worst = self.worst
        return (
            f"{said}. Most are unmapped under {worst}: {_words(self.by_condition[worst])}. They count as wrong, and "
            "as moved by an irrelevant cue, so that low scores may speak of the format alone: no claim about binding "
            "is made."
        )

    @property
    def worst(self) -> str:
        """The Condition with the largest unmapped share."""
        return max(sorted(self.by_condition), key=lambda name: _rate(self.by_condition[name]), default="")


def interface_of(table: BindingTable, conditions: Mapping[str, Condition]) -> Interface:
    """The replies of a table that has rows. Where a frozen prior acts, nobody was asked: such rows are no replies."""
    drawn = [name for name, one in conditions.items() if one.acts == "prior"]
    rows = table.where(~table.is_in("condition", drawn))
    groups = rows.groups("condition")
    lost = groups.total(unmapped_rows(rows))
    return Interface(
        parse=parse_errors(rows),
        unmapped=unmapped(rows),
        by_condition={
            name: Share(round(k), round(n)) for (name,), k, n in zip(groups.keys, lost, groups.total(), strict=True)
        },
    )


def interface_audits(interface: Interface) -> tuple[Audit, ...]:
    """The audits of parsing and mapping."""
    spread = (
        f"; most under {interface.worst}: {_words(interface.by_condition[interface.worst])}"
        if interface.unmapped.k
        else ""
    )
    return (
        _audit("parse errors", interface.parse, PARSE_LIMIT, "could not be read", "replies that were read are scored"),
        _audit(
            "unmapped actions",
            interface.unmapped,
            UNMAPPED_LIMIT,
            f"name no action{spread}",
            "an unmapped action counts as wrong, never as a guess or a default",
        ),
    )


def withheld(claims: Sequence[Claim], interface: Interface) -> tuple[Claim, ...]:
    """Claims as they stand where replies could not be read: none is supported, and this is said beside each."""
    if not interface.failed:
        return tuple(claims)
    said = f"interface not passed: {_words(interface.unmapped)} replies unmapped, {_words(interface.parse)} unreadable"
    return withhold(claims, said)


def _audit(item: str, share: Share, limit: float, what: str, interpretation: str) -> Audit:
    status: AuditStatus = "not measured" if not share.n else "pass" if _rate(share) < limit else "fail"
    return Audit(
        item=item,
        evidence=f"{share.k:,} of {share.n:,} replies {what}; the limit is {_percent(limit)}",
        status=status,
        interpretation=interpretation,
        k=share.k,
        n=share.n,
    )


def _words(share: Share) -> str:
    return f"{share.k:,} of {share.n:,} ({_percent(_rate(share))})"


def _percent(rate: float) -> str:
    return f"{100 * rate:.3g} %"


def _rate(share: Share) -> float:
    return float(share.value or 0)
