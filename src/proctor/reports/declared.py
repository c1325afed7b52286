"""What was declared before the run, as a report shows it.

Taken from the required inputs and the JSON form of the frozen run: evidence from before a declaration existed has
nothing under its name, and the report says "not declared". A hidden seed is never part of it.
"""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import jsonable
from proctor.core.hashing import content_hash
from proctor.reports.data import Declared, SystemShown
from proctor.spec.frozen import FrozenRun

NOTHING = content_hash({})
"""The hash of an empty configuration identifies nothing."""


def declared_system(frozen: FrozenRun) -> SystemShown:
    """The system with its boundary, and what identifies it."""
    system = frozen.system.model_dump(mode="json")
    identifier = jsonable(frozen.inputs()["system_identifier"])
    found = str(identifier.get("configuration_hash") or "")
    return SystemShown(
        name=frozen.system.name,
        version=frozen.system.version,
        architecture=system.get("architecture"),
        configuration_hash=found if len(found) == len(NOTHING) and found != NOTHING else frozen.agent_source,
        identity=identifier.get("identity"),
        source=frozen.agent_source,
        configuration=jsonable(frozen.system.configuration),
        boundary=system["boundary"],
        boundaries=system.get("boundaries") or {},
        learning=system.get("learning"),
        schema_versions={
            name: system.get(f"{name}_schema_version") for name in ("observation", "action") if system[f"{name}_schema"]
        },
        baselines=tuple(f"{name}: {agent}" for name, agent in frozen.system.baselines.items()),
        network=frozen.system.network.value,
        env=frozen.system.env,
        models=tuple(model.label for model in frozen.system.models),
    )


def declarations(frozen: FrozenRun) -> Declared:
    """Who evaluates by which protocol, how families were chosen, and what was registered beforehand."""
    whole = frozen.model_dump(mode="json")
    suite = whole["suite"]
    return Declared(
        evaluation={name: value for name, value in (whole.get("evaluation") or {}).items() if value is not None},
        protocol=jsonable(frozen.inputs().get("protocol") or {"approach": frozen.rules.protocol}),
        inclusion=_text(suite.get("inclusion")),
        exclusion=_text(suite.get("exclusion")),
        justification=_text(suite.get("justification")),
        preregistration=whole.get("preregistration"),
    )


def _text(value: Any) -> str | None:
    """A rule as it was written; a list of them as one text."""
    if not value:
        return None
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
