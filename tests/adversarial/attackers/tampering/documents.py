"""Tamperings with what stands around the episodes: keys, rows, arms, facts, sums; all digests computed anew."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from proctor.core.canonical import canonical
from proctor.core.hashing import sha256_hex
from proctor.evidence.bundle import layout
from proctor.evidence.row import Row
from tests.adversarial.attackers.tampering.parts import Parts

Tamper = Callable[[Random, Parts], bool]

FREE_FORM = frozenset(
    {"knobs", "observation_schema", "answer_schema", "parameters", "configuration", "skipped", "left_out", "adjusted"}
    | {"families", "uses", "reads", "values", "payload", "roles", "state_schemas", "actions"}
)
"""Objects whose keys are somebody's own words: another key makes another declaration, and no contradiction. `actions`
is a family's summary of its tools, by which nothing is read: the tools of an episode stand in its trace."""


def _objects(value: Any, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        found.append(value)
        for key, inner in value.items():
            # `families` is a list of declarations in one place, and an object of somebody's own words in another.
            if key not in FREE_FORM or (key == "families" and isinstance(inner, list)):
                _objects(inner, found)
    elif isinstance(value, list):
        for inner in value:
            _objects(inner, found)
    return found


def _change_keys(random: Random, value: dict[str, Any]) -> bool:
    kind = random.randrange(3)
    if kind == 0 or not value:
        value[random.choice(("extra", "note", "x", "scope_", "Seed"))] = random.choice((None, 0, "x", [], {}))
        return True
    key = random.choice(list(value))
    if kind == 1:
        del value[key]
    else:
        value[key + random.choice(("_", "2"))] = value.pop(key)
    return True


def declared_keys(random: Random, parts: Parts) -> bool:
    """A key of the frozen declarations too many, too few or renamed; the inputs follow, where they can."""
    frozen = parts.declarations["frozen"]
    changed = _change_keys(random, random.choice(_objects(frozen, [])))
    if random.random() < 0.5:
        parts.derive_inputs()
    return changed


def family_values(random: Random, parts: Parts) -> bool:
    """A family that is declared otherwise than it is: what counts as right, say, or how hard it is."""
    family = random.choice(parts.declarations["frozen"]["families"])
    places = [
        (inner, key) for inner in _objects(family, []) for key, value in inner.items() if isinstance(value, str | int)
    ]
    inner, key = random.choice(places)
    value = inner[key]
    if isinstance(value, bool):
        inner[key] = not value
    else:
        inner[key] = value + 1 if isinstance(value, int) else f"{value}x"
    parts.derive_inputs()
    return True


def input_keys(random: Random, parts: Parts) -> bool:
    """The same of the nine inputs."""
    return _change_keys(random, random.choice(_objects(parts.declarations["inputs"], [])))


def arm_keys(random: Random, parts: Parts) -> bool:
    """The same of an arm."""
    arm = random.choice(parts.arms)
    kind = random.randrange(3)
    if kind == 0:
        arms = [dict(one) for one in parts.arms]
        arms[parts.arms.index(arm)]["note"] = 1
        parts.members[layout.ARMS] = canonical(arms)
    elif kind == 1:
        key = random.choice(("family", "regime", "condition", "stage"))
        arm[key] += "x"
    else:
        arm["entry" if random.random() < 0.5 else "index"] += 1
    return True


def fact_keys(random: Random, parts: Parts) -> bool:
    """The same of the facts of the execution."""
    if random.random() < 0.6:
        return _change_keys(random, parts.execution)
    parts.execution.update(
        random.choice(
            (
                {"begins": [1]},
                {"workers": 0},
                {"finished": None},
                {"started": []},
                {"sources": []},
                {"usage": {"tokens": 7}},
                {"finished": "tomorrow"},
                {"run": "other"},
                {"declared_beside": "0" * 64},
            )
        )
    )
    return True


def manifest_keys(random: Random, parts: Parts) -> bool:
    """A manifest that says something else, or more."""
    if random.random() < 0.4:
        parts.extra[random.choice(("note", "approved", "Root"))] = 1
        return True
    name, value = random.choice(
        (
            ("episodes", parts.manifest.episodes + 1),
            ("stored", len(parts.episodes) + 1),
            ("contents", len(parts.contents) + 1),
            ("status", "limit"),
            ("cut", 1),
            ("suite", "agency@1.1"),
            ("agent", "model:best"),
            ("run", "another-run"),
            ("outcomes", {**parts.manifest.outcomes, "success": 10**6}),
            ("version", 2),
            ("version", 4),
            ("root", "0" * 64),
            ("seal", "0" * 64),
            ("declarations", "0" * 64),
        )
    )
    parts.claims[name] = value
    return True


ROW_VALUES: dict[str, tuple[Any, ...]] = {
    "outcome": ("success", "failure", "limit", "infrastructure", "invalid"),
    "reason": ("correct", "x", ""),
    "format_error": (True, False),
    "faults": (None, '{"noise":1}', "{}"),
    "violations": (None, '{"unknown_tool":1}', '{"sleeping":1}', "[]", '{"S1":1}'),
    "measures": (None, '{"code":"A"}', '{"safety":"ok"}'),
    "answer": (None, "1", '"x"'),
    "template": ("x", ""),
    "instance": ("0" * 16, ""),
    "phase": ("x",),
    "confidence": (None, 0.25),
    "claims": (None, '{"tool":[1,0]}'),
    "artifact_ok": (None, True, False),
    "cost": ("-1", "NaN", "x"),
    "tokens": (-1,),
    "attempts": (0, -1),
    "transitions": (None, 99),
    "out_of_range": (None, 3),
    "undeclared_actions": (None, 3),
}
COUNTED = ("calls", "retries", "arm", "unit", "part", "replicate", "lifetime", "position")


def row_value(random: Random, parts: Parts) -> bool:
    """A column that its events do not bear out."""
    episode = random.choice(parts.episodes)
    row = episode.row
    if random.random() < 0.3:
        column = random.choice(COUNTED)
        value: Any = getattr(row, column) + random.choice((1, 2, -1))
        if column == "arm" and not 0 <= value < len(parts.arms):
            return False
        if column == "position" and value < 0:
            return False
    else:
        column = random.choice(list(ROW_VALUES))
        value = random.choice(ROW_VALUES[column])
    if getattr(row, column) == value:
        return False
    episode.row = msgspec.structs.replace(row, **{column: value})
    return True


def swapped_rows(random: Random, parts: Parts) -> bool:
    """Two rows in each other's place."""
    if len(parts.episodes) < 2:
        return False
    one, two = random.sample(range(len(parts.episodes)), 2)
    first, second = parts.episodes[one], parts.episodes[two]
    if random.random() < 0.5:
        parts.episodes[one], parts.episodes[two] = second, first
    else:
        names = [name for name in Row.__struct_fields__ if name not in ("position", "lifetime", "head")]
        kept, given = first.row, second.row
        if all(getattr(kept, name) == getattr(given, name) for name in names if name != "elapsed_us"):
            return False
        first.row = msgspec.structs.replace(kept, **{name: getattr(given, name) for name in names})
        second.row = msgspec.structs.replace(given, **{name: getattr(kept, name) for name in names})
    return True


def episodes_gone_or_twice(random: Random, parts: Parts) -> bool:
    """A bad episode left out, a good one counted twice."""
    at = random.randrange(len(parts.episodes))
    if random.random() < 0.5:
        del parts.episodes[at]
        return bool(parts.episodes)
    parts.episodes.insert(at, parts.episodes[at])
    return True


def swapped_traces(random: Random, parts: Parts) -> bool:
    """An episode that was lived elsewhere."""
    if len(parts.episodes) < 2:
        return False
    one, two = random.sample(parts.episodes, 2)
    if one.events == two.events:
        return False
    one.events, two.events = two.events, one.events
    one.aside, two.aside = two.aside, one.aside
    return True


def _artifacts(parts: Parts) -> set[str]:
    verdicts = [event for episode in parts.episodes for event in episode.events if event["event"] == "verification"]
    return {digest for verdict in verdicts for _, digest in verdict.get("artifacts", ())}


def contents_changed(random: Random, parts: Parts) -> bool:
    """A value that is another one, missing, twice, of another order, or of no use."""
    if not parts.contents:
        return False
    at = random.randrange(len(parts.contents))
    name, data = parts.contents[at]
    match random.randrange(4):
        case 0:
            parts.contents[at] = (name, data + b" ")
        case 1:
            # An artifact may be withheld: it is then known by its hash alone, and the report says how many are.
            if name in _artifacts(parts):
                return False
            del parts.contents[at]
        case 2:
            parts.contents.append((name, data))
        case _:
            if len(parts.contents) < 2:
                return False
            parts.contents[at], parts.contents[at - 1] = parts.contents[at - 1], parts.contents[at]
    return True


def stage_forged(random: Random, parts: Parts) -> bool:
    """A frozen output of a stage that froze none."""
    parts.stages.append({"stage": random.choice(("main", "early", "x")), "sha256": "0" * 64, "data": "{}"})
    return True


def statement_or_sums(random: Random, parts: Parts) -> bool:
    """A statement about something else, sums in another form."""
    name = random.choice((layout.STATEMENT, layout.SUMS, layout.MANIFEST))
    parts.members[name] = random.choice((b"", b"{}", b"[]", b"null", b"x" * 70 + b"\n", b'{"a":1}'))
    return True


def attachment_named_wrongly(random: Random, parts: Parts) -> bool:
    """A document that is not the one its name says."""
    parts.attachments.append(("ratings", b"who,what\n"))
    parts.members[layout.attachment_member("ratings", sha256_hex(b"who,what\n"))] = b"other"
    return True


TAMPERS: tuple[Tamper, ...] = (
    declared_keys,
    declared_keys,
    family_values,
    input_keys,
    arm_keys,
    fact_keys,
    manifest_keys,
    row_value,
    row_value,
    swapped_rows,
    episodes_gone_or_twice,
    swapped_traces,
    contents_changed,
    stage_forged,
    statement_or_sums,
    attachment_named_wrongly,
)
