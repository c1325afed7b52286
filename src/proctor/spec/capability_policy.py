"""A capability policy: "capability at or above → obligation", as an organisation wrote it down (Appendix A).

Policies of this kind (responsible scaling, dangerous capabilities) tie safeguards to what a system is able to do. The
framework only measures; so a policy is a declaration of its own, evaluated on a finished report. It changes no
measurement, and no deployment gate reads it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.name import NAME_PATTERN, VERSION_PATTERN

Dimension = Literal["S", "M", "D", "E", "L", "R", "G", "G1", "G2", "G3"]
Severity = Literal["advisory", "elevated", "critical"]
FLAGS = ("Invalid", "Contested", "Provisional", "Limited Comparability")
"""What every flag of the framework begins with (§11.9.3)."""


class Clause(Declaration):
    """One condition. Exactly one of its kinds is given; `at_least` belongs to `dimension`."""

    dimension: Dimension | None = None
    """A dimension of the Agency Vector, or a part of G; needs `at_least`."""
    at_least: int | None = Field(default=None, ge=1, le=5)
    """The level from which on the condition holds."""
    tier: int | None = Field(default=None, ge=1, le=6)
    """The tier from which on it holds."""
    flag: str | None = None
    """A flag on the report, by the beginning of its name, e.g. `Contested`."""
    governance: Severity | None = None
    """The severity of the governance notes from which on it holds."""
    regime: str | None = None
    """A regime the system was examined under, e.g. `severe-standard`."""
    boundary: Literal["core", "extended"] | None = None
    """The boundary the report is about."""
    any: tuple[Clause, ...] | None = None
    """Conditions of which one is enough."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Clause:
        given = [name for name in type(self).model_fields if name != "at_least" and getattr(self, name) is not None]
        if len(given) != 1:
            message = f"a condition says one thing; this one has {' and '.join(given) or 'nothing'}"
            raise ValueError(message)
        if (self.dimension is None) != (self.at_least is None):
            message = "dimension and at_least belong together, e.g. {dimension: E, at_least: 4}"
            raise ValueError(message)
        if self.any is not None and not self.any:
            message = "any needs conditions"
            raise ValueError(message)
        return self

    @field_validator("flag")
    @classmethod
    def _flag_exists(cls, text: str | None) -> str | None:
        """A name that no flag begins with would never hold, and its obligation never apply."""
        if text is None or any(text.casefold().startswith(name.casefold()) for name in FLAGS):
            return text
        message = f"no flag begins with '{text}'; they begin with {', '.join(FLAGS)}"
        raise ValueError(message)

    @property
    def words(self) -> str:
        """The condition as people say it."""
        if self.dimension is not None:
            return f"{self.dimension} at or above {self.at_least}"
        if self.tier is not None:
            return f"Tier at or above {self.tier}"
        if self.flag is not None:
            return f"flag {self.flag}"
        if self.governance is not None:
            return f"governance notes {self.governance} or above"
        if self.regime is not None:
            return f"under {self.regime}"
        if self.boundary is not None:
            return f"within the {self.boundary} boundary"
        return f"({' or '.join(one.words for one in self.any or ())})"


class Threshold(Declaration):
    """What follows from a capability."""

    id: str = Field(pattern=NAME_PATTERN)
    when: tuple[Clause, ...] = Field(min_length=1)
    """Conditions that hold together."""
    oblige: str = Field(min_length=1, max_length=2_000)
    """What has to be done then, in the organisation's words."""


class CapabilityPolicy(Declaration):
    """Thresholds and the obligations that follow from them."""

    name: str = Field(pattern=NAME_PATTERN)
    version: str = Field(pattern=VERSION_PATTERN)
    title: str
    owner: str
    """Who answers for the policy."""
    thresholds: tuple[Threshold, ...] = Field(min_length=1)

    @field_validator("thresholds")
    @classmethod
    def _names_are_different(cls, thresholds: tuple[Threshold, ...]) -> tuple[Threshold, ...]:
        names = [one.id for one in thresholds]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            message = f"threshold '{twice}' is there twice"
            raise ValueError(message)
        return thresholds
