"""Every decisive text has a twin that only reading tells from it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product

import pytest
from tests.unit.suites.binding.twins.drawn_twins import EVERY, drawn, events, rows_of, text, words

from proctor.core.seeds import Stream
from proctor.spec.ontology import FOUR_CODES, SIX_CODES
from proctor.suites.binding.twins.balance import BLOCK, FACTORS, factors
from proctor.suites.binding.twins.clauses import Clauses
from proctor.suites.binding.twins.corpora import CORPORA, TwinCorpus
from proctor.suites.binding.twins.event import FIELDS
from proctor.suites.binding.twins.four_codes import TwinFourCodes
from proctor.suites.binding.twins.probes import NINE
from proctor.suites.binding.twins.shared_texts import DAYS, MEMORIES, PEOPLE, VETOES
from proctor.suites.binding.twins.topics import FAMILIES

SEEDS = (1, 2, 3)


def _name(family: TwinCorpus | TwinFourCodes) -> str:
    return family.spec.id


@pytest.mark.parametrize("family", CORPORA, ids=_name)
def test_a_twin_has_the_same_words_and_length_and_stands_in_the_same_place(family: TwinCorpus) -> None:
    for rows in events(family, 40):
        for probe in NINE:
            if probe.role != "target":
                continue
            decisive, twin = rows[probe.name], rows[probe.twin]
            assert list(decisive.state) == list(twin.state) == list(FIELDS)
            one, two = text(decisive, probe.field), text(twin, probe.field)
            assert one != two
            assert len(one) == len(two)
            assert words(one) == words(two)
            assert re.sub(r"[^.,;:]", "", one) == re.sub(r"[^.,;:]", "", two)
            assert {name for name in FIELDS if decisive.state[name] != twin.state[name]} == {probe.field}


@pytest.mark.parametrize("family", FAMILIES, ids=_name)
def test_the_two_sides_of_an_event_differ_in_the_exchange_of_two_phrases(family: TwinFourCodes) -> None:
    for number in range(40):
        one, two = (drawn(family, 2 * number + side) for side in range(2))
        assert one.observation == two.observation
        assert {name for name in one.state if one.state[name] != two.state[name]} == {family.topic.field}
        said, twin = text(one, family.topic.field), text(two, family.topic.field)
        assert len(said) == len(twin)
        assert words(said) == words(twin)
        assert one.hidden["twin"] == two.hidden["probe"]
        assert one.hidden["target"] != two.hidden["target"]
        p, q = one.hidden["exchange"][family.topic.field]
        lead, _, clauses = said.casefold().rpartition(": ")
        p, q = p.casefold(), q.casefold()
        assert twin.casefold().rpartition(": ")[0] == lead
        assert twin.casefold().rpartition(": ")[2] == clauses.replace(p, "\0").replace(q, p).replace("\0", q)


@pytest.mark.parametrize("family", FAMILIES, ids=_name)
def test_no_target_has_more_than_sixty_percent(family: TwinFourCodes) -> None:
    counts = Counter(drawn(family, index).hidden["target"] for index in range(160))
    assert len(counts) >= 3
    assert max(counts.values()) <= 0.6 * 160
    assert abs(counts[FOUR_CODES.options[0]] - counts[FOUR_CODES.options[1]]) <= 4


def _clauses() -> list[Clauses]:
    frames = [*MEMORIES, *VETOES]
    frames += [frame for family in FAMILIES for frame in family.topic.options if isinstance(frame, Clauses)]
    return frames + [third.frame for family in FAMILIES for third in family.topic.thirds]


def test_the_two_clauses_of_a_frame_are_equally_long_before_and_after_their_phrase() -> None:
    """Else where the second phrase stands, or whose clause is longer, would tell which of them counts."""
    assert len({len(name) for name in PEOPLE}) == 1
    for frame in _clauses():
        one, two = (re.sub(r"\{who\}|\{other\}", PEOPLE[0], clause) for clause in (frame.p, frame.q))
        before, _, after = one.partition("{p}")
        assert (len(before), len(after)) == tuple(map(len, two.partition("{q}")[::2])), frame
        assert not re.search(r"\{(?!p\}|q\})", one + two), frame


def test_offices_decide_on_working_days() -> None:
    assert not {"Saturday", "Sunday"} & set(DAYS)


def test_reasons_and_self_come_in_both_polarities_and_name_what_they_favour_first_in_half() -> None:
    for family in CORPORA:
        first = Counter[tuple[str, bool]]()
        for rows in events(family, 80):
            if rows["baseline"].hidden["duplicate"]:
                continue
            for probe in ("reason_for", "reason_against", "self_for", "self_against"):
                row = rows[probe]
                said = text(row, row.hidden["component"]).casefold()
                names = row.hidden["options"]
                favoured, other = names[row.hidden["target"]], names[SIX_CODES.other(row.hidden["target"])]
                first[probe, said.find(favoured) < said.find(other)] += 1
        assert all(abs(first[probe, True] - first[probe, False]) <= 2 for probe, _ in first), first


def test_labels_and_naming_order_of_the_lean_are_balanced_in_any_even_number_of_events() -> None:
    for family in CORPORA:
        labels, named = Counter[str](), Counter[bool]()
        distinct = 0
        for number in range(40):
            row = rows_of(family, number)["baseline"]
            if row.hidden["duplicate"]:
                continue
            distinct += 1
            labels[row.hidden["before"]] += 1
            situation = text(row, "x-situation").casefold()
            names = row.hidden["options"]
            lean, other = names[row.hidden["before"]], names[SIX_CODES.other(row.hidden["before"])]
            named[situation.find(lean) < situation.find(other)] += 1
            if distinct % 2 == 0:
                assert labels["ACTION_A"] == labels["ACTION_B"]
                assert named[True] == named[False]


def test_any_three_factors_are_balanced_in_a_block() -> None:
    stream = Stream.keyed("balance")
    for block in range(5):
        table = [factors(stream, BLOCK * block + number) for number in range(BLOCK)]
        for chosen in combinations(range(FACTORS), 3):
            counts = Counter(tuple(row[column] for column in chosen) for row in table)
            assert counts == dict.fromkeys(product((False, True), repeat=3), 2)
        for pair in range(0, BLOCK, 2):
            assert all(one != two for one, two in zip(table[pair], table[pair + 1], strict=True))


_ORDER = re.compile(r"\b(?:choose|pick|select|opt for|ACT\w*_\w+|VETO|DEFER|RECALL|option [AB])\b")


@pytest.mark.parametrize("family", [*EVERY, *FAMILIES], ids=_name)
def test_nothing_in_sight_names_a_code_a_probe_or_a_dataset(family: TwinCorpus | TwinFourCodes) -> None:
    for index in range(60):
        row = drawn(family, index)
        assert set(row.observation) == {"event_id", "ontology", "actions"}
        for name, field in row.state.items():
            assert not re.search(r"cue|placebo|probe|twin", name)
            assert not _ORDER.search(field["text"]), field["text"]
            assert "{" not in field["text"]
            assert field["text"][0].isupper()
            assert field["text"].endswith(".")
        seen = str({**row.observation, **row.state}).casefold()
        assert row.hidden["dataset"].replace("_", " ") not in seen or row.hidden["dataset"] in ("values", "recall")
        assert row.hidden["dataset"] not in row.observation.values()


@pytest.mark.parametrize("family", EVERY, ids=_name)
def test_same_stream_same_bytes_and_another_seed_other_events(family: TwinCorpus) -> None:
    assert drawn(family, 17) == drawn(family, 17)
    assert drawn(family, 17).state != drawn(family, 17, seed=4).state


def test_the_plan_has_the_numbers_of_the_paper() -> None:
    planned = sum(family.corpus.planned for family in CORPORA)
    distinct = sum(family.corpus.distinct for family in CORPORA)
    assert (planned, distinct) == (818, 803)
    assert planned * len(NINE) * 4 * 2 == 58_896
    assert distinct * len(NINE) * 4 * 2 == 57_816


def test_options_of_a_scene_stay_together() -> None:
    pairs = {frozenset(pair) for family in CORPORA for scene in family.corpus.scenes for pair in scene.pairs}
    for family in CORPORA:
        for rows in events(family, 30):
            assert frozenset(rows["baseline"].hidden["options"].values()) in pairs


def _plays(name: str, row: object) -> str:
    """Somebody who reads nothing."""
    hidden, state = row.hidden, row.state  # type: ignore[attr-defined]
    names = {label: name.casefold() for label, name in hidden["options"].items()}

    def first_named(field: str) -> str:
        said = state[field]["text"].casefold()
        places = [(said.find(option), code) for code, option in names.items() if option in said]
        return str(min(places)[1] if places else hidden["before"])

    if name == "lean":
        return str(hidden["before"])
    if name == "first named":
        return first_named("reason")
    if name == "longest clause":
        clauses = state["memory"]["text"].rstrip(".").rpartition(": ")[2].split("; ")
        longest = max(clauses, key=len)
        if len(clauses[0]) == len(clauses[1]):
            return str(hidden["before"])
        return (SIX_CODES.recall or "") if hidden["exchange"]["memory"][0] in longest else str(hidden["before"])
    if name == "longest field":
        longest = max(("reason", "memory", "self", "veto"), key=lambda one: len(state[one]["text"]))
        return {"memory": SIX_CODES.recall or "", "veto": SIX_CODES.veto}.get(longest, first_named(longest))
    said = " ".join(field["text"] for field in state.values())
    return SIX_CODES.codes[len(re.findall(r"\b(?:no|not|nobody|never)\b", said)) % 4]


@pytest.mark.parametrize("player", ["lean", "first named", "longest field", "longest clause", "negations"])
@pytest.mark.parametrize("seed", SEEDS)
def test_who_reads_nothing_has_no_binding(player: str, seed: int) -> None:
    for family in CORPORA:
        gains: dict[str, list[int]] = {}
        seen: set[str] = set()
        for rows in events(family, family.corpus.planned, seed):
            event = rows["baseline"].hidden["base_event"]
            if event in seen:
                continue
            seen.add(event)
            for probe in NINE:
                if probe.role == "target":
                    target = rows[probe.name].hidden["target"]
                    gain = (_plays(player, rows[probe.name]) == target) - (_plays(player, rows[probe.twin]) == target)
                    gains.setdefault(probe.field, []).append(gain)
        for component, values in gains.items():
            assert abs(sum(values)) <= 2, (family.spec.id, component, sum(values))
