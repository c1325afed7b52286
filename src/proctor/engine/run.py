"""Running an examination: freeze what determines it, say what it will do, execute it, and give the digests.

This is what `proctor run` calls, and what `proctor.run(...)` is for people who prefer Python.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import msgspec

from proctor.agents.files import AGENT_FILES, MOST_FILES, by_name
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.lookup import kind_of, label_of
from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError, IntegrityError
from proctor.core.seeds import Stream
from proctor.engine.baselines import baseline_facts
from proctor.engine.batch import Batch, BatchResult, Progress
from proctor.engine.choosing import choose_families
from proctor.engine.declaring import companion_source, declare_system, identify_agent, require_tool_calling
from proctor.engine.discretion import without_secrets
from proctor.engine.executors.contract import Executor
from proctor.engine.family import Draw, Family, supply_of
from proctor.engine.moment import wall_clock
from proctor.engine.plan import Plan
from proctor.engine.policy_use import measure_uses, require_intensities
from proctor.engine.preflight import Preflight, preflight
from proctor.engine.preregistering import OpenRegistration
from proctor.engine.probing.identity import origin_of, probe_of, require_bench
from proctor.engine.scoping import narrow_to_scope
from proctor.evidence.chain import run_seal
from proctor.evidence.code import GONE, SOURCES
from proctor.evidence.provenance import BESIDE_HASH, SOURCES_AT_END
from proctor.evidence.registration import REGISTRATION
from proctor.evidence.store.contract import EvidenceStore, RunRecord, claims_runs
from proctor.evidence.usage import USAGE
from proctor.models.prices import price_of
from proctor.plugins import registry
from proctor.plugins.own_sources import files_behind, files_now
from proctor.plugins.places import with_place
from proctor.plugins.sources import OWN, package_digest
from proctor.spec.claims import is_counted, require_confidence, require_evidenced, require_families
from proctor.spec.evaluation import Evaluation
from proctor.spec.frozen import FrozenFamily, FrozenRun, Look, Seed, beside_hash
from proctor.spec.protocols import require_protocols, require_whole_samples
from proctor.spec.released import require_own_families, require_own_name
from proctor.spec.rules import Limits, Rules
from proctor.spec.scope import Scope
from proctor.spec.suite import TODAY, Suite
from proctor.spec.system import System
from proctor.spec.task import Instance
from proctor.worlds.world import Place


def parse_seed(text: str) -> Seed:
    """A whole number that JSON carries exactly, or 64 hex digits of a hidden seed."""
    if re.fullmatch(r"-?[0-9]{1,16}", text) and abs(int(text)) < 2**53:
        return int(text)
    if re.fullmatch(r"[0-9a-f]{64}", text):
        return text
    message = f"seed {text!r} is neither a whole number below 2^53 nor 64 lower-case hex digits"
    raise InputError(message)


def freeze(
    *,
    suite: Suite,
    agent: str,
    folder: Path,
    seed: Seed = 0,
    timestamp: str | None = None,
    scale: int = 1,
    only: tuple[str, ...] = (),
    system: System | None = None,
    limits: Limits | None = None,
    look: Look | None = None,
    scope: Scope | None = None,
    evaluation: Evaluation | None = None,
    preregistration: str | None = None,
) -> FrozenRun:
    """Fix everything that determines a run. Refuses, in one sentence, what cannot be run.

    A scope takes some of the scenarios and leaves their numbers, and so their streams, as they are.
    """
    if scale < 1:
        message = f"--scale {scale}: must be at least 1"
        raise InputError(message)
    if look is None:
        require_families(suite)
        require_whole_samples(suite)
    if any(is_counted(entry.cell) for entry in suite.entries):
        require_own_name(suite, look)
    require_confidence(suite)
    require_protocols(suite)
    parsed = AgentString.parse(agent)
    kind = kind_of(parsed)
    system = without_secrets(declare_system(system, suite, agent, kind), parsed)
    context = AgentContext(system, Stream.keyed("check"), (0,), folder)
    rules = suite.rules if limits is None else suite.rules.model_copy(update={"limits": _merged(suite, limits)})
    if look is not None:
        rules = rules.model_copy(update={"stopping": "anytime"})
    _check_cost(rules, system, parsed, kind)
    chosen = choose_families(suite, folder, only)
    require_evidenced(suite, {reference: family.spec for reference, family in chosen.runs.items()})
    families = [freeze_family(reference, family, suite) for reference, family in chosen.runs.items()]
    _check_names(families)
    require_tool_calling(system, suite, kind, families)
    require_own_families(families)
    _check_knobs(suite, families)
    _check_entries(suite, families)
    _check_supply(suite, chosen.runs, scale)
    moment = dated(suite, timestamp)
    source = None if kind.source is None else kind.source(parsed, context)
    frozen = FrozenRun(
        suite=suite,
        rules=rules,
        system=system,
        agent=agent,
        agent_source=source,
        seed=parse_seed(str(seed)),
        timestamp=format_timestamp(moment),
        bench=require_bench(),
        families=tuple(families),
        scale=scale,
        only=tuple(sorted(set(only))),
        scope=None if scope is None else narrow_to_scope(scope, suite, chosen.runs, scale),
        look=look,
        skipped=chosen.skipped,
        left_out=chosen.left_out,
        uses=measure_uses(suite, chosen.runs),
        agent_identity=identify_agent(parsed, kind, context),
        companion_source=companion_source(system, agent, source, folder),
        evaluation=evaluation,
        preregistration=preregistration,
        **baseline_facts(suite, kind, context),
    )
    require_intensities(frozen)
    if kind.check is not None:
        kind.check(parsed, context)
    if kind.check_conditions is not None:
        used = {name for entry in suite.entries if entry.family in chosen.runs for name in entry.conditions}
        kind.check_conditions(parsed, [one for name, one in suite.all_conditions.items() if name in used])
    return frozen


def dated(suite: Suite, timestamp: str | None) -> datetime:
    """The logical time of a run: the one given, the suite's own, or the beginning of the day it is made on."""
    if timestamp is not None or suite.epoch != TODAY:
        return parse_timestamp(timestamp or suite.epoch)
    return parse_timestamp(wall_clock()[:10])


