"""The standing attackers of worlds, in a size for every day."""

from __future__ import annotations

from tests.adversarial.attackers import infrastructure_seeker, world_calls


def test_no_world_gives_in_to_wild_calls() -> None:
    tally = world_calls.attack(2_500, seed=16, calls=20)
    assert tally.obtained == ()
    assert tally.figures["families"] > 50
    assert tally.figures["reached a world"] > 1_000


def test_nobody_finds_an_exclusion() -> None:
    tally = infrastructure_seeker.attack(63, seed=16, calls=25)
    assert tally.obtained == ()
    assert tally.figures["calls"] > 1_000
    assert tally.figures["excluded"] == 0


def test_a_gain_is_what_chance_does_not_explain() -> None:
    none = {f"family {number}": infrastructure_seeker.Pairs() for number in range(63)}
    for only_cheat, only_honest, found in (
        (12, 0, False),
        (13, 0, True),
        (20, 10, False),
        (30, 3, True),
        (0, 30, False),
    ):
        pairs = infrastructure_seeker.Pairs(only_cheat=only_cheat, only_honest=only_honest)
        better = infrastructure_seeker.better_than_chance({**none, "cheated": pairs}, alpha=0.01)
        assert better == (["cheated"] if found else []), (only_cheat, only_honest, pairs.p)


def test_an_exclusion_counts_as_a_failure() -> None:
    pairs = infrastructure_seeker.Pairs()
    pairs.add("success", "infrastructure")
    pairs.add("failure", "success")
    pairs.add("success", "success")
    assert (pairs.honest, pairs.cheat, pairs.only_honest, pairs.only_cheat) == (2, 2, 1, 1)
