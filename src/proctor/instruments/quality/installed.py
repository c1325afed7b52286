"""Which metrics there are: the built-in ones, and those of installed packages.

All of them come in through the entry-point group `proctor.metrics`, under their own names. What a package adds is
measured and shown wherever quality is; the gate decides on it only where the rules of a project name it. So installing
a package changes no decision. A package's metric that is broken, in its declaration or while it counts, is not measured
and says why; nothing else is lost by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf

from proctor.core.errors import InputError, PluginError
from proctor.instruments.quality.builtin import BUILT_IN
from proctor.instruments.quality.measures import Case
from proctor.instruments.quality.metric import Count, FromLoad, Metric, Ratio
from proctor.plugins import registry
from proctor.plugins.calls import call_plugin

_ROUNDING = 1e-9
RESERVED = frozenset({"s", "m", "d", "e", "l", "r", "g", "g1", "g2", "g3", "level", "tier", "vector", "agency"})
"""Names that would make a gate look as if it decided on capability."""


@dataclass(frozen=True)
class Declared:
    """What is installed: the metrics that can be used, and those that cannot."""

    metrics: dict[str, Metric] = field(default_factory=dict)
    """By name, in the order in which they are shown."""
    broken: dict[str, str] = field(default_factory=dict)
    """By name: why it cannot be used, in one sentence."""


@cache
def declared() -> Declared:
    """Every installed metric. What is wrong with one of Proctor's own is raised."""
    usable: list[Metric] = []
    broken: dict[str, str] = {}
    for name in registry.names("metrics"):
        try:
            usable.append(_declared(name))
        except InputError as error:
            if registry.is_own("metrics", name):
                raise
            broken[name] = str(error)
    return Declared({one.name: one for one in sorted(usable, key=lambda one: (one.place, one.name))}, broken)


def metrics() -> dict[str, Metric]:
    """Every metric that can be used, by its name, in the order in which they are shown."""
    return declared().metrics


def broken() -> dict[str, str]:
    """Metrics of packages that cannot be loaded or are not declared as they must be, and why."""
    return declared().broken


def ratios() -> dict[str, Ratio]:
    """Those that are worked out from episodes."""
    return {name: one.source for name, one in metrics().items() if isinstance(one.source, Ratio)}


def load_metrics() -> frozenset[str]:
    """Those that come from the load record."""
    return frozenset(name for name, one in metrics().items() if isinstance(one.source, FromLoad))


def blocking() -> tuple[str, ...]:
    """Those of which a confirmed decline blocks; of the others it escalates."""
    return tuple(name for name, one in metrics().items() if one.decline == "blocks")


def beside_titles(name: str, keys: Iterable[str]) -> dict[str, str]:
    """What stands beside a metric, in words; of one that is not installed here, its own words."""
    titles = metrics()[name].beside_titles if name in metrics() else {}
    return {key: titles.get(key) or key.replace("weight_", "weight of ") for key in keys}


class Titles(Mapping[str, str]):
    """What each metric is called, by name; looked up when it is asked for, since packages are loaded then.

    One that cannot be loaded has no title: it goes by its name, before the composite.
    """

    def __getitem__(self, name: str) -> str:
        return name if name in broken() else metrics()[name].title

    def __iter__(self) -> Iterator[str]:
        *most, last = metrics()
        return iter((*most, *broken(), last))

    def __len__(self) -> int:
        return len(metrics()) + len(broken())


def _declared(name: str) -> Metric:
    metric = registry.load("metrics", name)
    if not isinstance(metric, Metric) or metric.name != name:
        message = f"metric '{name}' is registered as something else than a Metric of that name; fix that package"
        raise InputError(message)
    if metric in BUILT_IN:
        return metric
    if name.lower() in RESERVED:
        message = (
            f"metric '{name}' has the name of a level, vector or tier, which never enter the gate (white paper §2.3); "
            "give it another one"
        )
        raise InputError(message)
    if metric.weight is not None:
        message = f"metric '{name}' declares a weight; leave it out: a project weighs it in its own rules"
        raise InputError(message)
    if not isinstance(metric.source, Ratio):
        message = f"metric '{name}' is no ratio over episodes; there is one load record and one composite"
        raise InputError(message)
    if metric.source.kept is not None:
        message = f"metric '{name}' declares `kept`, which is for metrics that older baselines hold; leave it out"
        raise InputError(message)
    return replace(metric, source=_checked(name, metric.source))


def _checked(name: str, ratio: Ratio) -> Ratio:
    """The same ratio, in which whatever goes wrong in the package's code is one sentence with the episode.

    A part beyond its whole would be a share above 1, which no floor catches.
    """

    def number(count: Count, case: Case) -> float:
        value = call_plugin("metrics", name, lambda: _number(count(case)), float)
        if not 0.0 <= value < inf:
            raise PluginError(_wrong(name, f"counts {value:g}, which is no number of 0 or more", case))
        return value

    def part(count: Count, whole: Count, case: Case) -> float:
        value, most = number(count, case), number(whole, case)
        if value > most + _ROUNDING:
            raise PluginError(_wrong(name, f"counts {value:g} of {most:g}, more than there is", case))
        return value

    return replace(
        ratio,
        part=partial(part, ratio.part, ratio.whole),
        whole=partial(number, ratio.whole),
        n=None if ratio.n is None else partial(number, ratio.n),
        squares=None if ratio.squares is None else partial(number, ratio.squares),
        beside={
            key: replace(one, part=partial(part, one.part, one.whole), whole=partial(number, one.whole))
            for key, one in ratio.beside.items()
        },
    )


def _number(value: object) -> float:
    if isinstance(value, bool | int | float):
        return float(value)
    message = f"{value!r} is no number"
    raise TypeError(message)


def _wrong(name: str, what: str, case: Case) -> str:
    return f"{registry.called('metrics', name)} {what}, in episode {case.position}; fix that package"
