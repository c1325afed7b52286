"""Who writes to whom: drawn once per document."""

from __future__ import annotations

from proctor.core.seeds import Stream
from proctor.suites.agency.deciding.material import Frame
from proctor.suites.kit.words import GIVEN, SURNAMES


def frame(stream: Stream, title: str) -> Frame:
    """Two people who do not exist, and a number for the document."""
    writer = f"{stream.choice(GIVEN)} {stream.choice(SURNAMES)}"
    reader = f"{stream.choice(GIVEN)} {stream.choice(SURNAMES)}"
    return Frame(title, writer, reader, stream.integer(1000, 9999))
