"""Every part is in the composite of a record: whoever follows another issue's notes has a lower one."""

from __future__ import annotations

import pytest

from proctor.evidence.measures import LocalisationMeasures
from proctor.instruments.predictive.localisation import APART, BARE, PARTS, TASK_ONLY, Answer, _record

CONDITIONS = (
    *TASK_ONLY,
    APART,
    BARE,
    "current-state",
    "decisive-only",
    "scrambled-state",
    "irrelevant-cue",
    "prior-only",
)


def answer(*, state: str = "0", other: str = "0", cue: int = 0, files: tuple[str, ...] = ("a.py",)) -> Answer:
    measures = LocalisationMeasures(
        issue="i",
        repo="r",
        files="[]",
        hit=0,
        violations="",
        overlap_state=state,
        overlap_other=other,
        cue_followed=cue,
        issue_words=3,
        top_score="1",
        rank=1,
        recall="1",
        references=1,
    )
    return Answer(clean=False, violations=(), files=files, measures=measures)


def composite(*, paired: bool, **changed: Answer) -> float:
    answers = {name: [changed.get(name.replace("-", "_"), answer())] for name in CONDITIONS}
    found = _record("m", "i", answers, paired)["binding"]
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize("paired", [False, True])
def test_following_another_issues_notes_lowers_the_composite_by_a_fifth(paired: bool) -> None:
    plain = composite(paired=paired)
    assert composite(paired=paired, scrambled_state=answer(other="1")) == pytest.approx(plain - 1 / len(PARTS))


@pytest.mark.parametrize("paired", [False, True])
def test_every_part_counts_a_fifth(paired: bool) -> None:
    plain = composite(paired=paired)
    fifth = 1 / len(PARTS)
    assert len(PARTS) == 5
    assert composite(paired=paired, current_state=answer(state="1")) == pytest.approx(plain + fifth)
    assert composite(paired=paired, decisive_only=answer(state="1")) == pytest.approx(plain + fifth)
    assert composite(paired=paired, irrelevant_cue=answer(cue=1)) == pytest.approx(plain - fifth)
    assert composite(paired=paired, prior_only=answer(files=("b.py",))) == pytest.approx(plain + fifth)
