"""Links of an evidence bundle: from claims to claims and sources, never round in a circle, ending in sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Links = Mapping[str, Sequence[str]]
"""For each claim the sources and claims it rests on."""


def cycle(links: Links) -> tuple[str, ...] | None:
    """The claims of one circle, the first repeated at the end; None if there is none."""
    finished: set[str] = set()
    for start in links:
        path: list[str] = []
        # Beside each claim on the path stand the links not followed yet: long chains must not exhaust the stack.
        waiting: list[list[str]] = []
        follow: str | None = start
        while follow is not None or path:
            if follow is not None and follow in path:
                return (*path[path.index(follow) :], follow)
            if follow is not None and follow in links and follow not in finished:
                path.append(follow)
                waiting.append(list(reversed(links[follow])))
            while path and not waiting[-1]:
                waiting.pop()
                finished.add(path.pop())
            follow = waiting[-1].pop() if path else None
    return None


def problems(links: Links, sources: Collection[str] | None = None) -> list[str]:
    """Each a sentence. Without `sources`, whatever is not a claim is taken for one."""
    found = []
    circle = cycle(links)
    if circle is not None:
        found.append(f"claims rest on each other in a circle: {' → '.join(circle)}; let one of them rest on a source")
    for claim, targets in links.items():
        if not targets:
            found.append(f"claim '{claim}' rests on nothing; link it to a source")
        for target in targets:
            if sources is not None and target not in sources and target not in links:
                found.append(f"claim '{claim}' links to '{target}', which is neither a source nor a claim; correct it")
    return found


def links_of(bundle: Any) -> dict[str, list[str]] | None:
    """The links of a bundle as an agent or a file gives it; None if it has not the shape of one."""
    claims = bundle.get("claims") if isinstance(bundle, Mapping) else None
    if not isinstance(claims, list):
        return None
    found: dict[str, list[str]] = {}
    for claim in claims:
        if not isinstance(claim, Mapping) or not isinstance(claim.get("id"), str) or claim["id"] in found:
            return None
        targets = claim.get("links", [])
        if not isinstance(targets, list) or not all(isinstance(target, str) for target in targets):
            return None
        found[claim["id"]] = targets
    return found
