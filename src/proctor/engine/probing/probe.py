"""Measuring a family's probe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.engine.family import Family, scenarios_of
from proctor.engine.probing.settings import DrawSetting, conditions_of, draw_settings, entries_of
from proctor.engine.probing.verdicts import Drawn, Prober, judged_bytes
from proctor.spec.probe import Probe
from proctor.spec.suite import Suite
from proctor.spec.task import Instance

PER_TEMPLATE = 3
"""Instances of every template in every setting."""
MAX_DRAWS_PER_TEMPLATE = 12
"""Draws, per template, after which a template that has not come up is given up."""
TAMPERED_PER_TEMPLATE = 1
"""Instances of every template whose solutions are tampered with."""
MAX_SANDBOXED = 3
"""The same, of all templates together, where an episode starts processes: it costs a hundred times as much."""
OTHERS = 8
"""Instances whose right answers are handed in for another."""
FURTHER = 400
"""Draws of the first setting that are hashed besides, whatever template they are of: drawing costs next to nothing."""
MAX_LISTED = 5_000
"""Tasks that are hashed one by one where a family lists them."""


class Measured(Struct, frozen=True):
    """A probe, and what it reached."""

    probe: Probe
    episodes: int
    unreached: tuple[str, ...]
    """Declared reasons of verification that no episode of the probe ended with: changes there go unnoticed."""


def measure(
    family: Family, suites: Iterable[Suite] = (), names: Iterable[str] = (), *, at_random: bool = True
) -> Measured:
    """The probe of a family, with every setting and condition in which these suites use it.

    `names` are references by which the suites may name it. The same family and suites give the same probe on every
    machine. Without `at_random` nobody calls tools at random, which is wise with tools that nobody has tried yet: some
    wait as long as they are told.
    """
    uses = entries_of(family.spec, suites, names)
    settings = draw_settings(family.spec, (entry for _, entry in uses))
    with Prober(family, at_random=at_random) as prober:
        instances = sha256()
        drawn: list[Drawn] = []
        for setting in settings:
            some = list(_instances(prober, setting))
            # A setting in which nothing can be drawn is part of what the family does, too.
            instances.update(f"{setting.label}: {len(some)}\n".encode())
            for one in some:
                instances.update(msgspec.json.encode([one.index, one.instance]) + b"\n")
            drawn += some
        if scenarios_of(family) is None:
            for index in range(FURTHER):
                instances.update(msgspec.json.encode([index, prober.instance(settings[0], index)]) + b"\n")
        verdicts = sha256()
        episodes = 0
        reasons: set[str] = set()
        for one, fully in _lived(family, drawn) if drawn else ():
            for judged in prober.judge(one, _others(one, drawn), fully=fully):
                verdicts.update(judged_bytes(judged) + b"\n")
                reasons.add(judged.reason)
                episodes += 1
        for number, condition in enumerate(conditions_of(uses) if drawn else ()):
            one, other = drawn[number % len(drawn)], drawn[(number + 1) % len(drawn)]
            for judged in prober.judge_under(one, condition, other.instance):
                verdicts.update(judged_bytes(judged) + b"\n")
                reasons.add(judged.reason)
                episodes += 1
        tools = sha256(b"\n".join(sorted(prober.tools.values())))
    if not episodes:
        message = f"family '{family.spec.full_name}' draws no instance that can be examined; run `proctor check`"
        raise InputError(message)
    probe = Probe(instances=instances.hexdigest(), tools=tools.hexdigest(), verdicts=verdicts.hexdigest())
    return Measured(probe, episodes, tuple(sorted(set(family.spec.reasons) - reasons)))


def _instances(prober: Prober, setting: DrawSetting) -> Iterator[Drawn]:
    """`PER_TEMPLATE` instances of each template, in order of their numbers; all of them where they are listed."""
    listed = scenarios_of(prober.family)
    if listed is not None:
        for index in range(min(len(listed.scenarios), MAX_LISTED)):
            instance = prober.instance(setting, index)
            if instance is not None:
                yield Drawn(setting, index, instance)
        return
    wanted = len(prober.family.spec.templates)
    counts: Counter[str] = Counter()
    for index in range(wanted * MAX_DRAWS_PER_TEMPLATE):
        instance = prober.instance(setting, index)
        if instance is None:
            continue
        if counts[instance.template] < PER_TEMPLATE:
            counts[instance.template] += 1
            yield Drawn(setting, index, instance)
            if counts.total() == wanted * PER_TEMPLATE:
                return


def _others(one: Drawn, drawn: list[Drawn]) -> list[Instance]:
    """Instances of the same setting that follow this one, going round."""
    alike = [other for other in drawn if other.setting == one.setting]
    at = next(number for number, other in enumerate(alike) if other.index == one.index)
    return [alike[(at + further) % len(alike)].instance for further in range(1, min(OTHERS, len(alike) - 1) + 1)]


def _lived(family: Family, drawn: list[Drawn]) -> Iterator[tuple[Drawn, bool]]:
    """The instances that episodes are lived on, and whether solutions are tampered with.

    The first few of each template in the first setting fully; of every other setting one, as it is.
    """
    first = drawn[0].setting
    of_template: Counter[str] = Counter()
    others: set[DrawSetting] = set()
    for one in drawn:
        if one.setting == first:
            of_template[one.instance.template] += 1
            if of_template[one.instance.template] <= TAMPERED_PER_TEMPLATE:
                yield one, not family.spec.requires or len(of_template) <= MAX_SANDBOXED
        elif one.setting not in others:
            others.add(one.setting)
            yield one, False
