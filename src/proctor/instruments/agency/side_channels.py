"""Inputs and actions outside the declared interface (§6.2): what depends on them is environment, not agent."""

from __future__ import annotations

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.operator_log import OperatorAction
from proctor.spec.system import Network


class SideChannel(Struct, frozen=True):
    """One way around the declared schemas."""

    channel: str
    text: str
    episodes: int | None = None
    """In how many episodes it was used; None where that leaves no trace."""


def side_channels(evidence: Evidence, actions: tuple[OperatorAction, ...] | None) -> tuple[SideChannel, ...]:
    """What the declarations leave open and what the rows show; empty where nothing is known."""
    system = evidence.frozen.system
    total = len(evidence.rows)
    found: list[SideChannel] = []
    if system.network is Network.FULL:
        declared = f" beyond {', '.join(system.boundary.includes)}" if system.boundary.includes else ""
        text = f"its process may reach any network: what it reads there{declared} is environment"
        found.append(SideChannel("network", text))
    hosted = sorted({kind for model in system.models for kind in model.hosted_tools})
    if hosted:
        text = f"its models' providers carry out {', '.join(hosted)} for it, outside of its sandbox"
        found.append(SideChannel("hosted tools", text))
    if system.env:
        text = f"its process sees the variables {', '.join(system.env)}, whose values are not recorded"
        found.append(SideChannel("environment variables", text))
    if "unconfined=yes" in evidence.frozen.agent.split(","):
        text = "it ran without a sandbox: files and network of the machine were within reach"
        found.append(SideChannel("unconfined process", text))
    if "prefork=yes" in evidence.frozen.agent.replace(" ", "").split(","):
        text = "its lifetimes were forked from one process with its code: what that keeps can pass between them"
        found.append(SideChannel("shared process", text))
    shown = sum(bool(row.undeclared) for row in evidence.rows)
    if shown:
        text = f"{shown} of {total} episodes showed observation fields that no schema declares"
        found.append(SideChannel("undeclared observations", text, shown))
    acted = sum(bool(row.undeclared_actions) for row in evidence.rows)
    if acted:
        text = f"{acted} of {total} episodes have calls of tools outside the declared action schema"
        found.append(SideChannel("undeclared actions", text, acted))
    helped = len({one.episode for one in actions or () if not one.protocol})
    if helped:
        text = f"in {helped} of {total} episodes a person did something that the protocol does not ask for"
        found.append(SideChannel("people", text, helped))
    return tuple(found)
