"""Tables as CSV at full precision: floats as `repr` writes them, nothing for what is missing.

What is written reads back as the same numbers, and no text in it is computed by a spreadsheet. Lines end in a line
feed, text is UTF-8, and the same table gives the same bytes.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO

from proctor.instruments.binding.tables import Scalar
from proctor.reports.spreadsheet import cell


def csv_of(columns: Mapping[str, Sequence[Scalar]]) -> bytes:
    """The table with a header line."""
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([cell(name) for name in columns])
    writer.writerows([cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    return out.getvalue().encode()
