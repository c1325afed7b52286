"""What a run prints before it starts and after it ended: failures first, numbers with their conditions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from proctor.cli.output import table
from proctor.core.errors import InputError

if TYPE_CHECKING:
    from proctor.agents.kind import AgentKind
    from proctor.engine.plan import Plan
    from proctor.evidence.evidence import Evidence
    from proctor.evidence.result import RunResult
    from proctor.spec.frozen import FrozenRun


def plan_text(name: str, frozen: FrozenRun, plan: Plan, done: int) -> str:
    """What the run will do, cost and detect."""
    arms = plan.summary()
    families = len({arm["family"] for arm in arms})
    counted = "1 family" if families == 1 else f"{families} families"
    regimes = sorted({arm["regime"] for arm in arms})
    smallest = min(arm["episodes"] for arm in arms)
    lines = [
        f"run       {name}",
        f"suite     {frozen.suite.full_name}: {counted}, regimes {', '.join(regimes)}",
        f"agent     {frozen.agent}",
        f"episodes  {plan.episodes}" + (f", {done} already done" if done else ""),
        f"seed      {_seed(frozen)}, logical time {frozen.timestamp}",
        f"cost      {_cost(frozen)}",
        *_real_time(frozen),
        f"detects   {_detects(smallest)}",
    ]
    if frozen.scope is not None:
        lines.insert(2, f"scope     {frozen.scope.sentence}")
    lines += [f"skipped   {family}: {why}" for family, why in frozen.skipped.items()]
    return "\n".join(lines)


def _seed(frozen: FrozenRun) -> str:
    if isinstance(frozen.seed, int):
        return f"{frozen.seed} (public: anyone with the package can regenerate these tasks)"
    # Who started it against a preregistration has shown that the seed is the one committed to.
    return "hidden" if frozen.preregistration is not None else "64 hex digits, not committed to beforehand"


def _cost(frozen: FrozenRun) -> str:
    limits = frozen.rules.limits
    if limits.run_cost is not None:
        return f"at most {limits.run_cost}"
    if frozen.system.models and not _kind(frozen).trusted:
        from proctor.spec.own_models import proxied_words

        return f"no cost limit; {proxied_words(model.label for model in frozen.system.models)}"
    return "no cost limit; model calls, if any, are the agent's own"


def _kind(frozen: FrozenRun) -> AgentKind:
    from proctor.agents.kind import AgentString
    from proctor.agents.lookup import kind_of

    return kind_of(AgentString.parse(frozen.agent))


def _real_time(frozen: FrozenRun) -> list[str]:
    """The safety net, where an agent can meet it: built-in agents that never wait cannot."""
    kind = _kind(frozen)
    if kind.trusted and not kind.waits:
        return []
    return [f"real time at most {frozen.rules.limits.net_seconds:g} s an episode; what it is shown is logical time"]


def _detects(n: int) -> str:
    from proctor.stats.power import detectable_difference

    difference = detectable_difference(n, n, 0.7, direction="below", alternative="greater", power=0.8)
    if difference.estimate is None:
        return f"too few episodes a cell ({n}) to detect any drop from 70 %"
    return f"a drop from 70 % by {100 * difference.estimate:.0f} points in the smallest cell (n = {n}, power 80 %)"


def summary_text(result: RunResult, evidence: Evidence, *, shown: bool = False) -> str:
    """The end of a run, for people; `shown` where `proctor show` prints it, which then need not be proposed."""
    from proctor.evidence.replies import cut_off

    warning = "" if result.root else "This run is not finished: what is below is of what is there so far."
    parts = [
        _nothing(result),
        cut_off(evidence.rows).sentence,
        _failures(evidence),
        warning,
        _summed_up(evidence, result.store),
        _tail(result, shown=shown),
    ]
    return "\n\n".join(part for part in parts if part)


def _nothing(result: RunResult) -> str:
    """The first line where the run stopped, or measured nothing, because something that was needed did not answer."""
    from proctor.evidence.row import INFRASTRUCTURE

    if not result.reason:
        return ""
    if 0 < result.outcomes.get(INFRASTRUCTURE, 0) == result.episodes:
        return f"Nothing was measured: {result.reason}"
    return f"The run stopped: {result.reason}" if result.status == "failed" else ""


def _summed_up(evidence: Evidence, store: str) -> str:
    """The reading of what the run is about: of the instruments that say it is theirs, the first with a result."""
    from proctor.pipeline.reading import instrument_for, read_with, summary_instruments
    from proctor.reports.section import invalid_text, section_for

    chosen = summary_instruments(evidence)
    notes = list(chosen.broken)
    for name in chosen.names:
        try:
            reading = read_with(name, instrument_for(name, evidence, store=store), evidence)
        except InputError as error:
            # The run stands; what is wrong with rules, records or a plug-in is said, and by `score` again.
            notes.append(f"{name.capitalize()} cannot be read: {error}")
            continue
        text = section_for(reading).summary(reading, evidence) or invalid_text(reading)
        if text:
            notes.insert(0, text)
            break
    return "\n\n".join(notes)


def _failures(evidence: Evidence) -> str:
    """Which failures happened, most frequent first, with an episode to look at."""
    from proctor.evidence.arms import knobs_apart

    apart = knobs_apart(evidence)
    counts: Counter[tuple[str, str, str]] = Counter()
    example: dict[tuple[str, str, str], int] = {}
    for row in evidence.rows:
        if row.outcome != "success":
            family = evidence.arms[row.arm].family + (f" / {apart[row.arm]}" if row.arm in apart else "")
            key = (family, row.outcome, row.reason)
            counts[key] += 1
            example.setdefault(key, row.position)
    if not counts:
        return ""
    shown = {key: "proctor show {} {}".format(*evidence.locate(position)) for key, position in example.items()}
    rows = [
        [str(number), family, outcome, reason, shown[family, outcome, reason]]
        for (family, outcome, reason), number in counts.most_common(12)
    ]
    more = f"\n… and {len(counts) - 12} further kinds" if len(counts) > 12 else ""
    return "Failures\n" + table(["n", "family", "outcome", "reason", "for example"], rows, right=(0,)) + more


def _tail(result: RunResult, *, shown: bool) -> str:
    lines = []
    if result.label:
        lines.append(f"note         {result.label}")
    if result.status != "complete":
        lines.append(f"status       {result.status}{': ' + result.reason if result.reason else ''}")
    if result.timing_dependent:
        lines.append(f"timing       {result.timing_dependent} episodes were ended by real time: the root depends on it")
    if result.scope is not None:
        lines.append(f"scope        {result.scope}")
    if result.usage is not None:
        lines.append(f"tokens       {result.usage.token_words}")
        if result.usage.cost_words is not None:
            lines.append(f"cost         {result.usage.cost_words}")
    lines += [
        f"run          {result.run} ({result.episodes} episode{'' if result.episodes == 1 else 's'})",
        f"config hash  {result.config_hash}",
        f"root         {result.root or 'available when the run is finished'}",
        f"store        {result.store}",
        "",
    ]
    if result.root is None:
        lines.append(f"next: the same command with --resume {result.run} continues from here; nothing is lost")
    else:
        show = [] if shown else [f"proctor show {result.run}"]
        export = f"proctor export {result.run} -o {result.run}.proctor"
        lines.append("next: " + " · ".join([f"proctor report {result.run}", *show, export]))
    return "\n".join(lines)