def freeze_family(reference: str, family: Family, suite: Suite) -> FrozenFamily:
    """A family with its probe and the tools of its world."""
    place = Place()
    knobs = {name: knob.default for name, knob in family.spec.knobs.items()}
    try:
        instance = family.instance(Draw.of("freeze", **knobs))
        _check_hidden(reference, family, instance)
        world = family.world(instance, place)
        try:
            actions = tuple(msgspec.to_builtins(tool.spec) for tool in world.tools.values())
        finally:
            world.close()
    except InputError:
        raise
    except Exception as error:
        said = with_place(f"{type(error).__name__}: {error}", error)
        message = f"family '{reference}': its world cannot be built ({said}); run `proctor check {reference}`"
        raise InputError(message) from error
    finally:
        place.close()
    return FrozenFamily(
        reference=reference, spec=family.spec, probe=probe_of(reference, family, suite), actions=actions
    )


def _check_hidden(reference: str, family: Family, instance: Instance) -> None:
    """A field that is hidden cannot be one that agents are declared to see."""
    shown = family.spec.observation_schema.get("properties", {}).keys() - instance.observation.keys()
    hidden = sorted(shown & instance.hidden.keys())
    if hidden:
        message = (
            f"family '{reference}': its observation schema declares {', '.join(hidden)}, which its instances hide; "
            "take it out of the schema, or show it"
        )
        raise InputError(message)


def _check_cost(rules: Rules, system: System, agent: AgentString, kind: AgentKind) -> None:
    limits = rules.limits
    if (limits.run_cost is None and limits.episode_cost is None) or system.price_per_million_tokens is not None:
        return
    asked = [model.label for model in system.models] if kind.model is None else [kind.model(agent)]
    unknown = [model for model in asked if model is None or price_of(model, system) is None]
    if unknown or not asked:
        of = f" of {unknown[0]}" if unknown and unknown[0] is not None else ""
        message = (
            f"a cost limit needs a price{of}: set system.prices or system.price_per_million_tokens in proctor.yaml, or "
            "drop the limit"
        )
        raise InputError(message)


def _merged(suite: Suite, limits: Limits) -> Limits:
    """The suite's limits, replaced where the project states one."""
    stated = {name: value for name, value in limits if value is not None}
    return suite.rules.limits.model_copy(update=stated)


