"""What the clerk reads out of one text in many notations: records, dossiers, boards and webs."""

from __future__ import annotations

import json

import pytest

from proctor.agents.clerk.boards import legend, read_board
from proctor.agents.clerk.dossier import read_dossier
from proctor.agents.clerk.records import records
from proctor.agents.clerk.web import Web, read_web

ROWS = [{"shelf": "A", "size in cm": "40"}, {"shelf": "B", "size in cm": "60"}]


class TestRecords:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(json.dumps({"title": "Shelves", "shelves": ROWS}), id="data"),
            pytest.param(
                "# Shelves\n\n| Shelf | Size in cm |\n|---|---|\n| A | 40 |\n| B | 60 |\n\nKept by Ann.", id="table"
            ),
            pytest.param(
                "== CARD 1 ==\nShelf ........ A\nSize in cm ... 40\n\n== CARD 2 ==\nShelf ..... B\nSize in cm ..... 60",
                id="cards",
            ),
            pytest.param(
                '<all>\n <row shelf="A" size_in_cm="40"/>\n <row shelf="B" size_in_cm="60"/>\n</all>', id="tags"
            ),
            pytest.param(
                '08:00:01 shelves shelf=A size_in_cm=40\n08:00:07 shelves shelf="B" size_in_cm="60"', id="log"
            ),
        ],
    )
    def test_values_by_label(self, text: str) -> None:
        assert [record.values for record in records(text) if record.values.get("shelf")] == ROWS

    def test_a_table_without_a_rule_below_its_names(self) -> None:
        assert [record.values for record in records("| Hour | Heat |\n| 9 | 21.5 |")] == [{"hour": "9", "heat": "21.5"}]

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("[09:15] Ann Bell: 21.5 from now on", "21.5 from now on"),
            ("2.3 Agreed: no heating at night.", "Agreed: no heating at night."),
            ("We start at 9.", "We start at 9."),
        ],
    )
    def test_prose_is_freed_from_its_notation(self, line: str, said: str) -> None:
        (record,) = records(line)
        assert (record.text, record.values) == (said, {})

    def test_broken_data_is_prose(self) -> None:
        assert records('{"shelf": ')[0].values == {}


class TestDossier:
    WANTED = {"the boat": {"name": "Gull"}, "oar 1": {"length in cm": "290"}}  # noqa: RUF012

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(
                "Dear Ann,\n\nAs to the boat, the name is Gull.\n\n"
                "As to oar 1, the length in cm is 290 (and not 310, as my earlier letter had it).",
                id="letter",
            ),
            pytest.param(
                "[09:01] Ann: Gull as name for the boat\n[09:02] Ann: 310 as length in cm for oar 1\n"
                "[09:03] Bo: are you sure about oar 1?\n"
                "[09:04] Ann: oh. oar 1 needs 290 as length in cm, please forget the 310",
                id="chat",
            ),
            pytest.param(
                "| no. | of | what | entry | void entry |\n| --- | --- | --- | --- | --- |\n"
                "| 1 | the boat | name | Gull | - |\n| 2 | oar 1 | length in cm | 290 | 310 |\n\nKept by Ann.",
                id="table",
            ),
            pytest.param(
                json.dumps(
                    {
                        "parts": [
                            {"part": "the boat", "name": "Gull"},
                            {"part": "oar 1", "length_in_cm": {"valid": "290", "withdrawn": "310"}},
                        ]
                    }
                ),
                id="data",
            ),
            pytest.param(
                '2026-01-02T09:00:00Z 001 set part="oar 1" length_in_cm="310"\n'
                '2026-01-02T09:00:01Z 002 set part="the boat" name="Gull"\n'
                '2026-01-02T09:00:02Z 003 reset part="oar 1" length_in_cm="290"',
                id="log",
            ),
            pytest.param(
                "1. Subject: a boat.\n2. The boat\n   2.1 On the name: Ann reported Gull.\n3. Oar 1\n"
                "   3.1 On the length in cm: Bo first reported 310; after a check, 290 was put on record instead.",
                id="minutes",
            ),
            pytest.param(
                "ANN: Let us go on to the boat.\nANN: And the name?\nBO: Well, Gull.\nANN: Let us go on to oar 1.\n"
                "ANN: Tell me the length in cm.\nBO: Um, 310. Er, no, I am wrong there: 290.",
                id="call",
            ),
            pytest.param(
                "*** A BOAT ***\n[THE BOAT]\n  NAME ......... Gull\n[OAR 1]\n"
                "  LENGTH IN CM ... 290 (struck out: 310)\n*** END ***",
                id="card",
            ),
        ],
    )
    def test_the_value_that_holds(self, text: str) -> None:
        found = read_dossier(text)
        assert {part: found.get(part) for part in self.WANTED} == self.WANTED

    def test_labels_and_values_may_have_small_words_in_them(self) -> None:
        told = "Ann: counted as 7 as rule for a missing page for the book"
        assert read_dossier(told) == {"the book": {"rule for a missing page": "counted as 7"}}
        told = "As to the fee, the day on which it is due is 9 May 2026."
        assert read_dossier(told) == {"the fee": {"day on which it is due": "9 May 2026"}}

    def test_nothing_to_read(self) -> None:
        assert read_dossier("") == read_dossier('{"parts": [') == read_dossier("Nothing is known yet.") == {}


