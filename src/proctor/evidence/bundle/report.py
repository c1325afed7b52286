"""What a verification found: checks in a fixed order, and problems that each name a place.

Damage is data. Whatever is wrong with evidence becomes a `Problem`; nothing here raises for it. Text that comes from
evidence is shown shortened and in plain ASCII, so that a stranger's file cannot write to a terminal.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.errors import IntegrityError
from proctor.core.texts import one_line

MAX_PROBLEMS = 100
"""Problems listed at most; all are counted."""

ARCHIVE = "archive"
CHECKSUMS = "checksums"
CONFIGURATION = "configuration"
HEADS = "heads"
TRACES = "traces"
ROWS = "rows"
CONTENTS = "contents"
STAGES = "stages"
POSITIONS = "positions"
ENDING = "ending"
ROOT = "root"
SEAL = "seal"
ATTACHMENTS = "attachments"
STATEMENT = "statement"

RUN_CHECKS = (CONFIGURATION, HEADS, TRACES, ROWS, CONTENTS, STAGES, POSITIONS, ENDING, ROOT, SEAL, ATTACHMENTS)
"""What is checked of a run, wherever it lies."""
BUNDLE_CHECKS = (ARCHIVE, CHECKSUMS, *RUN_CHECKS, STATEMENT)


class Problem(Struct, frozen=True, omit_defaults=True):
    """One thing that is not as it should be, and where."""

    place: str
    message: str
    check: str = ""
    """The check that found it."""
    missing: bool = False
    """Nothing was changed here: something is not there."""


class Check(Struct, frozen=True):
    """One check: whether it held, and in a few words what was looked at."""

    name: str
    ok: bool
    detail: str


class VerifyReport(Struct, frozen=True):
    """The result of a verification. `ok` exactly when every check was made and held."""

    ok: bool
    subject: str
    """The file or run that was verified."""
    run: str | None
    root: str | None
    """As the evidence states it; trust it only when `ok`."""
    seal: str | None
    checks: tuple[Check, ...]
    problems: tuple[Problem, ...]
    """The first ones, in the order of the checks."""
    found: int
    """How many problems there are in all."""
    unchecked: str = ""
    """What could not be checked at all, and why; nothing that was checked depends on it."""
    recorded_by: tuple[str, ...] = ()
    """Digests of the code that recorded it, one per start, as the evidence states them."""
    begins: tuple[int, ...] = ()
    """How many episodes were there already at each of those starts."""
    bench: str | None = None
    """Version of the bench that it was recorded with; None: evidence from before there was one."""
    withheld: int = 0
    """Artifacts that are known by their hash alone."""

    altered: int = 0
    """Problems that are more than something missing."""

    @property
    def incomplete(self) -> bool:
        """Whether all that is wrong is that values stored by content, or attachments, are not there."""
        return not self.ok and not self.altered and self.found > 0


_BLOCKS = "contents/"
"""What the names of blocks of values begin with."""


class Damage(IntegrityError):
    """Evidence that cannot be read on from here."""

    def __init__(self, message: str, *, where: str) -> None:
        super().__init__(message, where=where)
        self.message = message


class Findings:
    """Collects what checks find."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._problems: dict[str, list[Problem]] = {name: [] for name in names}
        self._counts = dict.fromkeys(names, 0)
        self._done: dict[str, str] = {}
        self.unchecked = ""
        """What cannot be checked of this evidence, in a sentence."""
        self.recorded_by: tuple[str, ...] = ()
        """Digests of the code that recorded it, one per start."""
        self.begins: tuple[int, ...] = ()
        self.bench: str | None = None
        self._missing = 0
        self._altered = 0
        self.withheld = 0
        """Artifacts that are known by their hash alone."""

    def problem(self, check: str, where: str, message: str, *, missing: bool = False) -> None:
        """Something does not hold; `missing`: because it is not there, while nothing was changed."""
        self._counts[check] += 1
        # A block that lost a value has other bytes; each value left in it has to have its own hash all the same.
        torn = check in (ARCHIVE, CHECKSUMS) and where.startswith(_BLOCKS)
        self._missing += missing
        self._altered += not (missing or torn)
        if len(self._problems[check]) < MAX_PROBLEMS:
            # They repeat what a stranger wrote.
            self._problems[check].append(Problem(one_line(where), one_line(message), check, missing))

    def damage(self, check: str, error: IntegrityError) -> None:
        """The same, for an error that was raised below."""
        self.problem(check, error.where, str(error).removeprefix(f"{error.where}: "))

    def done(self, check: str, detail: str) -> None:
        """This check was made to its end; without problems it holds."""
        self._done[check] = detail

    def count(self, check: str) -> int:
        """Problems of this check so far."""
        return self._counts[check]

    def report(self, subject: str, *, run: str | None, root: str | None, seal: str | None) -> VerifyReport:
        """Everything found."""
        checks = tuple(self._check(name) for name in self._names)
        problems = [problem for name in self._names for problem in self._problems[name]]
        return VerifyReport(
            ok=all(check.ok for check in checks),
            subject=subject,
            run=run,
            root=root,
            seal=seal,
            checks=checks,
            problems=tuple(problems[:MAX_PROBLEMS]),
            found=sum(self._counts.values()),
            unchecked=self.unchecked,
            recorded_by=self.recorded_by,
            begins=self.begins,
            bench=self.bench,
            withheld=self.withheld,
            # A block with other bytes from which nothing is missing was changed, however little.
            altered=self._altered if self._missing else sum(self._counts.values()),
        )

    def _check(self, name: str) -> Check:
        count = self._counts[name]
        if count:
            first = self._problems[name][0]
            more = f" (and {count - 1} more)" if count > 1 else ""
            return Check(name, False, f"{first.place}: {first.message}{more}")
        if name not in self._done:
            return Check(name, False, "not checked, because of what was found before")
        return Check(name, True, self._done[name])


def short_text(value: object, width: int = 60) -> str:
    """A value from evidence, made safe and short enough for a message."""
    text = ascii(value)
    return text if len(text) <= width else f"{text[: width - 3]}..."
