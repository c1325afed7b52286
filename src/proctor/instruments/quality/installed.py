"""Which metrics there are: the built-in ones, and those of installed packages.

All of them come in through the entry-point group `proctor.metrics`, under their own names. What a package adds is
measured and shown wherever quality is; the gate decides on it only where the rules of a project name it. So installing
a package changes no decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from proctor.core.errors import InputError
from proctor.instruments.quality.builtin import BUILT_IN
from proctor.instruments.quality.metric import FromLoad, Metric, Ratio
from proctor.plugins import registry


@cache
def metrics() -> dict[str, Metric]:
    """Every metric by its name, in the order in which they are shown; a broken declaration is one sentence."""
    declared = [_declared(name) for name in registry.names("metrics")]
    return {one.name: one for one in sorted(declared, key=lambda one: (one.place, one.name))}


def ratios() -> dict[str, Ratio]:
    """Those that are worked out from episodes."""
    return {name: one.source for name, one in metrics().items() if isinstance(one.source, Ratio)}


def load_metrics() -> frozenset[str]:
    """Those that come from the load record."""
    return frozenset(name for name, one in metrics().items() if isinstance(one.source, FromLoad))


def blocking() -> tuple[str, ...]:
    """Those of which a confirmed decline blocks; of the others it escalates."""
    return tuple(name for name, one in metrics().items() if one.decline == "blocks")


class Titles(Mapping[str, str]):
    """What each metric is called, by name; looked up when it is asked for, since packages are loaded then."""

    def __getitem__(self, name: str) -> str:
        return metrics()[name].title

    def __iter__(self) -> Iterator[str]:
        return iter(metrics())

    def __len__(self) -> int:
        return len(metrics())


def _declared(name: str) -> Metric:
    metric = registry.load("metrics", name)
    if not isinstance(metric, Metric) or metric.name != name:
        message = f"metric '{name}' is registered as something else than a Metric of that name; fix that package"
        raise InputError(message)
    if metric in BUILT_IN:
        return metric
    if metric.weight is not None:
        message = f"metric '{name}' declares a weight; leave it out: a project weighs it in its own rules"
        raise InputError(message)
    if not isinstance(metric.source, Ratio):
        message = f"metric '{name}' is no ratio over episodes; there is one load record and one composite"
        raise InputError(message)
    if metric.source.kept is not None:
        message = f"metric '{name}' declares `kept`, which is for metrics that older baselines hold; leave it out"
        raise InputError(message)
    return metric
