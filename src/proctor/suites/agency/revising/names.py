"""Names of places, crews, goods and money pots that belong to nobody. Fixed text; nothing here decides."""

from __future__ import annotations

from proctor.core.seeds import Stream
from proctor.suites.kit.draws import sample_spaced, split_draw
from proctor.suites.kit.words import FIRM_ONE, FIRM_TWO

CREWS = ("north crew", "south crew", "river crew", "hill crew", "harbour crew", "night crew", "east crew", "west crew")
TITLES = (
    *("Works plan", "Plan for the coming weeks", "Works office", "Planning round", "Open matters", "Site planning"),
    *("State of the plan", "Quarterly works", "Works and means", "Plan under review"),
)
GOODS = (
    *("paving slabs", "roof tiles", "fence posts", "cable drums", "steel plates", "oak boards", "glass panes"),
    *("drain pipes", "street lamps", "kerb stones", "insulation mats", "pump housings", "window frames"),
)


def places(stream: Stream, count: int) -> list[str]:
    """So many different places; no two share a word in front."""
    kinds = split_draw(stream, *[len(FIRM_TWO)] * count)
    return [f"{one} {FIRM_TWO[kind]}" for one, kind in zip(sample_spaced(stream, FIRM_ONE, count), kinds, strict=True)]
