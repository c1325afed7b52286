"""Measuring what attainable policies spend, so that the caps of regimes can be held against it.

Done when a run is frozen, for the families and regimes of cells whose intensity depends on it; a few milliseconds each.
The draws are fixed: the same family and regime give the same numbers on every machine. What was measured is frozen with
the run, and instruments read it from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family, Spent
from proctor.engine.probing.settings import DrawSetting
from proctor.spec.claims import is_counted
from proctor.spec.frozen import FrozenRun
from proctor.spec.intensity import intensity_of, needs_use, sizes_with
from proctor.spec.regime import Intensity, Regime, Size, depends_on_family
from proctor.spec.suite import Entry, Suite
from proctor.spec.task import Instance
from proctor.spec.use import PolicyUse, StrictUse
from proctor.worlds.adversity.rate import RateLimit
from proctor.worlds.tool import Tool
from proctor.worlds.world import Place

INSTANCES = 30
"""Instances drawn of every setting in which a regime meets a family."""
DRAWS = 3
"""Draws of the regime's faults on each of them."""
NOT_SCORED = frozenset({"train", "idle"})
"""Phases of learning that no level is read from."""


def measure_uses(suite: Suite, families: Mapping[str, Family]) -> tuple[PolicyUse, ...]:
    """What policies spend wherever it decides whether a regime of a cell is what it is called.

    `families` are those that run, by how the suite names them.
    """
    by_name = {family.spec.full_name: family for family in families.values()}
    settings: dict[tuple[str, str], dict[DrawSetting, None]] = {}
    cells: dict[tuple[str, str], set[str]] = {}
    for entry in suite.entries:
        if is_counted(entry.cell) and entry.family in families:
            name = families[entry.family].spec.full_name
            for regime, setting in settings_of(entry):
                settings.setdefault((name, regime), {})[setting] = None
                cells.setdefault((name, regime), set()).add(entry.cell or "")
    uses: list[PolicyUse] = []
    for (name, regime), found in sorted(settings.items()):
        declared = suite.all_regimes[regime]
        own = cells[name, regime]
        if not depends_on_family(declared) or not _takes_use(declared, own, name, ()):
            continue
        tools = family_tools(by_name[name])
        if _takes_use(declared, own, name, tools):
            uses.append(measure_use(by_name[name], declared, tools, found))
    return tuple(uses)


def _takes_use(regime: Regime, cells: set[str], family: str, tools: Iterable[str]) -> bool:
    """Whether it takes the use of a policy to tell how hard a regime is, or whether it has what its cells are about."""
    return needs_use(regime, tools) or any(missing_constraint(cell, regime, family, (), tools) for cell in cells)


def measure_use(
    family: Family, regime: Regime, tools: Mapping[str, Tool], settings: Iterable[DrawSetting]
) -> PolicyUse:
    """What a family's policy spends under a regime with its caps lifted, in the setting in which it spends least."""
    uses = [_use(family, regime, tools, setting) for setting in settings]
    stricts = [use.strict for use in uses if use.strict is not None]
    return PolicyUse(
        family=family.spec.full_name,
        regime=regime.id,
        episodes=sum(use.episodes for use in uses),
        calls=min(use.calls for use in uses),
        queries=min(use.queries for use in uses),
        failed=min(use.failed for use in uses),
        twice=min(use.twice for use in uses),
        fourfold=min(use.fourfold for use in uses),
        pace=max(use.pace for use in uses),
        strict=max(stricts, key=_looseness) if len(stricts) == len(uses) else None,
    )


def require_intensities(frozen: FrozenRun) -> None:
    """Refuse a run in which a cell's regime is not, for a family of the cell, what it is called."""
    suite = frozen.suite
    families = {family.reference: family for family in frozen.families}
    for entry in suite.entries:
        if not is_counted(entry.cell) or entry.family not in families:
            continue
        family = families[entry.family]
        tools = [str(action["name"]) for action in family.actions]
        for regime in regimes_of(entry):
            asked = (suite.all_regimes[regime], family.spec.full_name, frozen.uses, tools)
            problem = shortfall(*asked) or missing_constraint(entry.cell or "", *asked)
            if problem is not None:
                message = f"suite '{suite.name}', cell {entry.cell}: {problem}"
                raise InputError(message)