def _check_names(families: list[FrozenFamily]) -> None:
    """Streams, arms and the configuration hash tell families apart by name."""
    seen: dict[str, FrozenFamily] = {}
    for family in families:
        other = seen.setdefault(family.spec.full_name, family)
        if other.behaviour != family.behaviour:
            both = f"'{other.reference}' and '{family.reference}'"
            message = f"{both} are different families of the same name, {family.spec.full_name}; rename one"
            raise InputError(message)


def _check_knobs(suite: Suite, families: list[FrozenFamily]) -> None:
    """A misspelt knob would leave the difficulty as it was, and nobody would notice; a value nobody checked may too."""
    known = {family.reference: family.spec.knobs for family in families}
    for entry in suite.entries:
        if entry.family not in known:
            continue
        declared = known[entry.family]
        for name, value in [*entry.knobs.items(), *(one for step in entry.program for one in step.knobs.items())]:
            if name not in declared:
                there = ", ".join(declared) or "none"
                message = f"family '{entry.family}' has no knob '{name}'; there are: {there}"
                raise InputError(message)
            if value not in declared[name].values:
                there = ", ".join(map(repr, declared[name].values))
                message = f"knob '{name}' of family '{entry.family}' cannot be {value!r}; it takes {there}"
                raise InputError(message)


def _check_entries(suite: Suite, families: list[FrozenFamily]) -> None:
    """The same instances listed twice would count as twice the evidence."""
    names = {family.reference: family.spec.full_name for family in families}
    listed = [entry for entry in suite.entries if entry.family in names]
    for one, two in combinations(listed, 2):
        # What is taken of an entry may differ, and how its family is written; the rest says what it is.
        taken = {name: getattr(one, name) for name in ("n", "first", "regimes", "conditions", "family")}
        alike = names[one.family] == names[two.family] and two.model_copy(update=taken) == one
        overlap = one.first < two.first + two.n and two.first < one.first + one.n
        shared = [name for name in one.regimes if name in two.regimes]
        if alike and overlap and shared and set(one.conditions) & set(two.conditions):
            message = (
                f"family '{two.family}' is listed twice under '{shared[0]}': the same instances would be counted "
                "twice; list it once, with a larger n, or take other instances with `first`"
            )
            raise InputError(message)


def _check_supply(suite: Suite, families: dict[str, Family], scale: int) -> None:
    """A file has so many instances and no more (`supply`): asked for more, it would give the same ones again."""
    for entry in suite.entries:
        family = families.get(entry.family)
        supply = None if family is None else supply_of(family)
        if family is not None and supply is not None and scale > 1 and entry.first + entry.n * scale > supply:
            message = (
                f"--scale {scale}: the data of '{family.spec.id}' are used up by {supply} instances, and a larger "
                "sample would repeat them; leave --scale out or give more data"
            )
            raise InputError(message)


def start_run(
    store: EvidenceStore,
    frozen: FrozenRun,
    plan: Plan,
    *,
    executor: Executor,
    resume: bool = False,
    resume_name: str | None = None,
    registration: OpenRegistration | None = None,
    folder: Path | None = None,
    preflighted: Preflight | None = None,
) -> tuple[RunRecord, bool]:
    """The run to execute, and whether it is finished already.

    With `resume` the newest unfinished run of the same configuration goes on; a finished one is given back as it is;
    if there is neither, a new one starts. Refused, with the difference named: a run named with another configuration,
    and an unfinished run of the same suite and agent whose configuration has changed since. Before a new run an agent
    that is not built in lives a trial task, unless it has (`preflighted`); only then is a start against a
    preregistration logged there, and anything written.
    """
    if resume_name is not None:
        record = store.run(resume_name)
        before = store.frozen(record.number)
        if record.config_hash != frozen.config_hash or _claim(before) != _claim(frozen):
            raise InputError(explain_difference(record.name, before, frozen))
        return record, record.root is not None
    if resume:
        same = [run for run in store.runs() if run.config_hash == frozen.config_hash]
        if same:
            unfinished = [run for run in same if run.root is None]
            record = (unfinished or same)[-1]
            before = store.frozen(record.number)
            if record.root is None and _claim(before) != _claim(frozen):
                raise InputError(explain_difference(record.name, before, frozen))
            return record, record.root is not None
        suite_name = frozen.suite.name
        others = [
            r
            for r in store.runs()
            if r.root is None and (r.suite.partition("@")[0], r.agent) == (suite_name, frozen.agent)
        ]
        if others:
            raise InputError(explain_difference(others[-1].name, store.frozen(others[-1].number), frozen))
    if preflighted is None:
        preflighted = preflight(frozen, folder or Path())
    name = run_name(frozen)
    execution = {
        "run": name,
        "code_version": version("proctor"),
        "label": label_of(frozen.agent),
        "executor": executor.name,
        "workers": executor.workers,
        "concurrency": _waiting_at_once(frozen, executor),
        "started": [],
        SOURCES: [],
        SOURCES_AT_END: [],
        "finished": None,
    }
    if preflighted.result != "not needed":
        execution["preflight"] = preflighted.facts()
    if (files := agent_files(frozen, folder or Path())) is not None:
        execution[AGENT_FILES] = files
    if (beside := beside_hash(frozen.model_dump(mode="json"))) is not None:
        execution[BESIDE_HASH] = beside
    if registration is not None:
        execution[REGISTRATION] = registration.started(name, frozen)
    store.add_run(name, frozen, plan.arms, plan.episodes, execution)
    return store.run(name), False


