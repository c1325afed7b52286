"""How the interface answers: eight layouts, and two versions that name and write the same settings differently.

Every setting stands on a line of its own, whatever the layout.
"""

from __future__ import annotations

from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.learning.api_versions.plant import Settings, Unit

Layout = Callable[[str, list[tuple[str, str]]], list[str]]

V1 = {"pressure": "pressure", "temperature": "temperature", "valve": "valve", "mode": "mode"}
V2 = {"pressure": "prs_dk", "temperature": "tmp_dk", "valve": "vlv_op", "mode": "ctl_au"}
GUIDES = {
    "v1": "The fields of an answer are called pressure, temperature, valve (open or shut) and mode (automatic or "
    "manual).",
    "v2": "Answers of version 2 have new fields: prs_dk is the pressure and tmp_dk the temperature, each multiplied by "
    "ten (840 means 84); vlv_op is Y where the valve is open and N where it is shut; ctl_au is Y in automatic and N in "
    "manual mode. Operations and grades are those of version 1.",
}


def fields(settings: Settings, version: str) -> list[tuple[str, str]]:
    """Names and values as a version writes them."""
    if version == "v1":
        return [(V1[name], str(value)) for name, value in settings.items()]
    coded = {
        "pressure": f"{settings['pressure']}0",
        "temperature": f"{settings['temperature']}0",
        "valve": "Y" if settings["valve"] == "open" else "N",
        "mode": "Y" if settings["mode"] == "automatic" else "N",
    }
    return [(V2[name], value) for name, value in coded.items()]


def _ini(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f"[{name}]", *(f"{key} = {value}" for key, value in pairs)]


def _json(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return ["{", f'  "unit": "{name}",', *(f'  "{key}": "{value}",' for key, value in pairs), "}"]


def _xml(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f'<unit id="{name}">', *(f"  <{key}>{value}</{key}>" for key, value in pairs), "</unit>"]


def _csv(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return ["unit;value;field", *(f"{name};{value};{key}" for key, value in pairs)]


def _prose(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f"This is {name} speaking.", *(f"I have {value} for {key}." for key, value in pairs)]


def _dotted(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f"*** {name} ***", *(f"{key.upper()} {'.' * (16 - len(key))} {value}" for key, value in pairs)]


def _log(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f"{name} poll begin", *(f"{name} poll {key} -> {value}" for key, value in pairs), f"{name} poll end"]


def _lisp(name: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f"(unit {name}", *(f"  ({key} {value})" for key, value in pairs), ")"]


LAYOUTS: dict[str, Layout] = {
    "ini": _ini,
    "json": _json,
    "xml": _xml,
    "csv": _csv,
    "prose": _prose,
    "dotted": _dotted,
    "log": _log,
    "lisp": _lisp,
}
_ORDER = tuple(LAYOUTS)
TEMPLATES: dict[str, tuple[str, str]] = {
    f"{old}-to-{_ORDER[(place + 3) % len(_ORDER)]}": (old, _ORDER[(place + 3) % len(_ORDER)])
    for place, old in enumerate(_ORDER)
}
"""Each service has a layout in version 1 and another in version 2."""


def answer(unit: Unit, template: str, version: str, stream: Stream) -> tuple[list[str], list[int]]:
    """What the interface answers about a unit, and which lines of it are settings."""
    pairs = fields(unit.now, version)
    stream.shuffle(pairs)
    layout = LAYOUTS[TEMPLATES[template][version == "v2"]]
    lines = layout(unit.id, pairs)
    first = next(index for index, line in enumerate(lines) if pairs[0][0] in line.lower() and pairs[0][1] in line)
    return lines, list(range(first, first + len(pairs)))