def regimes_of(entry: Entry) -> tuple[str, ...]:
    """The regimes under which episodes of an entry are scored."""
    return tuple(dict.fromkeys(name for name, _ in settings_of(entry)))


def shortfall(regime: Regime, family: str, uses: Iterable[PolicyUse], tools: Iterable[str]) -> str | None:
    """One sentence on why a regime is not what it is called for a family (`id@version`); None where it is."""
    use = next((use for use in uses if (use.family, use.regime) == (family, regime.id)), None)
    sizes = sizes_with(regime, use, tools)
    effective = intensity_of(regime, sizes)
    if effective is regime.intensity:
        return None
    wanted = Size.SEVERE if regime.intensity is Intensity.SEVERE else Size.MODERATE
    why = [_words(value, regime, use) for value in depends_on_family(regime) if sizes[value] < wanted]
    return (
        f"regime '{regime.id}' is called {regime.intensity} and for family {family} it is {effective}; "
        f"{'; '.join(why) or 'its shares are too small'}"
    )


NAMED: dict[str, tuple[frozenset[str], Size, str]] = {
    "S4": (frozenset({"noise"}), Size.MODERATE, "noise, distractors or conflicts"),
    "S5": (frozenset({"queries", "cap"}), Size.SEVERE, "a cap on queries or calls of severe size"),
    "M4": (frozenset({"drift"}), Size.MODERATE, "a drift while the policy is at work"),
    "D5": (frozenset({"cap", "milliseconds"}), Size.SEVERE, "a cap on calls or time of severe size"),
    "E3": (frozenset({"cap", "rate", "retries", "scope"}), Size.MODERATE, "a limit on actions"),
    "E4": (frozenset({"timeouts", "failures", "partial_errors"}), Size.MODERATE, "tools that fail"),
    "E5": (frozenset({"cap", "milliseconds"}), Size.SEVERE, "a cap on calls or time of severe size"),
}
"""What the rubric names as the constraint of a cell (§10.4 to §10.7): another one of the same intensity will not do."""


def missing_constraint(
    cell: str, regime: Regime, family: str, uses: Iterable[PolicyUse], tools: Iterable[str]
) -> str | None:
    """One sentence on what a regime lacks that the cell is about; None where nothing is missing, and for Baseline."""
    if cell not in NAMED or regime.intensity is Intensity.BASELINE:
        return None
    names, wanted, words = NAMED[cell]
    use = next((use for use in uses if (use.family, use.regime) == (family, regime.id)), None)
    sizes = sizes_with(regime, use, tools)
    if any(sizes.get(name, Size.SMALL) >= wanted for name in names):
        return None
    return f"the cell is about {words}, which regime '{regime.id}' does not have for family {family}"


def _words(name: str, regime: Regime, use: PolicyUse | None) -> str:
    """What a value is held against, with the numbers."""
    if name == "tokens":
        return "nobody knows how many tokens the task takes"
    if name == "scope":
        return "its scope leaves more than half of the tools"
    if use is None or not use.calls:
        return f"{name}: the family does not say what its attainable policy spends (`deliveries.spend`)"
    factor = 2 if regime.intensity is Intensity.SEVERE else 4
    if name == "milliseconds":
        most = use.twice if regime.intensity is Intensity.SEVERE else use.fourfold
        return f"a cap of {regime.compute.milliseconds} ms is {regime.intensity} up to {most}"
    if name in ("cap", "queries"):
        strict = use.strict if name == "cap" and regime.action.cap == "strict" else None
        cap = strict.cap if strict else regime.action.cap if name == "cap" else regime.information.queries
        spent = strict.calls if strict else use.calls if name == "cap" else use.queries
        of = "calls" if name == "cap" else "queries"
        most = 3 * factor * spent // 4
        return f"a cap of {cap} {of} is {regime.intensity} up to {most}, since {spent} are needed"
    return f"{name}: it does not touch the attainable policy"