def execute(
    store: EvidenceStore,
    record: RunRecord,
    frozen: FrozenRun,
    plan: Plan,
    *,
    folder: Path,
    executor: Executor,
    progress: Progress,
    on_batch: Callable[[Batch], None] | None = None,
    registration: OpenRegistration | None = None,
) -> BatchResult:
    """Live what is missing of a run and write its digests. Refuses a run that another process executes."""
    with _claim_of(store, record):
        if store.run(record.name).root is not None:
            message = f"{record.name} was finished by another process meanwhile; `proctor show {record.name}` shows it"
            raise InputError(message)
        return _execute(store, record, frozen, plan, folder, executor, progress, on_batch, registration)


def _claim_of(store: EvidenceStore, record: RunRecord) -> AbstractContextManager[None]:
    return store.claim(record.number, record.name) if claims_runs(store) else nullcontext()


def _execute(
    store: EvidenceStore,
    record: RunRecord,
    frozen: FrozenRun,
    plan: Plan,
    folder: Path,
    executor: Executor,
    progress: Progress,
    on_batch: Callable[[Batch], None] | None,
    registration: OpenRegistration | None,
) -> BatchResult:
    execution = dict(record.execution)
    for name in ("started", SOURCES, SOURCES_AT_END, "begins"):
        if not isinstance(execution.get(name, []), list):
            raise IntegrityError(f"its {name} is no list; start anew without --resume", where=f"run {record.name}")
    if registration is not None and execution.get("started"):
        registration.resumed(record.name)
    execution |= {"executor": executor.name, "workers": executor.workers}
    execution["concurrency"] = _waiting_at_once(frozen, executor)
    execution["started"] = [*execution.get("started", []), wall_clock()]
    execution[SOURCES] = [*execution.get(SOURCES, []), sources_of(frozen, folder)]
    execution["begins"] = [*execution.get("begins", []), store.count(record.number)]
    # Before the first episode: whoever is killed still leaves on record which code was at work.
    store.update_run(record.number, execution=execution)
    batch = Batch(
        store=store, run=record.number, frozen=frozen, plan=plan, folder=folder, executor=executor, progress=progress
    )
    if on_batch is not None:
        on_batch(batch)
    try:
        ended = batch.execute()
    except BaseException:
        store.update_run(record.number, status="interrupted", execution=execution)
        raise
    if ended.usage is not None:
        execution[USAGE] = msgspec.to_builtins(ended.usage)
    execution[SOURCES_AT_END] = [*execution.get(SOURCES_AT_END, []), _now(execution[SOURCES][-1], frozen, folder)]
    if ended.root is None or ended.real_time is None:
        store.update_run(record.number, status=ended.status, execution=execution)
        return ended
    # A clock may have been set back meanwhile, and nothing ends before it begins.
    execution["finished"] = max(wall_clock(), *execution["started"])
    seal = run_seal(ended.root, execution, ended.real_time)
    store.update_run(record.number, status=ended.status, execution=execution, root=ended.root, seal=seal, cut=ended.cut)
    if registration is not None:
        registration.finished(record.name, ended.root)
    return ended


def agent_files(frozen: FrozenRun, folder: Path) -> list[list[Any]] | None:
    """The agent's files one by one, as they are now; None where they cannot be told apart, or are too many to keep."""
    agent = AgentString.parse(frozen.agent)
    kind = kind_of(agent)
    if kind.files is None:
        return None
    files = kind.files(agent, AgentContext(frozen.system, Stream.keyed("check"), (0,), folder))
    return files if files is not None and len(by_name(files)) <= MOST_FILES else None


