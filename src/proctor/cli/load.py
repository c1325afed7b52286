"""Put an agent under real load and measure latency and behaviour under it.

Each request is a whole episode of SUITE with its verifier. Latency is measured in real time from a
request's scheduled arrival. It is stored in a separate record next to the store, never in a run. --profile paper has
the four scenarios of the harness paper; a YAML file declares others. The gate takes the profile that the project's
rules require (`paper`, or the content hash of another one as `load_profile`). Ctrl-C keeps what was measured.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, StorePlace, store_place

if TYPE_CHECKING:
    from proctor.evidence.load_record import LoadRecord, Request, ScenarioLoad
    from proctor.instruments.load_reading import LoadReading, ScenarioReading
    from proctor.spec.frozen import FrozenRun
    from proctor.spec.performance import LoadProfile, PerformanceScenario
    from proctor.spec.suite import Suite

_LINE_SECONDS = 5.0
_FAMILY_INSTANCES = 200
_BUSY = 0.8
"""From here on, what waits does so for this process too."""


def command(
    suite: Annotated[
        str | None,
        typer.Argument(metavar="SUITE", help="A suite's name, a .yaml file, my_family.py@suite, or a family's name."),
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", help="kind[:detail][,key=value], e.g. clerk or python:my_agent:make.")
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", metavar="paper|FILE", help="The scenarios: paper, or a YAML file.")
    ] = "paper",
    seed: Annotated[str | None, typer.Option("--seed", help="A whole number, or 64 hex digits.")] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="FAMILY", help="Only this family; may be repeated.")
    ] = None,
    dedicated: Annotated[
        bool,
        typer.Option(
            "--dedicated/--shared", help="Declare that nothing else runs on this machine; stored in the record."
        ),
    ] = False,
    store: StorePlace = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the record goes (default: beside the store).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No plan, no progress, no summary.")] = False,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json, say
    from proctor.cli.run import require_approved
    from proctor.core.canonical import jsonable
    from proctor.engine.load.run import STOPPED_BY_USER, LoadRun
    from proctor.evidence.load_record import write_load
    from proctor.instruments.load_reading import read
    from proctor.pipeline.own_code import only_approved_code

    declared = read_profile(profile, Path())
    with only_approved_code(Path()):
        frozen = _frozen(suite, agent, seed, only)
        require_approved(frozen, Path())
    silent = quiet or json
    path: Path | None = out

    def keep(record: LoadRecord) -> None:
        if path is not None:
            write_load(path, record)

    with only_approved_code(Path()):
        run = LoadRun(
            frozen,
            Path(),
            declared,
            dedicated=dedicated,
            on_record=keep,
            progress=None if silent else Lines(),
        )
        if path is None:
            path = _place(run.record, store_place(store))
        if not silent:
            say(_plan(frozen, declared, dedicated) + _not_asked_for(frozen, declared, Path()))
        record = run.run()
    reading = read(record)
    if json:
        print_json({"record": str(path), "seed": record.seed, **jsonable(reading)})
    elif quiet:
        typer.echo(str(path))
    else:
        typer.echo(summary(reading, path))
    if record.stopped == STOPPED_BY_USER:
        raise typer.Exit(130)
    raise typer.Exit(0 if reading.lul is not None else 1)


def read_profile(name: str, folder: Path) -> LoadProfile:
    """The built-in profile of this name, or the one in a file."""
    from proctor.core.errors import InputError
    from proctor.spec.documents import read_document
    from proctor.spec.performance import PROFILES, LoadProfile

    if name in PROFILES:
        return PROFILES[name]
    if name.endswith((".yaml", ".yml", ".json")):
        return LoadProfile.parse(read_document(folder / name), source=name)
    message = f"--profile {name}: there is {', '.join(PROFILES)}; a file ends in .yaml or .json"
    raise InputError(message)


def _frozen(suite: str | None, agent: str | None, seed: str | None, only: list[str] | None) -> FrozenRun:
    from proctor.cli.freezing import system_asked_for
    from proctor.core.errors import InputError
    from proctor.engine.run import freeze, parse_seed
    from proctor.spec.project import read_project
    from proctor.spec.system import BoundaryKind

    project = read_project(Path())
    if suite is None and project is None:
        message = "name the suite to take requests from, e.g. `proctor load hello --agent clerk`"
        raise InputError(message)
    named = find_suite(suite or (project.suite if project else ""), Path())
    within = named.boundary or BoundaryKind.CORE
    chosen, system = system_asked_for(project, within, agent)
    return freeze(
        suite=named,
        agent=chosen,
        folder=Path(),
        seed=parse_seed(seed if seed is not None else str(project.seed if project else 0)),
        only=tuple(name for given in only or () for name in given.split(",") if name),
        system=system,
        limits=project.limits if project else None,
    )


def find_suite(reference: str, folder: Path) -> Suite:
    """The suite of this name; a family's name stands for a suite of that family alone."""
    from proctor.engine.names import load_family, load_suite
    from proctor.plugins import registry
    from proctor.spec.suite import Entry, Suite

    name = reference.partition("@")[0]
    path = reference.partition(":")[0]
    is_family = name in registry.names("families") and name not in registry.names("suites")
    if not is_family and not (path.endswith(".py") and "@" not in reference):
        return load_suite(reference, folder)
    spec = load_family(reference, folder).spec
    return Suite(
        name=spec.id,
        version=spec.version,
        title=spec.title,
        epoch="2026-01-01",
        entries=(Entry(family=reference, n=_FAMILY_INSTANCES),),
    )