def settings_of(entry: Entry) -> Iterator[tuple[str, DrawSetting]]:
    """The regimes of an entry, each with every way in which scored episodes are drawn under it."""
    number = 0
    # Only learning leaves phases out; elsewhere every unit of a cell counts, whatever its phase is called.
    left_out = NOT_SCORED if (entry.cell or "").startswith("L") else frozenset()
    scored = [step for step in entry.program if step.phase not in left_out]
    for step in entry.program:
        if step in (scored or entry.program):
            knobs = tuple(sorted({**entry.knobs, **step.knobs}.items()))
            for regime in [step.regime] if step.regime else entry.regimes:
                for part in range(entry.parts):
                    yield regime, DrawSetting(knobs, step.phase, part, number)
        number += step.episodes


def _use(family: Family, regime: Regime, tools: Mapping[str, Tool], setting: DrawSetting) -> PolicyUse:
    lifted = _without_caps(regime)
    source = Stream.keyed("use", family.spec.full_name)
    spent: list[Spent] = []
    stricts: list[StrictUse] = []
    pace = 0
    for index in range(INSTANCES):
        instance = _instance(family, source, setting, index)
        episodes = [_meter(lifted, tools, instance) for _ in range(DRAWS)]
        for draw, meter in enumerate(episodes):
            _play(family, instance, Deliveries(lifted, source.child("faults", index, draw), meter))
        spent += episodes
        pace = max(pace, instance.call_milliseconds)
        if instance.strict_actions is not None:
            stricts.append(StrictUse(cap=instance.strict_actions, calls=max(one.calls for one in episodes)))
    return PolicyUse(
        family=family.spec.full_name,
        regime=regime.id,
        episodes=len(spent),
        calls=max(one.calls for one in spent),
        queries=max(one.queries for one in spent),
        failed=max(one.failed for one in spent),
        twice=_reached_by_a_tenth(one.begins(2) for one in spent),
        fourfold=_reached_by_a_tenth(one.begins(4) for one in spent),
        pace=pace,
        strict=sorted(stricts, key=_looseness)[len(stricts) // 2] if len(stricts) == INSTANCES else None,
    )


def _instance(family: Family, source: Stream, setting: DrawSetting, index: int) -> Instance:
    knobs = {name: knob.default for name, knob in family.spec.knobs.items()} | dict(setting.knobs)
    stream = source.child(index, setting.phase, setting.step)
    return family.instance(Draw(stream, source, index, setting.phase, setting.part, setting.step, knobs))


def _play(family: Family, instance: Instance, deliveries: Deliveries) -> None:
    """Let the policy live one episode, for what it spends."""
    try:
        family.attainable(instance, deliveries)
    except Exception as error:
        message = (
            f"family '{family.spec.full_name}': what is attainable cannot be worked out ({type(error).__name__}: "
            f"{error}); run `proctor check`"
        )
        raise InputError(message) from error


def _meter(regime: Regime, tools: Mapping[str, Tool], instance: Instance) -> Spent:
    """A count at nought, which knows how long the quickest calls take."""
    rate = regime.action.rate
    quickest = {
        effect: min((tool.milliseconds for tool in tools.values() if tool.spec.effect == effect), default=0)
        for effect in ("read", "write")
    }
    between = 0 if rate is None else RateLimit(rate).between(instance.call_milliseconds)
    return Spent(quickest["read"], quickest["write"], between)


def _without_caps(regime: Regime) -> Regime:
    """The regime as it is apart from what stops an episode: so that no cap is held against itself."""
    return regime.model_copy(
        update={
            "information": regime.information.model_copy(update={"queries": None}),
            "action": regime.action.model_copy(update={"cap": None, "retries": None}),
            "compute": regime.compute.model_copy(update={"milliseconds": None, "tokens": None}),
        }
    )


def _reached_by_a_tenth(values: Iterable[int]) -> int:
    """The largest value that at least a tenth of them reach."""
    ordered = sorted(values, reverse=True)
    return ordered[-(-len(ordered) // 10) - 1]


def _looseness(strict: StrictUse) -> float:
    return strict.cap / strict.calls if strict.calls else float("inf")


def family_tools(family: Family) -> dict[str, Tool]:
    """The tools of the family's world, on an instance with default knobs."""
    knobs = {name: knob.default for name, knob in family.spec.knobs.items()}
    place = Place()
    try:
        world = family.world(family.instance(Draw.of("freeze", **knobs)), place)
        try:
            return dict(world.tools)
        finally:
            world.close()
    finally:
        place.close()
