"""A declared normalisation (§15.5, §13.5): what makes two results comparable that otherwise are not, and why.

    justification: Both regimes cap reads at 1.2 times what the reference policy needs.
    regimes: {moderate-standard: moderate-mine}
    framework: Levels of v2.0 were mapped to those of v.10 by the published table of equivalences.

It never makes a result Comparable by itself: every divergence it does not name stays one.
"""

from __future__ import annotations

from pydantic import Field, model_validator

from proctor.spec.declaration import Declaration


class Normalisation(Declaration):
    """What is declared equivalent between two results."""

    justification: str = ""
    """Why, in words that a reader can check; printed beside the comparison."""
    regimes: dict[str, str] = Field(default_factory=dict)
    """Regimes of the first run that count as the same as a regime of the second."""
    framework: str | None = None
    """How results of another major version of the framework were brought to this one."""

    @model_validator(mode="after")
    def _says_why(self) -> Normalisation:
        if self.regimes and len(self.justification) < 20:
            message = "a normalisation of regimes needs a justification of at least 20 characters"
            raise ValueError(message)
        if self.framework is not None and len(self.framework) < 20:
            message = "say in `framework` how the other version was brought to this one, in at least 20 characters"
            raise ValueError(message)
        if len(set(self.regimes.values())) < len(self.regimes):
            message = "two regimes cannot both be the same regime of the other run"
            raise ValueError(message)
        return self
