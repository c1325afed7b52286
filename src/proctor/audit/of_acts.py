"""What can be checked by doing it again: recorded acts in fresh worlds, and a sample of episodes with the agent."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from pathlib import Path

from proctor.audit.determination import Check
from proctor.audit.of_runs import Run
from proctor.audit.request import Request
from proctor.core.errors import ProctorError
from proctor.engine.rerunning import Rerun, rerun
from proctor.engine.reverifying import reverify
from proctor.evidence.store.contract import EvidenceStore

_NAMED = 10
_CHANCE = 0.01
"""A sample that comes out worse than its record with less chance than this is no chance."""


def reverify_check(store: EvidenceStore, runs: Sequence[Run], request: Request) -> Check:
    """Recorded acts carried out again, verifiers run again."""
    name = "reverify"
    if not request.reverify:
        return Check(name, "not asked", "recorded acts were not carried out again (--reverify)")
    wrong: list[str] = []
    lacking: list[str] = []
    lived = 0
    for run in runs:
        try:
            found = reverify(store, store.run(run.evidence.run), run.here.families)
        except (ProctorError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # Declarations of a stranger that no bench could have been built from.
            lacking.append(f"{run.file}: nothing can be carried out from its declarations ({type(error).__name__})")
            continue
        lived += found.episodes
        for kind, firm in ((wrong, True), (lacking, False)):
            those = [one for one in found.mismatches if one.firm is firm]
            kind += [f"{run.file}: episode {one.position} ({one.family}): {one.what}" for one in those[:_NAMED]]
            if len(those) > _NAMED:
                kind.append(f"{run.file}: and {len(those) - _NAMED} more episodes")
        absent = set(run.here.absent.values())
        lacking += [
            f"{run.file}: {count} episodes were not carried out again: {why}"
            for why, count in found.left_out.items()
            if why in absent
        ]
    detail = f"{lived} episodes carried out again in fresh worlds and verified"
    if wrong:
        return Check(name, "wrong", detail, tuple(wrong))
    if lacking:
        return Check(name, "insufficient", detail, tuple(lacking))
    return Check(name, "ok", f"{detail}: tasks, results and verdicts came out as recorded")


def rerun_check(store: EvidenceStore, runs: Sequence[Run], request: Request) -> Check:
    """A random sample executed again with the agent."""
    name = "rerun"
    if not request.rerun:
        return Check(name, "not asked", "no episode was executed again with the agent (--rerun N)")
    wrong: list[str] = []
    lacking: list[str] = []
    said: list[str] = []
    for run in runs:
        try:
            found = rerun(
                store,
                store.run(run.evidence.run),
                run.here.families,
                count=request.rerun,
                seed=request.seed,
                agent=request.agent,
                folder=Path(),
            )
        except ProctorError as error:
            return Check(name, "not possible", f"{run.file}: {' '.join(str(error).split())}")
        said.append(f"{run.file}: {_said(found)}")
        if found.deterministic:
            other = [one for one in found.episodes if not one.same]
            wrong += [
                f"{run.file}: episode {one.position} ({one.family}): on record is {one.recorded}, executed again it is "
                f"{one.again}" + ("" if one.recorded != one.again else ", by another way")
                for one in other[:_NAMED]
            ]
        elif worse_by_chance(found) < _CHANCE:
            lacking.append(
                f"{run.file}: {found.lost} successes on record did not come out again and {found.gained} came anew, "
                f"which chance alone gives in {100 * worse_by_chance(found):.2g} % of samples"
            )
    detail = f"{'; '.join(said)}; sample drawn with --seed {request.seed}"
    if wrong:
        return Check(name, "wrong", detail, tuple(wrong))
    if lacking:
        return Check(name, "insufficient", detail, tuple(lacking))
    return Check(name, "ok", detail)


def _said(found: Rerun) -> str:
    count = len(found.episodes)
    if found.deterministic:
        same = sum(one.same for one in found.episodes)
        return f"{same} of {count} episodes came out again to the letter"
    alike = sum(one.recorded == one.again for one in found.episodes)
    return f"{alike} of {count} episodes ended alike with {found.agent}"


def worse_by_chance(found: Rerun) -> float:
    """One-sided exact sign test: how likely so many lost against so few gained are if both are equally likely."""
    total = found.lost + found.gained
    return sum(comb(total, k) for k in range(found.lost, total + 1)) / 2**total if total else 1.0
