"""The seven corpora: how many events, which probes, what each probe prescribes, and that labels are balanced."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from tests.unit.suites.binding.drawn import EVERY, drawn, instances, options_of, source_of

from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance
from proctor.suites.binding.corpora import CORPORA, CorpusFamily, narratives
from proctor.suites.binding.corpora.event import FIELDS
from proctor.suites.binding.corpora.sampling import labels_exchanged, stratified

NAMESPACES = {
    "narratives_formal": (98, 84),
    "ds000210_self_loop": (120, 120),
    "ds001618_self_loop": (120, 120),
    "ds001882_choice": (120, 120),
    "ds000212_choice": (120, 120),
    "ds004917_uncertainty": (120, 120),
    "ds004042_recall": (120, 119),
}
PER_FAMILY = pytest.mark.parametrize("family", EVERY, ids=lambda family: family.spec.id)


def test_the_namespaces_and_their_sizes() -> None:
    assert {one.flavour.dataset: (one.flavour.planned, one.flavour.distinct) for one in CORPORA} == NAMESPACES
    assert sum(planned for planned, _ in NAMESPACES.values()) == 818
    assert sum(distinct for _, distinct in NAMESPACES.values()) == 803


@PER_FAMILY
def test_the_plan_holds_what_was_declared(family: CorpusFamily) -> None:
    rows = family.planned_rows(source_of(family))
    names = [one.row.event_id for one in rows]
    assert (len(names), len(set(names))) == (family.flavour.planned, family.flavour.distinct)
    seen: set[str] = set()
    for one in rows:
        assert one.duplicate == (one.row.event_id in seen)
        seen.add(one.row.event_id)
    assert {one.row.task for one in rows} == set(family.flavour.tasks)
    assert {one.row.condition for one in rows} == set(family.flavour.conditions)
    exchanged = {one.row.event_id for one in rows if one.swapped}
    assert abs(2 * len(exchanged) - family.flavour.distinct) <= family.flavour.distinct % 2
    order = [(one.row.episode, one.row.subject, one.row.onset) for one in rows]
    assert order == sorted(order)


def test_another_seed_plans_other_events() -> None:
    one, two = (narratives.planned_rows(source_of(narratives, seed)) for seed in (3, 4))
    assert not {row.row.event_id for row in one} & {row.row.event_id for row in two}


def test_strata_are_taken_in_proportion() -> None:
    rows = [("big", number) for number in range(60)] + [("mid", number) for number in range(30)]
    rows += [("small", number) for number in range(10)]
    stream = source_of(narratives)
    taken = stratified(rows, lambda row: row[0], 20, stream)
    assert Counter(name for name, _ in taken) == {"big": 12, "mid": 6, "small": 2}
    assert len(set(taken)) == 20
    assert len(stratified(rows, lambda row: row[0], 33, stream)) == 33


def test_labels_of_odd_numbers_are_exchanged_either_way() -> None:
    """Many corpora of one event each would otherwise all keep their labels, and always saying A would pay."""
    sizes = Counter(
        len(labels_exchanged(("a", "b", "c"), source_of(narratives, seed).child("labels"))) for seed in range(200)
    )
    assert set(sizes) == {1, 2}
    assert abs(sizes[1] - 100) < 40


def sides(instance: Instance) -> tuple[str, str]:
    """(code of the option that is kept, code of the other)."""
    first, second = SIX_CODES.options
    return (second, first) if instance.hidden["swapped"] else (first, second)


@pytest.mark.parametrize("family", CORPORA, ids=lambda family: family.spec.id)
def test_targets_are_those_of_the_ontology(family: CorpusFamily) -> None:
    for instance in instances(family):
        kept, other = sides(instance)
        hidden = instance.hidden
        expected = {
            "baseline": (kept, "", kept, [kept, other]),
            "reason_flip": (other, "reason", kept, [kept, other]),
            "memory_conflict": ("RECALL_PRIOR", "memory", kept, [kept, "RECALL_PRIOR", "DEFER"]),
            "veto_cue": ("VETO", "veto", kept, [kept, "VETO", "DEFER"]),
            "self_continuity": (kept, "self", other, [kept, other, "DEFER"]),
            "irrelevant_cue": (kept, "", kept, [kept, other]),
        }[hidden["probe"]]
        assert (hidden["target"], hidden["component"], hidden["implied"]["x-situation"], hidden["valid"]) == expected
        assert hidden["before"] == kept
        assert hidden["cue_code"] == (other if hidden["probe"] == "irrelevant_cue" else "")
        assert hidden["decisive"] == ([hidden["component"]] if hidden["component"] else [])


def test_labels_of_the_paper_are_never_exchanged() -> None:
    for index in range(60):
        paper = drawn(narratives, index, labels="paper")
        assert paper.hidden["before"] == "ACTION_A"
        # Only labels differ: what is said is the same.
        assert paper.state == drawn(narratives, index).state


@pytest.mark.parametrize("family", CORPORA, ids=lambda family: family.spec.id)
def test_an_agent_that_always_says_a_gains_nothing(family: CorpusFamily) -> None:
    counts = Counter(
        (instance.hidden["probe"], instance.hidden["target"] == "ACTION_A")
        for instance in instances(family)
        if not instance.hidden["duplicate"]
    )
    n = family.flavour.distinct
    moved = n - counts["irrelevant_cue", True]
    for probe in ("self_continuity", "reason_flip"):
        assert counts[probe, True] - moved <= 1


@PER_FAMILY
def test_probes_of_one_event_differ_in_what_they_are_about_and_nothing_else(family: CorpusFamily) -> None:
    step = len(family.probes)
    for event in range(20):
        asked = [drawn(family, event * step + which) for which in range(step)]
        assert len({json.dumps(one.observation) for one in asked}) == 1
        for name in ("reason", "memory", "self", "veto", "x-cue"):
            texts = Counter(one.state[name]["text"] for one in asked)
            # Whatever is not about this field shows the same filler.
            (filler, count), *_ = texts.most_common(1)
            assert count >= step - 2
            assert any(fits(frame, filler) for frame in family.flavour.fillers[name])


def fits(frame: str, text: str) -> bool:
    """Whether a text was made from a frame."""
    pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(frame))
    return re.fullmatch(pattern, text, re.IGNORECASE) is not None


@PER_FAMILY
def test_every_field_is_there_in_every_probe(family: CorpusFamily) -> None:
    for index in range(4 * len(family.probes)):
        instance = drawn(family, index)
        assert set(FIELDS) <= set(instance.state)
        for field in instance.state.values():
            assert field["event"] == instance.observation["event_id"] == instance.hidden["base_event"]


@PER_FAMILY
def test_no_text_spells_a_code_a_label_or_an_order(family: CorpusFamily) -> None:
    spelt = re.compile(r"ACTION|VETO|DEFER|RECALL|INVALID|[Oo]ption|\b[Cc]hoose|\b[Ss]elect\b|\{|\}")
    for instance in instances(family):
        for field in instance.state.values():
            assert spelt.search(field["text"]) is None, field["text"]
            assert "\n" not in field["text"]
            assert field["text"][0].isupper()


@PER_FAMILY
def test_what_is_set_against_each_other_belongs_together(family: CorpusFamily) -> None:
    """Nobody decides between a route and a crew: where options are of several kinds they come two by two."""
    listed = family.flavour.options
    met = {frozenset(options_of(drawn(family, index)).values()) for index in range(0, family.instances, 6)}
    assert all(len(one) == 2 for one in met)
    if family.flavour.paired:
        assert met == {frozenset(listed[place : place + 2]) for place in range(0, len(listed), 2)}
    else:
        assert len(met) > len(listed)


@PER_FAMILY
def test_no_text_stumbles_over_its_slots(family: CorpusFamily) -> None:
    stumbles = re.compile(r"\b([a-z]+) \1\b|\ban? the\b|\bthe (?:a|an)\b|\s[.,;]|\.\.", re.IGNORECASE)
    for instance in instances(family):
        for field in instance.state.values():
            assert stumbles.search(field["text"]) is None, field["text"]


@PER_FAMILY
def test_options_are_named_where_slots_are_and_nowhere_else(family: CorpusFamily) -> None:
    flavour = family.flavour
    frames = [
        text
        for name in ("scenes", "leans", "reasons", "memories", "vetoes", "selves", "cues")
        for text in getattr(flavour, name)
    ]
    fixed = [*frames, *flavour.places, *flavour.papers, *(text for texts in flavour.fillers.values() for text in texts)]
    for option in flavour.options:
        assert not [text for text in fixed if option.casefold() in text.casefold()]
        assert not [other for other in flavour.options if other != option and option in other]
    for name in ("scenes", "leans", "reasons", "memories", "vetoes", "selves", "cues"):
        texts = getattr(flavour, name)
        assert len(set(texts)) == len(texts) >= 6
    for texts in flavour.fillers.values():
        assert len(set(texts)) == len(texts) >= 6


def test_corpora_share_no_text() -> None:
    names = ("scenes", "leans", "reasons", "memories", "vetoes", "selves", "cues")
    frames = [
        text
        for one in CORPORA
        for texts in (*(getattr(one.flavour, name) for name in names), *one.flavour.fillers.values())
        for text in texts
    ]
    assert len(frames) == len(set(frames))


@PER_FAMILY
def test_the_situation_names_both_options(family: CorpusFamily) -> None:
    for index in range(0, family.instances, 7):
        instance = drawn(family, index)
        for name in options_of(instance).values():
            assert name in instance.state["x-situation"]["text"].casefold()


def test_more_laps_bring_other_events_and_keep_the_first() -> None:
    first, beyond = drawn(narratives, 0), drawn(narratives, narratives.instances)
    assert first.observation["event_id"] != beyond.observation["event_id"]
    assert drawn(narratives, 0) == first
