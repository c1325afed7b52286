"""A report as data: everything that is shown, and nothing else.

Frozen and plain: the JSON file of a report is exactly this, reads back as the same report, and every rendering is a
function of it alone. No wall clock enters: the same evidence and readings give the same bytes. What was not measured is
None beside a reason, never 0. A hidden seed is never part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from proctor.core.canonical import jsonable
from proctor.spec.own_models import proxied_words

FORMAT = "proctor-report"
VERSION = 3
DECLARED = frozenset({"conditions", "observation_schema", "action_schema"})
STATEMENT = "Capability only: not safety, compliance or approval."
OF_SCENARIOS = "One agent on these scenarios: no statement on anything that the scenarios do not hold."
"""The statement where nothing but scenarios was measured: those do ask about safety and compliance."""


RungState = Literal[
    "credited", "met, not credited", "not met", "undecided", "not measurable", "not tested", "above the mean"
]
"""How a level stands; each is drawn with a mark of its own."""


class SeedNote(Struct, frozen=True, omit_defaults=True):
    """The seed of the run, as far as it may be shown."""

    public: bool
    value: int | None
    """None where it is not shown."""
    text: str
    """What follows from it for readers."""
    chosen: bool = False
    """Whether it is neither a public number nor one that was committed to before the run."""


class SystemShown(Struct, frozen=True, omit_defaults=True):
    """What was evaluated; None where nothing was declared."""

    name: str
    version: str
    architecture: str | None
    configuration_hash: str | None
    """What identifies its configuration: declared settings, source files, model."""
    identity: str | None
    """The model or package the agent is, where that is known."""
    source: str | None
    """SHA-256 over the agent's own files."""
    configuration: dict[str, Any]
    boundary: dict[str, Any]
    """The boundary in force."""
    boundaries: dict[str, Any]
    """Core and extended as they were declared, each by itself."""
    learning: str | None
    schema_versions: dict[str, str | None]
    """Of schemas that the system declares itself; those of families carry the version of their family."""
    baselines: tuple[str, ...]
    network: str
    env: tuple[str, ...]
    """Names of the environment variables its process could see."""
    models: tuple[str, ...] = ()
    """Models that its own client asked through the bench."""

    @property
    def reach(self) -> str:
        """What its process could reach, in a few words."""
        network = "no network" if self.network == "none" else f"network: {self.network}"
        return "; ".join(part for part in (network, proxied_words(self.models)) if part)


class Declared(Struct, frozen=True):
    """What was declared around the run."""

    evaluation: dict[str, Any]
    """Organisation, contact, evaluator, independence, use; what is missing was not declared."""
    protocol: dict[str, Any]
    """Approach, sampling, scoring and normalisation (§2.5, §2.6)."""
    inclusion: str | None
    exclusion: str | None
    justification: str | None
    """How families were chosen (§11.8)."""
    preregistration: str | None
    """SHA-256 of the preregistration that the run was started against."""


class Digests(Struct, frozen=True):
    """What identifies configuration, content and execution; root and seal exist only for a finished run."""

    config_hash: str
    root: str | None
    seal: str | None


class RegimeShown(Struct, frozen=True):
    """A regime with its exact parameters; what is not stated is not limited."""

    id: str
    intensity: str
    parameters: dict[str, Any]


class FamilyShown(Struct, frozen=True):
    """A family as it was frozen."""

    name: str
    title: str
    description: str
    criterion: str
    verification: str
    environment: dict[str, Any]
    templates: int
    artifacts: bool
    """Whether success leaves something that the verifier opened."""
    behaviour: str
    """Digest of its probe; of its source files in runs from before probes."""
    observation_schema: dict[str, Any]
    answer_schema: dict[str, Any]
    actions: tuple[dict[str, Any], ...]


class Sample(Struct, frozen=True):
    """How many episodes one arm of the suite had, and how they ended."""

    family: str
    regime: str
    condition: str
    cell: str | None
    episodes: int
    outcomes: dict[str, int]
    planned: int
    """Episodes that the suite asks for."""
    excluded: dict[str, int]
    """Episodes that count for nothing, by what broke."""


class FlagShown(Struct, frozen=True):
    """A flag and what it is about."""

    about: str
    """A dimension, a value; empty for the whole reading."""
    name: str
    reason: str


class Notice(Struct, frozen=True):
    """Something that must be known before the result is read."""

    name: str
    """Exploratory, Technical Report, …"""
    text: str


