"""The identity of a family's behaviour: three hashes of what it does on fixed draws."""

from __future__ import annotations

from pydantic import Field

from proctor.spec.declaration import Declaration

DIGEST = "^[0-9a-f]{64}$"


class Probe(Declaration):
    """What `proctor.engine.probing` measured. Two families of one name and version have the same probe."""

    instances: str = Field(pattern=DIGEST)
    """Over the instances drawn: texts, hidden answers, starting states."""
    tools: str = Field(pattern=DIGEST)
    """Over the tools worlds showed: names, descriptions, schemas, effects."""
    verdicts: str = Field(pattern=DIGEST)
    """Over what episodes came to: verification, final state, answers of tools."""

    def differences(self, other: Probe) -> list[str]:
        """Which of the three differ, by name."""
        return [name for name in type(self).model_fields if getattr(self, name) != getattr(other, name)]
