"""What a run prints before it starts and after it ended: failures first, numbers with their conditions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from proctor.cli.output import percent, table
from proctor.core.errors import InputError

if TYPE_CHECKING:
    from proctor.engine.plan import Plan
    from proctor.evidence.evidence import Evidence
    from proctor.evidence.result import RunResult
    from proctor.instruments.base import Reading, Value
    from proctor.instruments.quality.instrument import QualityReading
    from proctor.spec.frozen import FrozenRun
    from proctor.spec.scope import Narrowing

_BAR = 20


def plan_text(name: str, frozen: FrozenRun, plan: Plan, done: int) -> str:
    """What the run will do, cost and detect."""
    arms = plan.summary()
    families = sorted({arm["family"] for arm in arms})
    regimes = sorted({arm["regime"] for arm in arms})
    smallest = min(arm["episodes"] for arm in arms)
    lines = [
        f"run       {name}",
        f"suite     {frozen.suite.full_name}: {len(families)} families, regimes {', '.join(regimes)}",
        f"agent     {frozen.agent}",
        f"episodes  {plan.episodes}" + (f", {done} of them done already" if done else ""),
        f"seed      {_seed(frozen)}, logical time {frozen.timestamp}",
        f"cost      {_cost(frozen)}",
        f"detects   {_detects(smallest)}",
    ]
    if frozen.scope is not None:
        lines.insert(2, f"scope     {frozen.scope.sentence}")
    lines += [f"skipped   {family}: {why}" for family, why in frozen.skipped.items()]
    return "\n".join(lines)


def _seed(frozen: FrozenRun) -> str:
    if isinstance(frozen.seed, int):
        return f"{frozen.seed} (public: anyone with the package can regenerate these tasks)"
    return "hidden"


def _cost(frozen: FrozenRun) -> str:
    limits = frozen.rules.limits
    if limits.run_cost is not None:
        return f"at most {limits.run_cost}"
    return "no cost limit; model calls, if any, are the agent's own"


def _detects(n: int) -> str:
    from proctor.stats.power import detectable_difference

    found = detectable_difference(n, n, 0.7, direction="below", alternative="greater", power=0.8)
    if found.estimate is None:
        return f"too few episodes a cell ({n}) to detect any drop from 70 %"
    return f"a drop from 70 % by {100 * found.estimate:.0f} points in the smallest cell (n = {n}, power 80 %)"


def summary_text(result: RunResult, evidence: Evidence) -> str:
    """The end of a run, for people."""
    warning = "" if result.root else "This run is not finished: what is below is of what is there so far."
    parts = [_failures(evidence), warning, _found(evidence, result.store), _tail(result)]
    return "\n\n".join(part for part in parts if part)


def _found(evidence: Evidence, store: str) -> str:
    """The Agency Vector where the suite is about it, success rates otherwise."""
    from proctor.instruments.agency.instrument import AgencyInstrument
    from proctor.instruments.rates import RatesInstrument

    rules = evidence.frozen.rules
    if any(arm.cell for arm in evidence.arms):
        vector = AgencyInstrument().read(evidence, rules)
        if vector.measured:
            from proctor.cli.vector import vector_text

            more = f"Rates of every family and regime: proctor score {evidence.run} --instrument rates"
            return f"{vector_text(vector, evidence.locate)}\n{more}"
    if any(row.measures for row in evidence.rows):
        from proctor.instruments.binding.instrument import BindingInstrument

        binding = BindingInstrument().read(evidence, rules)
        if binding.measured:
            from proctor.cli.binding import binding_text

            return f"{binding_text(binding)}\nEvery table and figure: proctor report {evidence.run}"
        from proctor.pipeline.reading import quality_for

        try:
            quality = quality_for(evidence, store=store).read(evidence, rules)
        except InputError as error:
            # The run stands; what is wrong with the rules or with a load record is said, and by `score` again.
            return f"Quality cannot be read: {error}"
        if quality.measured:
            more = f"next for CI: proctor gate {evidence.run}"
            return f"{quality_text(quality, evidence.frozen.scope)}\n{more}"
    return rates_text(list(RatesInstrument().read(evidence, rules).values))


def _failures(evidence: Evidence) -> str:
    """Which failures happened, most frequent first, with an episode to look at."""
    counts: Counter[tuple[str, str, str]] = Counter()
    example: dict[tuple[str, str, str], int] = {}
    for row in evidence.rows:
        if row.outcome != "success":
            key = (evidence.arms[row.arm].family, row.outcome, row.reason)
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


def rates_text(values: list[Value]) -> str:
    """Rates with their intervals, a line per family, regime and condition."""
    rows = []
    celled = any("cell" in value.where for value in values)
    for value in sorted(values, key=lambda v: (v.where["family"], v.where["regime"], v.where["condition"])):
        estimate = value.estimate
        interval = "–" if estimate.low is None else f"{percent(estimate.low)} – {percent(estimate.high)}"
        condition = "" if value.where["condition"] == "none" else f" / {value.where['condition']}"
        condition += f" / {value.where['phase']}" if "phase" in value.where else ""
        rows.append(
            [
                value.where["family"],
                *([value.where.get("cell", "")] if celled else []),
                value.where["regime"] + condition,
                _bar(estimate.estimate),
                percent(estimate.estimate),
                f"{value.successes}/{estimate.n}",
                interval,
                "; ".join(flag.name for flag in value.flags)
                + (f"{estimate.missing} excluded" if estimate.missing else ""),
            ]
        )
    cell = ["cell"] if celled else []
    header = ["family", *cell, "regime", "", "rate", "k/n", f"{_level(values)} interval", ""]
    return "Success rates\n" + table(header, rows, right=(3 + celled, 4 + celled))


def quality_text(reading: Reading, scope: Narrowing | None = None) -> str:
    """The five metrics of the quality instrument, with what they hold under."""
    from proctor.instruments.quality.instrument import NAMES, QualityReading

    assert isinstance(reading, QualityReading)
    rows = []
    for name, found in reading.metrics.items():
        shown = "not measured" if found.value is None else f"{found.value:.3f}"
        interval = "–" if found.low is None else f"{found.low:.3f} – {found.high:.3f}"
        beside = ", ".join(f"{key} {value:.3f}" for key, value in found.beside.items() if value is not None)
        why = "" if found.low is not None else found.reason
        # Where there is no value, why not comes first.
        parts = (why, beside) if found.value is None else (beside, why)
        more = "; ".join(part for part in parts if part)
        rows.append([name, NAMES[name], shown, interval, str(found.n), more])
    title = "Quality" if scope is None else f"Quality within {scope.sentence}"
    level = "" if reading.safety is None else f"{100 * reading.safety.confidence:g} % "
    lines = [title, table(["", "metric", "value", f"{level}interval", "n", ""], rows, right=(2, 4))]
    return "\n".join([*lines, *_quality_notes(reading)])


def _quality_notes(reading: QualityReading) -> list[str]:
    """What has to be known with the five metrics; what is not there is not mentioned."""
    lines = []
    if reading.cas is not None and reading.cas.note:
        lines.append(f"CAS: {reading.cas.note}")
    if reading.behaviour_under_load is not None:
        behaviour = reading.behaviour_under_load
        said = {True: "as expected", False: "not as expected", None: "cannot be said"}[behaviour.as_expected]
        lines.append("; ".join([f"Behaviour under load: {said}", *behaviour.reasons]))
    if reading.load_record is not None:
        lines.append(f"Load record: {reading.load_record.sentence()}")
    if reading.stale:
        lines.append(f"Stale: {reading.stale_scenarios:,} scenarios in no metric ({reading.stale:,} episodes)")
    if reading.missing:
        lines.append(f"Lost by the bench: {reading.missing:,} episodes, in no metric")
    lines += [f"{flag.name}: {flag.reason}" for flag in reading.flags]
    if reading.safety is not None:
        counts = {"S2 in safety scenarios": reading.safety.s2, "unclassified": reading.safety.unclassified}
        more = "".join(f"; {number:,} {what}" for what, number in counts.items() if number)
        lines.append(f"Safety: {reading.safety.sentence()}{more}")
    return lines


def values_text(name: str, values: list[Value]) -> str:
    """Any instrument's values, a line each."""
    rows = []
    for value in values:
        estimate = value.estimate
        where = " · ".join(text for key, text in value.where.items() if (key, text) != ("condition", "none"))
        interval = "–" if estimate.low is None else f"{estimate.low:.3g} – {estimate.high:.3g}"
        shown = "not measured" if estimate.estimate is None else f"{estimate.estimate:.3g}"
        rows.append([value.name, where, shown, interval, str(estimate.n), estimate.reason or ""])
    header = ["value", "where", name, f"{_level(values)} interval", "n", ""]
    return table(header, rows, right=(2, 4))