def _place(record: LoadRecord, store: str) -> Path:
    """A name that sorts by time, and tells two loads of one second apart."""
    from secrets import token_hex

    from proctor.evidence.load_record import load_folder

    moment = record.began.replace(":", "").replace("-", "")
    return load_folder(store) / f"{moment}-{record.suite.partition('@')[0]}-{token_hex(3)}.json"


def _plan(frozen: FrozenRun, profile: LoadProfile, dedicated: bool) -> str:
    requests = sum(scenario.measured for scenario in profile.scenarios)
    at_most = sum(
        scenario.measured / (scenario.rate or scenario.concurrent_requests / (scenario.timeout / 1000))
        for scenario in profile.scenarios
    )
    return (
        f"{frozen.suite.full_name} · {frozen.agent} · profile {profile.name} ({profile.identity[:16]}): "
        f"{len(profile.scenarios)} scenarios, "
        f"{requests:,} requests, at most about {min(at_most, profile.most_seconds):.0f} s"
        + ("" if dedicated else "\nnot a dedicated machine: other work here shows up as latency (--dedicated)")
    )


def _not_asked_for(frozen: FrozenRun, profile: LoadProfile, folder: Path) -> str:
    """Said before the time is spent: the gate will not take a record of this profile."""
    from proctor.instruments.quality.project import read_governed
    from proctor.pipeline.scenarios import oracle_of_suite

    if not oracle_of_suite([family.reference for family in frozen.families], folder):
        return ""
    governed = read_governed(folder)
    if governed.asks_for(profile.identity):
        return ""
    return (
        f"\nthe rules ask for profile {governed.load_profile_in_words}: the gate takes this one only where they "
        f"declare load_profile: {profile.identity[:16]}"
    )


class Lines:
    """A line when a scenario begins, and one now and then."""

    def __init__(self) -> None:
        self._scenario: PerformanceScenario | None = None
        self._done = 0
        self._last = 0.0

    def start(self, scenario: PerformanceScenario) -> None:
        from time import monotonic

        from proctor.cli.output import say

        self._scenario, self._done, self._last = scenario, 0, monotonic()
        kind = f"{scenario.rate:g}/s, at most" if scenario.rate is not None else "always"
        say(
            f"{scenario.id}: {scenario.measured:,} requests, {kind} {scenario.concurrent_requests} in flight, budget "
            f"{scenario.latency_budget_ms:,} ms, degradation {scenario.infrastructure_degradation}"
        )

    def advance(self, request: Request) -> None:
        from time import monotonic

        from proctor.cli.output import say

        self._done += 1
        if monotonic() - self._last >= _LINE_SECONDS and self._scenario is not None:
            self._last = monotonic()
            say(f"{self._scenario.id}: {self._done:,} of {self._scenario.measured:,} requests")

    def stop(self, load: ScenarioLoad) -> None:
        """The table at the end says it all."""


def summary(reading: LoadReading, path: Path) -> str:
    """What was measured, for people."""
    from proctor.cli.output import table

    header = ("scenario", "in flight", "n", "p50", "p95", "p99", "budget", "LUL", "answers/s", "wrong", "behaviour")
    lines = [table(header, [_cells(one) for one in reading.scenarios], right=range(1, 10)), ""]
    lines += [f"{one.id}: {one.reason}" for one in reading.scenarios if one.reason]
    lines += [_unanswered(one) for one in reading.scenarios if one.unanswered and one.fates.get("answered")]
    lines += [f"{one.id}: {one.behaviour.reason}" for one in reading.scenarios if one.behaviour.ok is False]
    if reading.lul is None or reading.lul_minimum is None:
        lines.append(f"LUL not measured: {reading.reason}")
    else:
        lines.append(f"LUL {reading.lul:.3f} (smallest {reading.lul_minimum:.3f}), milliseconds from intended arrival")
    behaviour = {True: "as expected", False: "not as expected", None: "cannot be said"}[reading.behaviour_ok]
    lines.append(f"behaviour under load: {behaviour}")
    if reading.alone is not None:
        lines.append(reading.alone.sentence())
    busy = [one.id for one in reading.scenarios if one.generator_busy is not None and one.generator_busy > _BUSY]
    if busy:
        lines.append(
            f"this process was busy all the time in {', '.join(busy)}: latency includes the generator's own work"
        )
    if reading.label:
        lines.append(f"agent: {reading.label}")
    if not reading.dedicated:
        lines.append("machine not declared dedicated: the gate leaves LUL out of the composite")
    lines.append(f"profile: {reading.profile} ({reading.profile_hash[:16]})")
    return "\n".join([*lines, f"record: {path}"])


def _unanswered(one: ScenarioReading) -> str:
    why = ", ".join(f"{reason} {count:,}" for reason, count in one.unanswered.items())
    return (
        f"{one.id}: {sum(one.unanswered.values()):,} of {one.n:,} requests were not answered ({why}); "
        "they are not timed, and count for LUL as the budget or more"
    )


def _cells(one: ScenarioReading) -> tuple[str, ...]:
    def number(value: float | None, digits: int = 0) -> str:
        return "–" if value is None else f"{value:,.{digits}f}"

    return (
        one.id,
        number(one.peak_in_flight),
        number(one.n),
        *(number(value, 1) for value in one.latencies),
        number(one.latency_budget_ms),
        number(one.lul, 3),
        number(one.throughput, 1),
        number(one.wrong_acts),
        {True: "as expected", False: "not as expected", None: "cannot be said"}[one.behaviour.ok],
    )
