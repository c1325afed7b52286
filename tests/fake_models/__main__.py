"""`python -m tests.fake_models [SECONDS]`: a server of its own that says `hi` after so long; ends with its input."""

from __future__ import annotations

import sys

from tests.fake_models import Say, serving


def main(seconds: float) -> None:
    """Serve until whoever started it is gone."""
    with serving(lambda _: Say("hi", delay=seconds), keep=False) as fake:
        print(fake.address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0)
