"""Changes to the binding instrument that once went unnoticed, and changes that nobody could notice."""

from __future__ import annotations

from typing import NamedTuple

INSTRUMENT = "instruments/binding"
LOCALISATION = "instruments/predictive/localisation.py"


class ByHand(NamedTuple):
    """A change that once went unnoticed."""

    what: str
    file: str
    old: str
    new: str

    def of(self, source: str) -> str:
        """The source with this change; the old text has to stand there once."""
        assert source.count(self.old) == 1, f"{self.file}: {self.old!r} stands there {source.count(self.old)} times"
        return source.replace(self.old, self.new)


_TOP_UNIT = "float(left_out[int(np.abs(units).argmax())])"
_TOP_CELL = "float(np.delete(deltas, top).mean())"
BY_HAND = (
    ByHand(
        "the sign-flip test decides at .05, not at .025",
        f"{INSTRUMENT}/inference.py",
        "flip.below((1.0 - confidence) / 2.0)",
        "flip.below(1.0 - confidence)",
    ),
    ByHand("texts of a cosine of .80 say the same", f"{INSTRUMENT}/entropy.py", "COSINE = 0.90", "COSINE = 0.80"),
    ByHand(
        "no unit is removed from the mean without the top effect",
        "stats/differences.py",
        _TOP_UNIT,
        "float(units.mean())",
    ),
    ByHand(
        "the smallest effect is removed, not the top one",
        "stats/differences.py",
        _TOP_UNIT,
        _TOP_UNIT.replace("argmax", "argmin"),
    ),
    ByHand("the top effect has a sign", "stats/differences.py", _TOP_UNIT, "float(left_out[int(units.argmax())])"),
    ByHand("no cell is removed", f"{INSTRUMENT}/cells.py", _TOP_CELL, "float(deltas.mean())"),
    ByHand(
        "the smallest cell is removed",
        f"{INSTRUMENT}/cells.py",
        "int(np.abs(deltas).argmax())",
        "int(np.abs(deltas).argmin())",
    ),
    ByHand("the top cell has a sign", f"{INSTRUMENT}/cells.py", "int(np.abs(deltas).argmax())", "int(deltas.argmax())"),
    ByHand(
        "the composite has no term for following another issue's notes",
        LOCALISATION,
        "parts = [record[name] for name in PARTS]",
        'parts = [record[name] for name in PARTS if name != "resists_scrambled"]',
    ),
    ByHand(
        "following another issue's notes counts nothing",
        LOCALISATION,
        "None if followed is None else 0.0 - followed",
        "None if followed is None else 0.0",
    ),
    ByHand(
        "following another issue's notes counts nothing in 1.0",
        LOCALISATION,
        "None if other is None else 1.0 - other",
        "None if other is None else 1.0",
    ),
)
"""The four mutants that once survived, in every form: level, cosine, top effect removed, composite."""


class Equivalent(NamedTuple):
    """A change that no input can tell from what stood there."""

    file: str
    line: str
    """The line once it is changed."""
    why: str


EQUIVALENT = (
    Equivalent(
        f"{INSTRUMENT}/analysis.py",
        'if condition_of(table, STRUCTURED) is None and STRUCTURED not in table.present("variant"):',
        "without structured rows there are no cells, and nothing is said where there are none",
    ),
    Equivalent(
        f"{INSTRUMENT}/budget.py",
        'events=len(sides[1].groups("dataset", "event").keys),',
        "both sides were cut down to the trials that they share",
    ),
    Equivalent(
        f"{INSTRUMENT}/cells.py",
        "width=max(len(trials.keys), 2),",
        "a number that stands for a pair is taken apart by the width it was made with",
    ),
    Equivalent(
        f"{INSTRUMENT}/twins.py",
        "other = np.where(at >= 1, at, 0)",
        "a partner at place 0 is replaced by place 0",
    ),
    Equivalent(
        "stats/bootstrap.py",
        "enumerate_up_to: int = 10001,",
        "no number of clusters has 10,001 distinct resamples: eight have 6,435, nine 24,310",
    ),
    Equivalent(
        "stats/intervals.py",
        "if isinstance(k, int) and isinstance(n, int) and 0 <= k <= n and 1 < n <= _LARGEST_TABLE:",
        "bounds from the table and one by one are the same; the table is only faster",
    ),
    Equivalent(
        "stats/semantic.py",
        "_, labels = csgraph.connected_components(sparse.vstack(near), directed=True)",
        "nearness has no direction: weak components of the directed graph are those of the undirected one",
    ),
)
"""Those of the drawn ones that survive for this reason. Found by reading survivors, checked by the test."""
