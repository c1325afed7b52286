"""Which suites and families are Proctor's own, told by their content; all others are custom (white paper §11.8).

`suites.lock` beside this file has the content hash of every suite Proctor was released with; `proctor lock` writes it.
So a reading knows an edited copy for what it is, on any machine, whatever the copy is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.spec.claims import is_counted
from proctor.spec.family import Knob
from proctor.spec.frozen import FrozenFamily, FrozenRun, Look
from proctor.spec.probe import Probe
from proctor.spec.suite import Entry, Suite

LOCK = Path(__file__).with_name("suites.lock")
PROBES = Path(__file__).parents[1] / "probes.lock"
"""How every released family behaves; `proctor lock` writes it."""
_SHOWN_DIGITS = 12


class ReleasedSuite(Struct, frozen=True):
    """A suite as it was released."""

    content: str
    """SHA-256 over all of it."""
    rest: str
    """SHA-256 over all but its entries."""
    entries: tuple[str, ...]
    """The first digits of a SHA-256 over each entry without its sample, which `--until-decided` chooses itself."""
    justification: str
    """SHA-256 over its justification: an edited copy does not have it for its own."""

    @classmethod
    def of(cls, suite: Suite) -> ReleasedSuite:
        """The digests of a suite."""
        return cls(
            content=suite.identity,
            rest=_without_entries(suite),
            entries=tuple(sorted(map(_without_sample, suite.entries))),
            justification=content_hash(suite.justification),
        )


@cache
def released_suites() -> dict[str, ReleasedSuite]:
    """Every released suite, by `name@version`."""
    return msgspec.json.decode(LOCK.read_bytes(), type=dict[str, ReleasedSuite]) if LOCK.is_file() else {}


def write_released(suites: dict[str, ReleasedSuite]) -> None:
    """Write the lock."""
    # A line for each suite: a change shows as what it is.
    lines = [b" %s: %s" % (msgspec.json.encode(name), msgspec.json.encode(one)) for name, one in sorted(suites.items())]
    LOCK.write_bytes(b"{\n" + b",\n".join(lines) + b"\n}\n")
    released_suites.cache_clear()


def digests_of(suites: Iterable[Suite]) -> dict[str, ReleasedSuite]:
    """The lock that belongs to these suites."""
    return {suite.full_name: ReleasedSuite.of(suite) for suite in suites}


def is_released(suite: Suite, look: Look | None = None) -> bool:
    """Whether a suite is one of Proctor's own, whole and unchanged; of a look, apart from which samples it takes."""
    released = released_suites().get(suite.full_name)
    if released is None:
        return False
    if look is None:
        return suite.identity == released.content
    samples = set(map(_without_sample, suite.entries))
    return _without_entries(suite) == released.rest and samples <= set(released.entries)


def require_own_name(suite: Suite, look: Look | None = None) -> None:
    """Refuse a suite that bears the name of one of Proctor's and is not it: nobody could tell their results apart."""
    names = {full_name.partition("@")[0] for full_name in released_suites()}
    if suite.name in names and not is_released(suite, look):
        message = (
            f"suite '{suite.name}' is the name of a suite of Proctor's own, and the content is not that of "
            f"{suite.full_name}; give it another name (and `streams: {suite.streams or suite.name}` to keep its tasks)"
        )
        raise InputError(message)


def shown_name(frozen: FrozenRun) -> str:
    """How results name the suite of a run: `name@version`, with the first digits of its content's hash where somebody
    else's content bears the name of a suite of Proctor's own."""
    suite = frozen.suite
    names = {full_name.partition("@")[0] for full_name in released_suites()}
    if suite.name not in names or is_released(suite, frozen.look):
        return suite.full_name
    # Where a family's file lies is no part of what a suite is.
    families = {family.reference: family.spec.full_name for family in frozen.families} | frozen.left_out
    entries = [entry.model_copy(update={"family": families.get(entry.family, entry.family)}) for entry in suite.entries]
    digest = content_hash(suite.model_copy(update={"entries": tuple(entries)}))
    return f"{suite.full_name}#{digest[:_SHOWN_DIGITS]}"