def sources_of(frozen: FrozenRun, folder: Path) -> dict[str, str]:
    """The digest of every package, and of every file of the user's, whose code takes part in a run."""
    agent = registry.module_of("agents", AgentString.parse(frozen.agent).kind).partition(".")[0]
    digests = {package: package_digest(package) for package in {OWN, agent, *registry.loaded_packages()} - {""}}
    for family in frozen.families:
        package = origin_of(family.reference).package
        if package:
            digests[package] = package_digest(package)
    own = files_behind(_references(frozen), frozen.suite.full_name, folder)
    return dict(sorted((digests | own).items()))


def _now(began: dict[str, str], frozen: FrozenRun, folder: Path) -> dict[str, str]:
    """The digests that the files of the user's have now which a run began with; `gone` for one that is not there."""
    now = files_now(_references(frozen), frozen.suite.full_name, folder)
    return {name: now.get(name, GONE) for name in began if name.endswith(".py")}


def _references(frozen: FrozenRun) -> list[str]:
    return [family.reference for family in frozen.families]


def _claim(frozen: FrozenRun) -> tuple[Evaluation | None, str | None]:
    """What must be the same for a run to go on, though it determines nothing that happens in it."""
    return frozen.evaluation, frozen.preregistration


def _waiting_at_once(frozen: FrozenRun, executor: Executor) -> int:
    """How many agents wait at once in each worker: those that compute here never wait, and take turns."""
    return executor.concurrency if kind_of(AgentString.parse(frozen.agent)).waits else 1


_SHOWN: Final = 80
"""Characters of a suite's name, and of an agent's kind, in the name of a run: it becomes the name of a file."""


def run_name(frozen: FrozenRun) -> str:
    """A short name, unique across stores: suite, agent kind, a few random digits that mean nothing."""
    about = f"{frozen.suite.name[:_SHOWN]}-{AgentString.parse(frozen.agent).kind[:_SHOWN]}"
    return f"{about}-{os.urandom(3).hex()}"


def explain_difference(name: str, old: FrozenRun, new: FrozenRun) -> str:
    """One sentence on what changed between a run and what is asked for now."""
    changes: list[str] = []
    fields: dict[str, tuple[Any, Any]] = {
        "suite": (old.suite.full_name, new.suite.full_name),
        "agent": (old.agent, new.agent),
        "seed": (old.seed, new.seed),
        "timestamp": (old.timestamp, new.timestamp),
        "scale": (old.scale, new.scale),
        "only": (list(old.only), list(new.only)),
        "scope": (old.scope and old.scope.words, new.scope and new.scope.words),
    }
    for field, (before, after) in fields.items():
        if before != after:
            changes.append(f"{field} was {before!r} and is now {after!r}")
    if old.agent == new.agent and old.agent_source != new.agent_source:
        what = "interpreter or packages" if old.agent_identity != new.agent_identity else "files"
        changes.append(f"the agent's {what} changed")
    if old.suite != new.suite and old.suite.full_name == new.suite.full_name:
        changes.append("the suite's content changed under the same version")
    if old.system != new.system and old.agent == new.agent:
        changes.append("the system declaration changed")
    if old.rules != new.rules:
        changes.append("the rules changed")
    before_hashes = {f.spec.full_name: f.behaviour for f in old.families}
    for family in new.families:
        if before_hashes.get(family.spec.full_name, family.behaviour) != family.behaviour:
            changes.append(f"family {family.spec.full_name} behaves differently")
    for what, before_run, now in (
        ("preregistration", old.preregistration, new.preregistration),
        ("evaluation", old.evaluation, new.evaluation),
    ):
        if before_run != now:
            changes.append(f"its {what} is another one")
    if old.bench != new.bench:
        changes.append(f"the bench was version {old.bench or 'unknown'} and is now {new.bench}")
    if set(before_hashes) != {f.spec.full_name for f in new.families}:
        there, here = sorted(before_hashes), sorted(f.spec.full_name for f in new.families)
        changes.append(f"its families were {', '.join(there)} and are now {', '.join(here)}")
    what = "; ".join(changes) or "the configuration hash differs"
    return f"cannot resume {name}: {what}; repeat the original arguments, or start anew without --resume"
