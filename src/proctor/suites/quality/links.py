"""Links of an evidence bundle: from claims to claims and sources, never round in a circle, ending in sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

Links = Mapping[str, Sequence[str]]
"""For each claim the sources and claims it rests on."""


def cycle(links: Links) -> tuple[str, ...] | None:
    """The claims of one circle, the first repeated at the end; None if there is none."""
    try:
        TopologicalSorter(links).prepare()
    except CycleError as error:
        # It lists a claim after what it rests on; a person reads it the other way round.
        return tuple(reversed(error.args[1]))
    return None


def problems(links: Links, sources: Collection[str] | None = None) -> list[str]:
    """Each a sentence. A name that a source has means the source; not knowing `sources`, what is no claim is one."""
    sentences = []
    circle = cycle({claim: [one for one in targets if one not in (sources or ())] for claim, targets in links.items()})
    if circle is not None:
        sentences.append(
            f"claims rest on each other in a circle: {' → '.join(circle)}; let one of them rest on a source"
        )
    for claim, targets in links.items():
        if not targets:
            sentences.append(f"claim '{claim}' rests on nothing; link it to a source")
        for target in targets:
            if sources is not None and target not in sources and target not in links:
                sentences.append(
                    f"claim '{claim}' links to '{target}', which is neither a source nor a claim; correct it"
                )
    return sentences


def links_of(bundle: Any) -> dict[str, list[str]] | None:
    """The links of a bundle as an agent or a file gives it; None if it has not the shape of one."""
    claims = bundle.get("claims") if isinstance(bundle, Mapping) else None
    if not isinstance(claims, list):
        return None
    links: dict[str, list[str]] = {}
    for claim in claims:
        if not isinstance(claim, Mapping) or not isinstance(claim.get("id"), str) or claim["id"] in links:
            return None
        targets = claim.get("links", [])
        if not isinstance(targets, list) or not all(isinstance(target, str) for target in targets):
            return None
        links[claim["id"]] = targets
    return links