def suite_limitation(frozen: FrozenRun) -> str | None:
    """Why results of this run's suite are of limited comparability: it is a custom one and not justified (§11.8).

    None for Proctor's own suites, and for custom ones that state inclusion rules and a justification of their own.
    """
    suite = frozen.suite
    if is_released(suite, frozen.look):
        return None
    copied = content_hash(suite.justification) in {one.justification for one in released_suites().values()}
    stated = {
        "inclusion rules": bool(suite.inclusion),
        "justification of its own": bool(suite.justification) and not copied,
    }
    lacking = [name for name, is_stated in stated.items() if not is_stated]
    if not lacking:
        return None
    return f"{shown_name(frozen)} is not one of Proctor's suites and states no {' and no '.join(lacking)}"


class _Probed(Struct):
    """The hashes of one family."""

    instances: str
    tools: str
    verdicts: str


class _Probes(Struct):
    """What is read of `probes.lock`."""

    families: dict[str, _Probed]


@cache
def released_families() -> dict[str, Probe]:
    """How every family of Proctor's own behaves, by `id@version`."""
    found = msgspec.json.decode(PROBES.read_bytes(), type=_Probes).families if PROBES.is_file() else {}
    return {name: Probe(instances=one.instances, tools=one.tools, verdicts=one.verdicts) for name, one in found.items()}


def is_impostor(family: FrozenFamily) -> bool:
    """Whether a family bears the name of one of Proctor's and is not it.

    Behaviour alone does not tell: a family in a file can be itself on the draws of a probe, and another elsewhere.
    """
    released = released_families()
    if family.spec.id not in {name.partition("@")[0] for name in released}:
        return False
    in_a_file = family.reference.partition("@")[0] != family.spec.id
    known = released.get(family.spec.full_name)
    return in_a_file or (known is not None and family.probe is not None and family.probe != known)


def require_own_families(families: Iterable[FrozenFamily]) -> None:
    """Refuse a family that bears the name of one of Proctor's and is not it: results would name the wrong one."""
    for family in families:
        if is_impostor(family):
            message = (
                f"family '{family.reference}' calls itself {family.spec.full_name}; {family.spec.id} is a family of "
                "Proctor's own, so give yours another id"
            )
            raise InputError(message)


def custom_families(frozen: FrozenRun) -> tuple[str, ...]:
    """The families of its cells that Proctor was not released with; of evidence from before probes nothing is known."""
    known = released_families()
    counted = {entry.family for entry in frozen.suite.entries if is_counted(entry.cell)}
    found = (family for family in frozen.families if family.probe is not None and family.reference in counted)
    return tuple(sorted(one.spec.full_name for one in found if known.get(one.spec.full_name) != one.probe))


def easier_tasks(frozen: FrozenRun) -> tuple[str, ...]:
    """Knobs that a custom suite sets to an easier value than the family's own, in words."""
    if is_released(frozen.suite, frozen.look):
        return ()
    specs = {family.reference: family.spec for family in frozen.families}
    return tuple(
        dict.fromkeys(
            f"{specs[entry.family].id}: {name} {value} instead of {knob.default} ({entry.cell})"
            for entry in frozen.suite.entries
            if is_counted(entry.cell) and entry.family in specs
            for settings in (entry.knobs, *(step.knobs for step in entry.program))
            for name, value in settings.items()
            if (knob := specs[entry.family].knobs.get(name)) is not None and _is_easier(value, knob)
        )
    )


def _is_easier(value: int | str, knob: Knob) -> bool:
    """Whether a value stands before the default; values are declared from easy to hard."""
    known = value in knob.values and knob.default in knob.values
    return known and knob.values.index(value) < knob.values.index(knob.default)


def _without_entries(suite: Suite) -> str:
    return content_hash({name: value for name, value in suite.model_dump(mode="json").items() if name != "entries"})


def _without_sample(entry: Entry) -> str:
    data = entry.model_dump(mode="json")
    return content_hash({name: value for name, value in data.items() if name not in ("n", "first")})[:16]