class TestBoards:
    GOAL = "The text lists, for every boat:\n- seats: how many can sit\n- sails: how many sails it has\n"

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("code | name | seats | sails\nA-101 | Gull | 4 | 2\nB-202 | Tern | 14 | 3", id="table"),
            pytest.param(
                '{"title": "boats"}\n{"code": "A-101", "seats": 4, "sails": 2}\n'
                '{"code": "B-202", "seats": 14, "sails": 3}',
                id="data",
            ),
            pytest.param("Gull (A-101) has 4 seats and 2 sails.\nTern (B-202) has 14 seats and 3 sails.", id="letter"),
            pytest.param("1.1 Gull, file A-101: 4 = seats; 2 = sails\n1.2 Tern, file B-202: 14 = seats; 3 = sails"),
            pytest.param("and A-101?\nGull. seats 4, sails 2\nand B-202?\nTern. seats 14, sails 3", id="chat"),
            pytest.param("[A-101]\nsails = 2\nseats = 4\n[B-202]\nseats = 14\nsails = 3", id="blocks"),
            pytest.param("codes: A-101, B-202\nseats: 4, 14\nsails: 2, 3", id="matrix"),
            pytest.param(
                "1 A-101 seats=9\n2 B-202 sails=3\n3 A-101 sails=2\n4 B-202 seats=14\n5 A-101 seats=4", id="log"
            ),
            pytest.param("A-101 Gull > seats 4, sails 2\nB-202 Tern > seats 10 more, sails 1 more", id="relative"),
            pytest.param(
                "… well a-101 gull that one has four seats and two sails\n"
                "… then b-202 tern that one has fourteen seats and three sails",
                id="spoken",
            ),
        ],
    )
    def test_every_notation_says_the_same(self, text: str) -> None:
        board = read_board(text, legend(self.GOAL), [])
        assert {code: offer.values for code, offer in board.offers.items()} == {
            "A-101": {"seats": "4", "sails": "2"},
            "B-202": {"seats": "14", "sails": "3"},
        }
        assert board.complete()

    def test_groups_and_their_limits(self) -> None:
        text = (
            "== Monday == seats available: 9\nA-101 has 4 seats\n"
            "As for Tuesday, there are 7 seats to spend\nB-202 has 5 seats"
        )
        board = read_board(text, ["seats"], ["Monday", "Tuesday"])
        assert board.limits == {"Monday": 9, "Tuesday": 7}
        assert {offer.code: offer.group for offer in board.offers.values()} == {"A-101": "Monday", "B-202": "Tuesday"}

    def test_a_field_that_nobody_states(self) -> None:
        assert not read_board("A-101 has 4 seats", ["seats", "sails"], []).complete()


class TestWeb:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(
                "| soup hot | heat soup | pot clean | no |\n| pot clean | scrub pot | tap open | no |\n"
                "| tap open | open tap | - | yes |",
                id="table",
            ),
            pytest.param(
                '{"reach": "soup hot", "by": "heat soup", "after": ["pot clean"], "done": false}\n'
                '{"reach": "pot clean", "by": "scrub pot", "after": ["tap open"], "done": false}\n'
                '{"reach": "tap open", "by": "open tap", "after": [], "done": true}',
                id="data",
            ),
            pytest.param(
                "[tap open] <== open tap  (holds)\n[pot clean] --> [soup hot]\n[soup hot] <== heat soup\n"
                "[pot clean] <== scrub pot\n[tap open] --> [pot clean]",
                id="arrows",
            ),
            pytest.param(
                "Q: how do we get 'soup hot'? A: heat soup\nQ: at once? A: no, 'pot clean' comes first\n"
                "Q: how do we get 'tap open'? A: open tap\nQ: anything to do? A: nothing, it is so already\n"
                "Q: how do we get 'pot clean'? A: scrub pot\nQ: at once? A: no, 'tap open' comes first",
                id="questions",
            ),
            pytest.param(
                "soup-hot: pot-clean\n\theat soup\npot-clean: tap-open\n\tscrub pot\n"
                "tap-open:\n\t@echo present  # open tap",
                id="recipes",
            ),
            pytest.param(
                "To have the soup hot, heat the soup.\nThat cannot be done before the pot is clean.\n"
                "The tap is open already, so nobody has to open the tap.\n"
                "To have the pot clean, scrub the pot.\nThat cannot be done before the tap is open.",
                id="letter",
            ),
            pytest.param(
                "try  'heat soup': refused for want of pot clean\ntry  'heat soup': ok, now soup hot\n"
                "try  'scrub pot': refused for want of tap open\ntry  'scrub pot': ok, now pot clean\n"
                "kept 'open tap': since then tap open",
                id="log",
            ),
            pytest.param(
                "once the pot is clean well then you can\nheat the soup and it is hot\n"
                "and the tap that one is open we did open tap last week so leave it\n"
                "once the tap is open well then you can\nscrub the pot and it is clean",
                id="talk",
            ),
        ],
    )
    def test_every_notation_says_the_same(self, text: str) -> None:
        web = read_web(text)
        assert web.actions == {"soup hot": "heat soup", "pot clean": "scrub pot", "tap open": "open tap"}
        assert web.holds == {"tap open"}
        assert web.before("soup hot") == ["pot clean"]

    def test_each_after_what_it_needs_and_nothing_twice(self) -> None:
        web = Web(needs={"d": ["c", "b"], "c": ["a"], "b": ["a"], "x": ["d"]})
        order = web.before("d")
        assert sorted(order) == ["a", "b", "c"]
        assert order[0] == "a"

    def test_a_ring_ends(self) -> None:
        assert set(Web(needs={"a": ["b"], "b": ["a"]}).before("a")) == {"b"}
