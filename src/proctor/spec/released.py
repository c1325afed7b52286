"""Which suites are Proctor's own, told by their content; everything else is a custom suite (white paper §11.8).

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
from proctor.spec.frozen import FrozenRun, Look
from proctor.spec.suite import Entry, Suite

LOCK = Path(__file__).with_name("suites.lock")
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


def _without_entries(suite: Suite) -> str:
    return content_hash({name: value for name, value in suite.model_dump(mode="json").items() if name != "entries"})


def _without_sample(entry: Entry) -> str:
    data = entry.model_dump(mode="json")
    return content_hash({name: value for name, value in data.items() if name not in ("n", "first")})[:16]
