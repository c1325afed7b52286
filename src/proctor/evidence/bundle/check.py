"""The checks of a run, the same for a bundle and for a store: fed episode by episode, finished once.

Every head is computed again from the events, every row compared with them, and `root` and `seal` are built up on the
way, so that memory does not grow with the run. Where traces were not recorded, heads are taken from the rows, and what
could not be checked is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, structs

from proctor.core.canonical import canonical, encode
from proctor.core.hashing import sha256_hex
from proctor.evidence.bundle import report
from proctor.evidence.bundle.declared import Declared, DeclaredArm, Order, misordered_columns
from proctor.evidence.bundle.digests import digest_bytes
from proctor.evidence.bundle.ending import Ending
from proctor.evidence.bundle.match import differences
from proctor.evidence.bundle.report import Findings, short_text
from proctor.evidence.bundle.settings import Settings
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.chain import Merkle, RealTime, seal_over
from proctor.evidence.code import begins_of, codes_of
from proctor.evidence.execution import execution_problems
from proctor.evidence.first_tries import first_try
from proctor.evidence.grammar.exclusions import MemoryLost
from proctor.evidence.grammar.lifetime import HandedOn
from proctor.evidence.grammar.tasks import Tasks, task_problems
from proctor.evidence.grammar.tries import SecondTries, try_problems
from proctor.evidence.measures import measures_problem
from proctor.evidence.provenance import BESIDE_HASH
from proctor.evidence.registration import evidence_problems
from proctor.evidence.row import Arm, Row, counts_columns
from proctor.evidence.stages import StageFold
from proctor.evidence.store.contract import StoredStage
from proctor.evidence.usage import UsageMeter
from proctor.spec.frozen import beside_hash
from proctor.spec.inputs import altered_inputs

UNRECORDED = (
    "traces were not recorded (recordTraces: false): neither heads nor rows could be compared with events, so a row "
    "that was edited would not be found"
)


class Claims(Struct, frozen=True):
    """What the evidence says about itself, to be checked."""

    run: str
    suite: str
    agent: str
    config_hash: str
    root: str
    seal: str
    status: str
    cut: int | None
    episodes: int
    """Planned."""
    stored: int | None
    """None where nothing says how many episodes there are."""
    execution: Any


class RunCheck:
    """Checks one run. `claims` and `declared` must be of the same run; `content` says whether a digest is there, and
    `tools` gives the bytes of one that can be a list of tools."""

    def __init__(
        self,
        findings: Findings,
        claims: Claims,
        declared: Declared,
        stages: list[StoredStage],
        content: Callable[[bytes], bool],
        tools: Callable[[str], bytes | None],
        order: Order | None = None,
        tasks: Tasks | None = None,
    ) -> None:
        self._findings = findings
        self._claims = claims
        self._declared = declared
        self._stages = {stage.stage: stage for stage in stages}
        self._content = content
        self._order = order
        self._tasks = tasks
        self._made_again = 0
        self._settings = Settings(declared, tools)
        self._handed_on = HandedOn()
        self._memory_lost = MemoryLost()
        self._second_tries = SecondTries()
        self._traced = declared.frozen.rules.record_traces
        self._counted_columns = counts_columns(declared.frozen.bench)
        findings.unchecked = "" if self._traced else UNRECORDED
        self._counted = claims.episodes if claims.cut is None else claims.cut
        self._next = 0
        self.stored = 0
        self.outcomes: dict[str, int] = {}
        self._by_arm = [0] * len(declared.arms)
        frozen = {stage.id: stage.freeze for stage in declared.frozen.suite.stages}
        self._folds = {name: StageFold(frozen.get(name, "nothing")) for name in self._stages}
        self._withheld = 0
        self._ending = Ending(declared.frozen.rules, declared.frozen.system.price_per_million_tokens)
        self._root = Merkle()
        self._root.add(digest_bytes(claims.config_hash))
        self._real_time = RealTime()
        self._usage = UsageMeter()

    def configuration(self, arms: list[Arm], inputs: Any) -> None:
        """The claims agree with the declarations, and the declarations with each other."""
        claims, declared = self._claims, self._declared
        frozen = declared.frozen
        self._findings.recorded_by = codes_of(claims.execution)
        self._findings.begins = begins_of(claims.execution)
        self._findings.bench = frozen.bench
        named = claims.execution.get("run") if isinstance(claims.execution, dict) else None
        for what, says, follows in (
            ("config_hash", claims.config_hash, declared.config_hash),
            ("suite", claims.suite, frozen.suite.full_name),
            ("agent", claims.agent, frozen.agent),
            ("run", claims.run, named),
            ("episodes", claims.episodes, declared.episodes),
        ):
            if says != follows:
                message = f"it says {short_text(says, 80)}; from what was frozen follows {short_text(follows, 80)}"
                self._findings.problem(report.CONFIGURATION, what, message)
        stated = claims.execution.get(BESIDE_HASH) if isinstance(claims.execution, dict) else None
        if beside_hash(declared.raw) != stated:
            message = "who evaluates, the agent's identity or the preregistration is not what the execution states"
            self._findings.problem(report.CONFIGURATION, "evaluation", message)
        for problem in evidence_problems(frozen, claims.execution):
            self._findings.problem(report.CONFIGURATION, "preregistration", problem)
        if arms != [arm.arm for arm in declared.arms]:
            self._findings.problem(report.CONFIGURATION, "arms", "they are not those that the suite declares")
        detail = f"config_hash {claims.config_hash[:12]}, {len(arms)} arms"
        if foreign := declared.foreign_key:
            message = f"{short_text(foreign, 120)} is missing, or is not written so by any Proctor that this one reads"
            self._findings.problem(report.CONFIGURATION, "declarations", message)
        for family in frozen.families:
            if not family.identified(frozen.bench):
                message = f"nothing says what {short_text(family.spec.full_name)} does (its probe)"
                self._findings.problem(report.CONFIGURATION, "families", message)
        for name, fields in ({} if self._tasks is None else self._tasks.altered).items():
            message = f"{name} is declared otherwise than the family of this name is here ({short_text(fields)})"
            self._findings.problem(report.CONFIGURATION, "families", message)
        if altered := altered_inputs(inputs, frozen):
            message = f"{', '.join(map(short_text, altered))} do not follow from the frozen declarations"
            self._findings.problem(report.CONFIGURATION, "inputs", message)
        self._findings.done(report.CONFIGURATION, detail)

    def episode(self, row: Row | None, trace: Trace | None) -> None:
        """Take the next episode; either half may be missing, which is a problem."""
        known = row or trace
        if known is None:
            return
        self._position(known.position)
        if row is not None:
            self.stored += 1
            if 0 <= row.arm < len(self._by_arm):
                self._by_arm[row.arm] += 1
        if row is not None and not self._traced:
            self._placed(row)
            self._fold(row, None)
            self._count(row, row.head, row.aside)
            return
        if row is None or trace is None:
            missing = "its row is missing" if row is None else "its events are missing or cannot be read"
            self._findings.problem(report.ROWS, f"episode {known.position}", missing)
            return
        if trace.trouble is not None:
            self._findings.problem(report.HEADS, f"episode {row.position}", trace.trouble)
        if trace.head != row.head:
            message = f"its events have the head {trace.head.hex()[:12]}…, its row says {row.head.hex()[:12]}…"
            self._findings.problem(report.HEADS, f"episode {row.position}", message)
        self._match(row, trace)
        self._fold(row, trace)
        self._refer(trace)
        self._count(row, trace.head, trace.unreproducible)

    def _count(self, row: Row, head: bytes, aside: bytes | None) -> None:
        """Build up `root` and `seal`."""
        if row.position < self._counted:
            self._root.add(head)
            self.outcomes[row.outcome] = self.outcomes.get(row.outcome, 0) + 1
            stage = self._declared.arms[row.arm].arm.stage if 0 <= row.arm < len(self._declared.arms) else ""
            self._ending.add(row, stage)
        self._real_time.add(head, row.elapsed_us, row.attempts, row.tokens, row.cost, aside)
        self._usage.add(row if row.aside is aside else structs.replace(row, aside=aside))

    def _position(self, position: int) -> None:
        """Every position that counts is there, in order; beyond the cut there may be gaps."""
        if position < self._next or position >= self._claims.episodes:
            message = "it is duplicated, out of order, or beyond the plan"
            self._findings.problem(report.POSITIONS, f"episode {position}", message)
            return
        self._missing(min(position, self._counted))
        self._next = position + 1

    def _missing(self, stop: int) -> None:
        if self._next < stop:
            one = self._next + 1 == stop
            where = f"episode {self._next}" if one else f"episodes {self._next} to {stop - 1}"
            self._findings.problem(report.POSITIONS, where, "missing")

    def _match(self, row: Row, trace: Trace) -> None:
        """The row says what its events say."""
        if self._placed(row):
            arm = self._declared.arms[row.arm]
            for column, says, happened in differences(row, trace, arm, counted=self._counted_columns):
                if column != "head":
                    self._differs(row, column, says, f"its events say {short_text(happened)}")
            for problem in self._contradictions(row, trace, arm):
                self._findings.problem(report.TRACES, f"episode {row.position}", problem)

    def _contradictions(self, row: Row, trace: Trace, arm: DeclaredArm) -> Iterator[str]:
        """What no episode could have recorded, whatever its digests say."""
        step = row.position - row.lifetime
        if not 0 <= step < len(arm.steps):
            return
        opened = trace.opened
        if (
            opened is not None
            and self._settings.effects(opened.tools) is None
            and self._content(digest_bytes(opened.tools))
        ):
            yield "the tools it names are none that an agent could have been shown"
        setting = self._settings.of(arm, step, opened)
        yield from trace.grammar.problems(setting)
        yield from trace.grammar.caps.spent(row.tokens, row.cost)
        yield from trace.grammar.exclusions.beside(row, setting)
        if setting.counted:
            yield from try_problems(row, trace.unreproducible, trace.grammar.opening, setting)
            yield from self._second_tries.add(row, trace.unreproducible, arm.arm.stage, began=opened is not None)
        if said := measures_problem(row):
            yield said
        again = first_try(trace.unreproducible) is not None
        yield from self._memory_lost.add(row, arm.memory_before(step), again=again)
        yield from self._handed_on.add(row, trace.grammar.opening, began=opened is not None, again=again)
        made = None if self._tasks is None else self._tasks.at(row.position)
        if made is not None:
            self._made_again += 1
            yield from task_problems(row, opened, made)

    def _placed(self, row: Row) -> bool:
        """The row is one that the declarations ask for; whether it has an arm at all."""
        if not 0 <= row.arm < len(self._declared.arms):
            self._findings.problem(report.ROWS, f"episode {row.position}, column arm", f"there is no arm {row.arm}")
            return False
        declared = self._declared.arms[row.arm]
        for column, says, stated in declared.misplaced_columns(row):
            self._differs(row, column, says, f"declared is {short_text(stated)}")
        if self._order is not None:
            for column, says, stated in misordered_columns(row, self._order):
                self._differs(row, column, says, f"the order of presentation gives {short_text(stated)}")
        return True

    def _fold(self, row: Row, trace: Trace | None) -> None:
        """Work out once more what the stage of this episode froze."""
        if not 0 <= row.arm < len(self._declared.arms):
            return
        arm = self._declared.arms[row.arm].arm
        fold = self._folds.get(arm.stage)
        if fold is not None:
            told = {} if trace is None else {"submitted": trace.submitted, "written": trace.written}
            fold.add(arm, row, **told)

    def _differs(self, row: Row, column: str, says: object, other: str) -> None:
        where = f"episode {row.position}, column {column}"
        self._findings.problem(report.ROWS, where, f"the row says {short_text(says)}, {other}")

    def _refer(self, trace: Trace) -> None:
        """Everything that events name by its digest is there."""
        for reference in trace.references:
            digest = digest_bytes(reference.sha256)
            if digest and self._content(digest):
                continue
            if reference.required or not digest:
                message = f"episode {trace.position} refers to it, but it is missing"
                place = f"content {short_text(reference.sha256, 24)}"
                self._findings.problem(report.CONTENTS, place, message, missing=bool(digest))
            else:
                self._withheld += 1
        for stage, output in trace.stages:
            if stage not in self._stages or self._stages[stage].sha256 != output:
                message = f"episode {trace.position} read a different output of this stage"
                self._findings.problem(report.STAGES, f"stage {short_text(stage)}", message)

    def finish(self, contents: int) -> None:
        """Everything was fed."""
        self._missing(self._counted)
        claims, findings = self._claims, self._findings
        if claims.stored is not None and claims.stored != self.stored:
            message = f"{self.stored} can be read, {claims.stored} are claimed"
            findings.problem(report.POSITIONS, "episodes", message)
        self._check_arms()
        self._check_stages()
        self._check_ending()
        self._check_second_tries()
        self._check_execution()
        root = self._root.digest().hex()
        execution = _canonical_or_nothing(claims.execution)
        seal = seal_over(digest_bytes(claims.root), execution, self._real_time.digest())
        if root != claims.root:
            findings.problem(report.ROOT, "root", f"the episodes give {root}, claimed is {short_text(claims.root, 80)}")
        if seal != claims.seal:
            message = f"execution and episodes give {seal}, claimed is {short_text(claims.seal, 80)}"
            findings.problem(report.SEAL, "seal", message)
        findings.withheld = self._withheld
        withheld = f", {self._withheld} artifacts known by their hash alone" if self._withheld else ""
        planned = "" if self._order is None else ", in the order given by the seed"
        if self._traced:
            findings.done(report.HEADS, f"{self.stored} heads computed again from their events")
            again = f"; {self._made_again} tasks made again from family and seed" if self._made_again else ""
            findings.done(report.TRACES, f"{self.stored} are such as an episode leaves{again}")
            findings.done(report.ROWS, f"{self.stored} rows agree with events and declarations{planned}")
        else:
            findings.done(report.HEADS, f"{self.stored} heads taken from their rows: events were not recorded")
            findings.done(report.TRACES, "none: events were not recorded")
            findings.done(report.ROWS, f"{self.stored} rows agree with declarations{planned}; there are no events")
        findings.done(report.CONTENTS, f"{contents} values{withheld}")
        findings.done(report.POSITIONS, f"0 to {self._counted - 1}, {self.stored} stored")
        findings.done(report.ROOT, claims.root)
        findings.done(report.SEAL, claims.seal)

    def _check_arms(self) -> None:
        if self._claims.cut is None:
            for arm, count in zip(self._declared.arms, self._by_arm, strict=True):
                if count != arm.episodes:
                    message = f"has {count} episodes where {arm.episodes} are declared"
                    self._findings.problem(report.ROWS, f"arm {arm.arm.index}", message)

    def _check_stages(self) -> None:
        for name, stage in self._stages.items():
            where = f"stage {short_text(name)}"
            if self._folds[name].kind == "nothing":
                self._findings.problem(report.STAGES, where, "the suite does not freeze its output")
            elif sha256_hex(stage.data.encode()) != stage.sha256:
                self._findings.problem(report.STAGES, where, "its output does not have the SHA-256 it states")
            elif encode(self._folds[name].output).decode() != stage.data:
                self._findings.problem(report.STAGES, where, "its output is not what its episodes give")
        self._findings.done(report.STAGES, f"{len(self._stages)} frozen outputs")

    def _check_second_tries(self) -> None:
        for position, problem in self._second_tries.problems(self._ending.stage):
            self._findings.problem(report.TRACES, f"episode {position}", problem)

    def _check_execution(self) -> None:
        facts, bench = self._claims.execution, self._declared.frozen.bench
        died = self._second_tries.died
        for problem in execution_problems(facts, bench, stored=self.stored, usage=self._usage.total(), died=died):
            self._findings.problem(report.SEAL, "facts of the execution", problem)

    def _check_ending(self) -> None:
        claims = self._claims
        cut, status = self._ending.expected(claims.episodes, claims.cut)
        if (claims.cut, claims.status) != (cut, status):
            message = (
                f"it says {short_text(claims.status)}, cut {short_text(claims.cut)}; "
                f"by the rules these rows end with {status!r}, cut {cut}"
            )
            self._findings.problem(report.ENDING, "status", message)
        self._findings.done(report.ENDING, claims.status)


def pair_by_position(rows: Iterable[Row], traces: Iterable[Trace]) -> Iterator[tuple[Row | None, Trace | None]]:
    """Rows with the traces of their position; what has no partner comes alone."""
    left, right = iter(rows), iter(traces)
    row, trace = next(left, None), next(right, None)
    while row is not None or trace is not None:
        if trace is None or (row is not None and row.position < trace.position):
            yield row, None
            row = next(left, None)
        elif row is None or trace.position < row.position:
            yield None, trace
            trace = next(right, None)
        else:
            yield row, trace
            row, trace = next(left, None), next(right, None)


def _canonical_or_nothing(value: Any) -> bytes:
    try:
        return canonical(value)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return b""
