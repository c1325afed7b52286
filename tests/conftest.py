"""What every test shares. No test may depend on how fast this machine is: hypothesis has no deadline."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("proctor", deadline=None)
settings.load_profile("proctor")

# Whoever is started in the background ignores Ctrl-C, and so would every command that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=["pool", "sandbox"])
def either_host(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Confined Python agents forked from a warm interpreter, and each in a sandbox of its own: nothing may differ."""
    from proctor.agents.process.pool import pool
    from proctor.worlds.bubblewrap import privileged

    if request.param == "pool" and not privileged():
        pytest.skip("only root can fork agents from a warm interpreter")
    monkeypatch.setenv(pool.SWITCH, "no" if request.param == "sandbox" else "yes")
    pool.may_fork.cache_clear()
    yield request.param
    pool.pool.release()
    pool.may_fork.cache_clear()