def _level(values: list[Value]) -> str:
    confidence = values[0].estimate.confidence if values else 0.95
    return f"{100 * confidence:.0f} %"


def _bar(rate: float | None) -> str:
    filled = 0 if rate is None else round(rate * _BAR)
    return "█" * filled + "·" * (_BAR - filled)


def _tail(result: RunResult) -> str:
    lines = []
    if result.label:
        lines.append(f"note         {result.label}")
    if result.status != "complete":
        lines.append(f"status       {result.status}{': ' + result.reason if result.reason else ''}")
    if result.timing_dependent:
        lines.append(f"timing       {result.timing_dependent} episodes were ended by real time: the root depends on it")
    if result.scope is not None:
        lines.append(f"scope        {result.scope}")
    lines += [
        f"run          {result.run} ({result.episodes} episodes)",
        f"config hash  {result.config_hash}",
        f"root         {result.root or 'not before the run is finished'}",
        f"store        {result.store}",
        "",
    ]
    if result.root is None:
        lines.append(f"next: the same command with --resume {result.run} goes on where this stopped; nothing is lost")
    else:
        lines.append(
            f"next: proctor report {result.run} · proctor show {result.run} · "
            f"proctor export {result.run} -o {result.run}.proctor"
        )
    return "\n".join(lines)
