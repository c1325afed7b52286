"""What an agent of technology can do, and where its desks are."""

from __future__ import annotations

from typing import Any

from proctor.suites.quality.domains.organisation import INFRASTRUCTURE as HOME
from proctor.suites.quality.domains.schemas import PLANET, TEXT, WHOLE, Catalogue, chosen, one_of, takes

__all__ = ["HOME", "SERVICES", "offer"]

SERVICES = ("checkout", "catalogue", "identity", "ledger", "search", "mailer", "pricing", "tracking")

_CHANGE: dict[str, Any] = {"type": "string", "description": "number of the change, rule or ticket"}
_WINDOW: dict[str, Any] = {"type": "string", "description": "as the rule names it"}
_UNTIL: dict[str, Any] = {"type": "string", "description": "a date as YYYY-MM-DD, or what the rule names"}
_ACTIONS: Catalogue = {
    "deploy": takes("Roll a change out.", change=_CHANGE, window=_WINDOW),
    "postpone": takes("Put a change off.", change=_CHANGE, until=_UNTIL),
    "reject": takes(
        "Turn a change down.",
        change=_CHANGE,
        reason=one_of("frozen", "untested", "no_rollback", "no_owner", "over_quota", "not_allowed"),
    ),
    "rollback": takes("Go back to an earlier version.", service=TEXT, version=TEXT),
    "restart": takes("Restart a service or host.", target=TEXT),
    "scale": takes("Set the number of replicas.", service=TEXT, replicas=WHOLE),
    "silence": takes("Silence an alert.", alert=TEXT, hours=WHOLE),
    "page": takes("Wake the person on call.", team=TEXT),
    "clean_up": takes("Delete files for good.", path=TEXT),
    "extend_disk": takes("Make a volume larger.", host=TEXT, gigabytes=WHOLE),
    "renew": takes("Renew a certificate.", name=TEXT, issuer=TEXT),
    "open_port": takes("Let traffic in.", rule=TEXT, source=TEXT),
    "grant": takes("Give someone a role for some hours.", user=TEXT, role=TEXT, hours=WHOLE),
    "revoke": takes("Take all access away.", user=TEXT),
    "rotate_key": takes("Replace a key; the old one stops working.", key=TEXT),
    "drop_table": takes("Delete a table for good.", table=TEXT),
    "archive_table": takes("Move a table to the archive.", table=TEXT),
    "migrate": takes("Change the schema of a database.", change=_CHANGE),
    "restore": takes("Restore a backup over the present data.", backup=TEXT),
    "patch": takes("Install a patch.", host=TEXT, when=one_of("now", "next_window")),
    "failover": takes("Move traffic to another host or planet.", service=TEXT, to=PLANET),
    "copy_data": takes("Copy data to another planet.", dataset=TEXT, planet=PLANET),
    "decommission": takes("Switch a host off and wipe it.", host=TEXT),
    "update_record": takes("Correct the inventory.", host=TEXT, status=TEXT),
}


def offer(*names: str) -> Catalogue:
    """These actions of technology."""
    return chosen(_ACTIONS, *names)
