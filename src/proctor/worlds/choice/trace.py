"""What a reply says about its own making: trace metrics of one row, and how its fields line up with its action.

Read from the submitted object alone. A key that is not there gives no number: missing is not zero. Shapes that are
understood, any of which may be absent:

- `first_impulse`: a code or a text;
- `reason_graph`: a list of nodes, or `{"nodes": […], "preferred": code}`; a node is a text or an object that may name
  a code under `action`, `code`, `supports`, `option` or `preferred`;
- `memory_trace`: a list of items, or `{"commitment": code, "items": […]}`; items as nodes;
- `veto_state`: a truth value, or `{"required": …, "applied": …}`;
- `self_state`: `{"commitment": code, "identity": w, "continuity": w}`, also `identity_weight`, `continuity_weight`;
- `delayed_recall`: `{"recalled": list or number, "window": number}`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from proctor.spec.ontology import UNMAPPED, Ontology
from proctor.spec.reporting import MATCHED_KEYS, PROVENANCE, TRACE_KEYS
from proctor.worlds.choice.canonicaliser import Canonical, ParsedAnswer, read_action

_KNOWN = frozenset((*TRACE_KEYS, *MATCHED_KEYS, PROVENANCE))
_NAMES = ("action", "code", "supports", "option", "preferred")


def trace_of(
    reply: dict[str, Any], final: Canonical, ontology: Ontology, *, first: bool = False
) -> dict[str, int | str]:
    """The trace parts of a row: `fields`, and `rsi`, `vei`, `sci`, `aci`, `t_…` where the reply has what they need."""
    metrics: dict[str, int | str] = {"fields": len(_KNOWN & reply.keys())}
    changed = _changed(reply, final, ontology, first)
    if "reason_graph" in reply:
        nodes, preferred = _parts(reply["reason_graph"], "nodes", "preferred")
        if changed is not None:
            metrics["rsi"] = int(bool(nodes or preferred) and changed)
        metrics["t_reason"] = _reason(nodes, preferred, final.code)
    if "memory_trace" in reply:
        items, commitment = _parts(reply["memory_trace"], "items", "commitment")
        metrics["t_memory"] = _memory(items, commitment, final.code)
    if "veto_state" in reply:
        required, applied = _veto(reply["veto_state"])
        if applied is not None:
            metrics["vei"] = int(applied)
        aligned = _veto_term(required, applied, changed)
        if aligned is not None:
            metrics["t_veto"] = aligned
    if isinstance(reply.get("self_state"), dict):
        _self(reply["self_state"], final.code, metrics)
    if isinstance(reply.get("delayed_recall"), dict):
        recalled = _recalled(reply["delayed_recall"])
        if recalled is not None:
            metrics["aci"] = recalled
    return metrics


def _changed(reply: dict[str, Any], final: Canonical, ontology: Ontology, first: bool) -> bool | None:
    """Whether the action differs from the first impulse; None where either is missing."""
    impulse = reply.get("first_impulse")
    if impulse is None or impulse == "" or final.how == "missing":
        return None
    given = ParsedAnswer(None, impulse, "ok")
    code = impulse if impulse in ontology.codes else read_action(given, ontology, first=first).code
    if code == UNMAPPED and final.code == UNMAPPED:
        return bool(str(impulse).strip().casefold() != final.emitted.strip().casefold())
    return bool(code != final.code)


def _parts(value: Any, several: str, one: str) -> tuple[list[Any], Any]:
    """The list and the single code of a field that may be a list or an object with both."""
    if isinstance(value, dict):
        items = value.get(several)
        return (items if isinstance(items, list) else [items] if items else []), value.get(one)
    if isinstance(value, list):
        return value, None
    return ([value] if value else []), None


def _names(node: Any, code: str) -> bool:
    """Whether a node names the code as its own, not merely somewhere in its text."""
    if isinstance(node, dict):
        return any(node.get(name) == code for name in _NAMES)
    return isinstance(node, str) and node.strip() == code


def _mentions(node: Any, code: str) -> bool:
    if isinstance(node, dict):
        return any(_mentions(value, code) for value in node.values())
    if isinstance(node, list):
        return any(_mentions(value, code) for value in node)
    return isinstance(node, str) and code in node


def _reason(nodes: list[Any], preferred: Any, code: str) -> str:
    if preferred is not None and preferred == code:
        return "1"
    if any(_names(node, code) for node in nodes):
        return "0.75"
    if any(_mentions(node, code) for node in nodes):
        return "0.5"
    return "0.25" if nodes else "0"


def _memory(items: list[Any], commitment: Any, code: str) -> str:
    if commitment is not None and commitment == code:
        return "1"
    if any(_names(item, code) for item in items):
        return "0.75"
    return "0.5" if items or commitment else "0"


def _veto(value: Any) -> tuple[bool | None, bool | None]:
    """(required, applied); None where it is not said."""
    if isinstance(value, dict):
        return _truth(value.get("required")), _truth(value.get("applied"))
    return None, _truth(value)


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, str):
        return {"true": True, "yes": True, "applied": True, "false": False, "no": False, "none": False}.get(
            value.strip().casefold()
        )
    return None


def _veto_term(required: bool | None, applied: bool | None, changed: bool | None) -> str | None:
    """None where what decides it was not said."""
    if applied is None:
        return None
    if not applied:
        return None if required is None else "0" if required else "1"
    if changed is None:
        return None
    if not changed:
        return "0"
    return "1" if required else "0.75"


def _self(state: dict[str, Any], code: str, metrics: dict[str, int | str]) -> None:
    identity, continuity = (
        _weight(state.get(name, state.get(f"{name}_weight"))) for name in ("identity", "continuity")
    )
    mean = None
    if identity is not None and continuity is not None:
        mean = _plain((identity + continuity) / 2)
        metrics["sci"] = mean
    commitment = state.get("commitment")
    if commitment is not None and commitment != "":
        metrics["t_self"] = "1" if commitment == code else "0"
    elif mean is not None:
        metrics["t_self"] = mean


def _weight(value: Any) -> Decimal | None:
    """A weight clipped to [0, 1]; None for what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        return None
    return min(Decimal(1), max(Decimal(0), number)) if number.is_finite() else None


def _recalled(state: dict[str, Any]) -> str | None:
    recalled, window = state.get("recalled"), _count(state.get("window"))
    number = Decimal(len(recalled)) if isinstance(recalled, list) else _count(recalled)
    if number is None or window is None or window <= 0:
        return None
    return _plain(min(Decimal(1), number / window))


def _count(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = Decimal(str(value))
    return number if number.is_finite() and number >= 0 else None


def _plain(value: Decimal) -> str:
    """A decimal of at most six places, without trailing zeros or exponents."""
    text = f"{value.quantize(Decimal('0.000001')):f}".rstrip("0").rstrip(".")
    return text or "0"
