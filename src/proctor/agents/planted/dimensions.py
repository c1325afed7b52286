"""What planted agents may be told in an agent string: a number for each dimension."""

from __future__ import annotations

from proctor.agents.kind import AgentString
from proctor.core.errors import InputError
from proctor.core.numbers import real_number, whole_number
from proctor.core.texts import shortened

DIMENSIONS = ("S", "M", "D", "E", "L", "R", "G1", "G2", "G3")


def dimension_of(cell: str) -> tuple[str, int | None]:
    """`S4` → (S, 4), `G2-5` → (G2, 5), `R` → (R, None)."""
    name, dash, level = cell.partition("-")
    if dash:
        return name, whole_number(level, 0, 9)
    return cell[:1], whole_number(cell[1:], 0, 9)


def planted_numbers(text: AgentString, *, usual: float, low: float, high: float) -> dict[str, float]:
    """The numbers planted per dimension; `G=…` stands for its three parts. Refuses unknown names and ranges."""
    numbers = dict.fromkeys(DIMENSIONS, usual)
    for name, value in text.options.items():
        parts = ("G1", "G2", "G3") if name == "G" else (name,)
        if parts[0] not in DIMENSIONS:
            continue
        number = real_number(value, low, high)
        if number is None:
            message = f"agent '{shortened(text.text)}': {name}={shortened(value)} lies outside {low:g} to {high:g}"
            raise InputError(message)
        numbers.update(dict.fromkeys(parts, number))
    return numbers


def refuse_unknown(text: AgentString, known: tuple[str, ...]) -> None:
    """Refuse options that mean nothing here."""
    for name in text.options:
        if name not in (*DIMENSIONS, "G", *known):
            options = ", ".join((*DIMENSIONS, "G", *known))
            message = f"agent '{text.text}': option '{name}' is unknown; choose from {options}"
            raise InputError(message)