class Conclusion(Struct, frozen=True):
    """A result in words."""

    verdict: tuple[str, ...]
    """A few sentences: what was shown, what was not, how sure that is."""
    notices: tuple[Notice, ...] = ()


class Section(Struct, frozen=True):
    """What one instrument found."""

    instrument: str
    version: str
    title: str
    measured: bool
    reason: str | None
    headline: str
    """The reporting tuple in one line, where the instrument has one."""
    flags: tuple[FlagShown, ...]
    data: dict[str, Any]
    """The reading, whole, in the form the instrument's section gives it."""
    conclusion: Conclusion | None = None
    """The result in words, where the section can say it."""


class Step(Struct, frozen=True):
    """One thing that happened in an episode."""

    kind: str
    """observe, act, say, decide, verify, …: the words of `proctor show`."""
    text: str
    call: int | None = None


class EpisodeShown(Struct, frozen=True):
    """An episode to look at: what was asked, what was done, what the verifier found. Long texts are shortened."""

    position: int
    about: str
    """What it is an example for: a cell, a family."""
    why: str
    family: str
    template: str
    instance: str
    regime: str
    condition: str
    phase: str
    replicate: int
    outcome: str
    reason: str
    goal: str
    answer_format: str
    tools: tuple[str, ...]
    steps: tuple[Step, ...]
    left_out: int
    """Steps in the middle that are not shown."""
    head: str
    """The end of the episode's chain: ties what is shown to the root."""


class GateShown(Struct, frozen=True):
    """What a gate decided about the run."""

    outcome: str
    """deploy, block or escalate-to-human, as it holds now."""
    sentence: str
    """The same with its reasons, and with what a person answered."""
    standing: str
    """On what authority its rules are in force."""
    entry: str
    """Hash of its ledger entry."""


class Report(Struct, frozen=True, omit_defaults=True):
    """Readings of one run with everything they hold under."""

    format: str
    version: int
    run: str
    status: str
    complete: bool
    label: str
    """Empty, or what must be said wherever the result appears, e.g. `oracle, not a result`."""
    statement: str
    suite: str
    suite_title: str
    suite_description: str
    agent: str
    system: SystemShown
    declared: Declared
    seed: SeedNote
    timestamp: str
    """The run's logical time."""
    execution: dict[str, Any]
    """Recorded facts of the execution: real times, code version, executor."""
    digests: Digests
    profile: str
    policy: str
    rules: dict[str, Any]
    episodes: int
    planned: int
    outcomes: dict[str, int]
    timing_dependent: int
    """Episodes that real time ended: the root need not come out again."""
    only: tuple[str, ...]
    """Families the run was restricted to; empty for the whole suite."""
    scope: str | None
    """The part of the organisation whose scenarios were run, and how many those are; None for all of them."""
    skipped: dict[str, str]
    """Families that could not be evaluated, and why."""
    sections: tuple[Section, ...]
    failures: tuple[EpisodeShown, ...]
    regimes: tuple[RegimeShown, ...]
    families: tuple[FamilyShown, ...]
    samples: tuple[Sample, ...]
    decisions: tuple[GateShown, ...] = ()
    """What gates of this project decided about the run, oldest first; left out where none did."""
    challenges: tuple[dict[str, Any], ...] = ()
    """What others said against the result, by challenge, with every signed act; left out where nobody did."""
    other: Report | None = None
    """The same system within its other boundary, without its episodes; left out where only one was given."""

    @property
    def started(self) -> str | None:
        """When the first episode was started, by the clock of the machine; None where nobody recorded it."""
        times = self.execution.get("started")
        return str(times[0]) if isinstance(times, list | tuple) and times else None


def plain(value: Any) -> dict[str, Any]:
    """A struct as JSON would give it back; the order of its fields and entries stays, since it says something.

    Only what was declared elsewhere (conditions, schemas) is sorted: a bundle brings it back in another order.
    """
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value, enc_hook=_lowered))
    return {name: jsonable(item) if name in DECLARED else item for name, item in data.items()}


def _lowered(value: Any) -> Any:
    """What JSON has no form for: a mapping that is made when it is asked for keeps its order."""
    return dict(value) if isinstance(value, Mapping) else jsonable(value)


def to_json(report: Report) -> bytes:
    """The report as a JSON document, readable and ending in a newline."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def from_json(data: bytes) -> Report:
    """The report that `to_json` was given."""
    return msgspec.json.decode(data, type=Report)
